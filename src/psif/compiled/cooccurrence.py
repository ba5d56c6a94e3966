"""Count which words stand near which, one row of the count matrix at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from psif.compiled.kernel import kernel


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
