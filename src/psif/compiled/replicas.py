"""Tables of vectors that several replicas train at once, with one result.

A replica trains on its own copies of the rows that it touches, and sees nothing of the others. When
all replicas of a round are done, what each of them added to a row is added to the table, in the
order of the replicas. So it does not matter which thread runs which replica, or how many threads
there are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from psif.compiled.fetching import AHEAD, fetch_row
from psif.compiled.kernel import kernel


class Replica(NamedTuple):
    """Copies of some rows of a table.

    ``rows[k]`` is the copy of row ``words[k]``, for k below ``size[0]``; the place of word w is
    ``slots[w]``, -1 if there is no copy of it.
    """

    slots: NDArray[np.int32]
    words: NDArray[np.int32]
    rows: NDArray[np.float32]
    size: NDArray[np.int64]


def empty_replica(n_words: int, capacity: int, dim: int) -> Replica:
    """Return a replica with room for ``capacity`` rows."""
    capacity = min(capacity, n_words)
    return Replica(
        slots=np.full(n_words, -1, dtype=np.int32),
        words=np.empty(capacity, dtype=np.int32),
        rows=np.empty((capacity, dim), dtype=np.float32),
        size=np.zeros(1, dtype=np.int64),
    )


@kernel()
def copy_row(table, slots, words, rows, size, word):  # type: ignore[no-untyped-def]
    """Give a replica its copy of a row; return its place.

    Takes the replica in parts: fields of a tuple cost a count of references wherever they are used.
    """
    slot = size[0]
    size[0] = slot + 1
    slots[word] = slot
    words[slot] = word
    for j in range(table.shape[1]):
        rows[slot, j] = table[word, j]
    return slot


@kernel(fastmath={"contract"})
def merge_replicas(table, replicas, part, n_parts):  # type: ignore[no-untyped-def]
    """Add what the replicas added to the rows whose number is ``part`` modulo ``n_parts``.

    The copies are given up, but ``size`` stays: the caller sets it to 0 after all parts.
    """
    dim = table.shape[1]
    total = np.empty(dim, dtype=np.float32)
    for i in range(len(replicas)):
        mine = replicas[i]
        size = mine.size[0]
        for k in range(size):
            if k + AHEAD < size:
                fetch_row(table, mine.words[k + AHEAD])
            word = mine.words[k]
            if word % n_parts != part or mine.slots[word] < 0:
                continue  # Another thread's, or merged when an earlier replica had it too.
            for j in range(dim):
                total[j] = mine.rows[k, j] - table[word, j]
            mine.slots[word] = -1
            for e in range(i + 1, len(replicas)):
                other = replicas[e]
                slot = other.slots[word]
                if slot >= 0:
                    for j in range(dim):
                        total[j] += other.rows[slot, j] - table[word, j]
                    other.slots[word] = -1
            for j in range(dim):
                table[word, j] += total[j]
