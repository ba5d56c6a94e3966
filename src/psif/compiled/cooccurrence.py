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
    """Rows ``first`` to ``last`` of the co-occurrence matrix, as CSR with rising columns.

    A context at distance k counts ``window + 1 - k``; ``left`` and ``right`` say how far each
    position's window reaches before its document ends. Whole numbers are summed, so entry (w, c)
    equals entry (c, w) to the last bit, whatever the order. ``capacity`` bounds the entries.
    Word ``w`` stands at ``positions[starts[w]:starts[w + 1]]``.
    """
    total = np.zeros(n_words, dtype=np.int64)
    seen = np.zeros((n_words >> 6) + 1, dtype=np.uint64)
    groups = np.zeros((n_words >> 12) + 1, dtype=np.uint64)
    indptr = np.zeros(last - first + 1, dtype=np.int64)
    columns = np.empty(capacity, dtype=np.int32)
    values = np.empty(capacity, dtype=np.int64)
    end = _count(
        ids, left, right, starts, positions, window, first, last,
        total, seen, groups, indptr, columns, values,
    )  # fmt: skip
    return indptr, columns[:end].copy(), values[:end].copy()


@kernel()
def _count(  # type: ignore[no-untyped-def]
    ids, left, right, starts, positions, window, first, last,
    total, seen, groups, indptr, columns, values,
):  # fmt: skip
    """Fill the rows and return the number of entries; the scratch is zeros before and after.

    Bit c of ``seen`` says that word c is in the row, bit g of ``groups`` that one of the 64 words
    from 64 g on is. Reading the bits from the lowest gives the columns in order without a sort.
    """
    end = 0
    for word in range(first, last):
        for i in range(starts[word], starts[word + 1]):
            here = positions[i]
            # Two loops, as the one over both sides would ask at each step whether it is the middle.
            for k in range(1, left[here] + 1):
                context = ids[here - k]
                total[context] += window + 1 - k
                if seen[context >> 6] == 0:
                    groups[context >> 12] |= _bit(context >> 6)
                seen[context >> 6] |= _bit(context)
            for k in range(1, right[here] + 1):
                context = ids[here + k]
                total[context] += window + 1 - k
                if seen[context >> 6] == 0:
                    groups[context >> 12] |= _bit(context >> 6)
                seen[context >> 6] |= _bit(context)
        for block in range(len(groups)):
            while groups[block] != 0:
                group = (block << 6) + _lowest(groups[block])
                groups[block] &= groups[block] - np.uint64(1)
                while seen[group] != 0:
                    column = (group << 6) + _lowest(seen[group])
                    seen[group] &= seen[group] - np.uint64(1)
                    columns[end] = column
                    values[end] = total[column]
                    total[column] = 0
                    end += 1
        indptr[word - first + 1] = end
    return end


@kernel(inline="always")
def _bit(index):  # type: ignore[no-untyped-def]
    return np.uint64(1) << np.uint64(index & 63)


# A de Bruijn sequence: each of its 64 windows of six bits is another number (Leiserson, Prokop,
# Randall 1998, "Using de Bruijn sequences to index a 1 in a computer word").
_SEQUENCE = np.uint64(0x03F79D71B4CB0A89)
_PLACES = np.zeros(64, dtype=np.int64)
for _place_of_bit in range(64):
    _window = (int(_SEQUENCE) << _place_of_bit & (1 << 64) - 1) >> 58
    _PLACES[_window] = _place_of_bit


@kernel(inline="always")
def _lowest(bits):  # type: ignore[no-untyped-def]
    """Place of the lowest bit that is set."""
    alone = bits & (~bits + np.uint64(1))
    return _PLACES[(alone * _SEQUENCE) >> np.uint64(58)]


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
