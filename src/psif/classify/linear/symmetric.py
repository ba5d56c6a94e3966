"""A large symmetric matrix in blocks: the half above the diagonal is never stored."""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.classify.linear.losses import Array
from psif.runtime.threads import map_ranges, ranges

# Rows of a sparse product made at a time within a block: it is nearly dense.
_SPARSE_ROWS = 256


class SymmetricBlocks:
    """Blocks (i, j), j ≤ i, of a symmetric float32 matrix of zeros, to be filled and multiplied.

    Each row of blocks is the work of one thread, in the same order for any number of threads.

    Parameters
    ----------
    n : int
        Rows of the matrix.
    size : int
        Rows of a block.
    n_jobs : int or None
    """

    def __init__(self, n: int, size: int, n_jobs: int | None = None) -> None:
        self.ranges = ranges(n, size)
        self._size = size
        self._n_jobs = n_jobs
        self._blocks = [
            [np.zeros((b - a, d - c), dtype=np.float32) for c, d in self.ranges[: i + 1]]
            for i, (a, b) in enumerate(self.ranges)
        ]

    def __len__(self) -> int:
        return self.ranges[-1][1] if self.ranges else 0

    def block(self, start: int, begin: int) -> Array:
        """Return the stored block whose first row is ``start`` and first column ``begin``."""
        return self._blocks[start // self._size][begin // self._size]

    def add(self, number: float) -> None:
        """Add a number to every entry."""
        for row in self._blocks:
            for block in row:
                block += number

    def add_products(self, rows: Any) -> None:
        """Add XXᵀ of a CSR matrix X."""

        def work(start: int, stop: int) -> None:
            others = rows[:stop].T.tocsr()
            for begin, end in ranges(stop - start, _SPARSE_ROWS):
                part = (rows[start + begin : start + end] @ others).toarray()
                for a, b in self.ranges[: start // self._size + 1]:
                    self.block(start, a)[begin:end] += part[:, a:b]

        self._each(work)

    def __matmul__(self, columns: Array) -> Array:
        out = np.empty((len(self), columns.shape[1]), dtype=np.float32)

        def work(start: int, stop: int) -> None:
            total = np.zeros((stop - start, columns.shape[1]), dtype=np.float32)
            for a, b in self.ranges:
                stored = self.block(start, a) if a <= start else self.block(a, start).T
                total += stored @ columns[a:b]
            out[start:stop] = total

        self._each(work)
        return out

    def to_array(self) -> Array:
        """Return the whole matrix."""
        return self @ np.eye(len(self), dtype=np.float32)

    def _each(self, work: Any) -> None:
        map_ranges(work, len(self), size=self._size, n_jobs=self._n_jobs)
