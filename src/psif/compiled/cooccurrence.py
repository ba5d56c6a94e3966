"""Count which words stand near which, one row of the count matrix at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from psif.compiled.kernel import kernel


def window_reach(
    offsets: NDArray[np.int64], window: int
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """How many words of its own document stand before and after each position, up to ``window``."""
    n_positions = int(offsets[-1] - offsets[0])
    left, right = np.empty(n_positions, dtype=np.int16), np.empty(n_positions, dtype=np.int16)
    _reach(offsets, window, left, right)
    return left, right


@kernel()
def _reach(offsets, window, left, right):  # type: ignore[no-untyped-def]
    for doc in range(len(offsets) - 1):
        first, last = offsets[doc] - offsets[0], offsets[doc + 1] - offsets[0]
        for i in range(first, last):
            left[i] = min(i - first, window)
            right[i] = min(last - 1 - i, window)


def positions_by_word(
    ids: NDArray[np.int32], n_words: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each word stands: word ``w`` is at ``positions[starts[w]:starts[w + 1]]``, rising."""
    starts = np.zeros(n_words + 1, dtype=np.int64)
    np.cumsum(np.bincount(ids, minlength=n_words), out=starts[1:])
    positions = np.empty(len(ids), dtype=np.int64)
    _place(ids, starts[:-1].copy(), positions)
    return starts, positions


@kernel()
def _place(ids, free, positions):  # type: ignore[no-untyped-def]
    """Sort by counting; ``free`` is the next free place of each word."""
    for i in range(len(ids)):
        positions[free[ids[i]]] = i
        free[ids[i]] += 1


def window_weights(
    ids: NDArray[np.int32],
    left: NDArray[np.int16],
    right: NDArray[np.int16],
    window: int,
    n_words: int,
) -> NDArray[np.float64]:
    """Sum the weights of all neighbours of each word: L + 1 - k for one at distance k."""
    up_to = np.zeros(window + 1, dtype=np.int64)
    np.cumsum(np.arange(window, 0, -1), out=up_to[1:])
    total = np.zeros(n_words, dtype=np.int64)
    _weigh(ids, left, right, up_to, total)
    return total.astype(np.float64)


@kernel()
def _weigh(ids, left, right, up_to, total):  # type: ignore[no-untyped-def]
    for i in range(len(ids)):
        total[ids[i]] += up_to[left[i]] + up_to[right[i]]


def count_rows(
    ids: NDArray[np.int32],
    left: NDArray[np.int16],
    right: NDArray[np.int16],
    starts: NDArray[np.int64],
    positions: NDArray[np.int64],
    window: int,
    first: int,
    last: int,
    n_words: int,
    capacity: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Rows ``first`` to ``last`` of the co-occurrence matrix, as CSR.

    A context at distance k counts ``window + 1 - k``; ``left`` and ``right`` say how far each
    position's window reaches before its document ends. Whole numbers are summed, so entry (w, c)
    equals entry (c, w) to the last bit, whatever the order. ``capacity`` bounds the entries.
    Word ``w`` stands at ``positions[starts[w]:starts[w + 1]]``.
    """
    total = np.zeros(n_words, dtype=np.int64)
    indptr = np.zeros(last - first + 1, dtype=np.int64)
    columns = np.empty(capacity, dtype=np.int32)
    values = np.empty(capacity, dtype=np.int64)
    end = _count(
        ids, left, right, starts, positions, window, first, last, total, indptr, columns, values
    )
    return indptr, columns[:end].copy(), values[:end].copy()


@kernel()
def _count(  # type: ignore[no-untyped-def]
    ids, left, right, starts, positions, window, first, last, total, indptr, columns, values
):
    """Fill the rows and return the number of entries; ``total`` is zeros before and after."""
    end = 0
    for word in range(first, last):
        begin = end
        for i in range(starts[word], starts[word + 1]):
            position = positions[i]
            for k in range(-left[position], right[position] + 1):
                if k == 0:
                    continue
                context = ids[position + k]
                if total[context] == 0:
                    columns[end] = context
                    end += 1
                total[context] += window + 1 - abs(k)
        for i in range(begin, end):
            values[i] = total[columns[i]]
            total[columns[i]] = 0
        indptr[word - first + 1] = end
    return end


@kernel(fastmath={"contract", "reassoc", "nsz"})
def positive_product(indptr, columns, log_counts, row_bias, column_bias, factor, out):  # type: ignore[no-untyped-def]
    """``out += max(0, log_counts - row_bias - column_bias) @ factor``, without the matrix."""
    dim = factor.shape[1]
    for row in range(len(indptr) - 1):
        for i in range(indptr[row], indptr[row + 1]):
            column = columns[i]
            value = log_counts[i] - row_bias[row] - column_bias[column]
            if value > 0:
                for j in range(dim):
                    out[row, j] += value * factor[column, j]
