"""Known pairs of neighbouring words, found by hashing.

Open addressing with linear probing: a binary search in a hundred thousand sorted keys takes
seventeen steps through memory, this one takes one or two.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from psif.compiled.average import Ids, Offsets
from psif.compiled.kernel import kernel

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / the golden ratio (Knuth, volume 3, 6.4)


class PairTable(NamedTuple):
    """Slots of keys, twice as many as pairs or more; their number is a power of two.

    Attributes
    ----------
    keys : int64 (n_slots,)
        ``first << 32 | second``, -1 in empty slots.
    pairs : int32 (n_slots,)
        Numbers of the pairs.
    """

    keys: Any
    pairs: Any


@kernel()
def _slot(keys: Offsets, key: Any) -> Any:
    """Slot of a key, or the empty one where it belongs."""
    mask = len(keys) - 1
    place = np.int64((np.uint64(key) * _MULTIPLIER) >> np.uint64(32)) & mask
    while keys[place] != -1 and keys[place] != key:
        place = (place + 1) & mask
    return place


@kernel()
def _fill(wanted: Offsets, keys: Offsets, pairs: Ids) -> None:
    for number in range(len(wanted)):
        place = _slot(keys, wanted[number])
        keys[place] = wanted[number]
        pairs[place] = number


def pair_table(wanted: Offsets) -> PairTable:
    """Make the table of distinct keys; pairs are numbered in their order."""
    n_slots = 1 << max(1, (2 * len(wanted)).bit_length())
    table = PairTable(np.full(n_slots, -1, dtype=np.int64), np.zeros(n_slots, dtype=np.int32))
    if len(wanted):
        _fill(wanted, table.keys, table.pairs)
    return table


@kernel()
def find_pair(table: PairTable, first: int, second: int) -> int:
    """Return the number of a pair of word ids, -1 if it is not known."""
    key = (np.int64(first) << 32) | np.int64(second)
    place = _slot(table.keys, key)
    return table.pairs[place] if table.keys[place] != -1 else -1


@kernel()
def find_pairs(ids: Ids, offsets: Offsets, table: PairTable, out: Ids, ends: Offsets) -> None:
    """Write the known pairs of documents, in reading order, and where each document ends."""
    n = 0
    for doc in range(len(offsets) - 1):
        for i in range(offsets[doc], offsets[doc + 1] - 1):
            pair = find_pair(table, ids[i], ids[i + 1])
            if pair >= 0:
                out[n] = pair
                n += 1
        ends[doc] = n
