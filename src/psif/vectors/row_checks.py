"""Checks of a large mapped table, made for each part of it when that part is first used.

A table of many gigabytes must open at once, so its numbers cannot all be read then. Its folder
holds a checksum per block of rows instead. Before rows leave the table, the blocks that hold them
are compared with their checksums, once, and their numbers are checked to be finite.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from psif.errors import FormatError
from psif.runtime.threads import map_items, map_ranges, ranges
from psif.types import CountVector, FloatMatrix

# Small enough that looking up one word costs a millisecond, large enough that the checksums of
# a table take a ten-thousandth of its space.
_BLOCK_BYTES = 1 << 20


def rows_per_block(matrix: FloatMatrix) -> int:
    """Rows that share one checksum."""
    row_bytes = max(1, matrix.shape[1] * matrix.dtype.itemsize)
    return max(1, _BLOCK_BYTES // int(row_bytes))


def block_checksums(matrix: FloatMatrix) -> list[str]:
    """SHA-256 of each block of rows."""
    return map_ranges(
        lambda start, stop: _checksum(matrix[start:stop]), len(matrix), size=rows_per_block(matrix)
    )


class RowChecks:
    """Compare rows of a mapped table with its checksums, each block once.

    Parameters
    ----------
    matrix : ndarray of shape (n_rows, dim)
    checksums : sequence of str
        As :func:`block_checksums` gives them.
    path : Path
        The mapped file, for error messages.
    """

    def __init__(self, matrix: FloatMatrix, checksums: Sequence[str], path: Path) -> None:
        self._matrix = matrix
        self._checksums = list(checksums)
        self._path = path
        self._blocks = ranges(len(matrix), rows_per_block(matrix))
        if len(self._blocks) != len(self._checksums):
            raise FormatError(
                f"{path} has {len(self._blocks)} blocks of rows but {len(self._checksums)} "
                "checksums: damaged or changed. Copy or convert the table again."
            )
        self._checked = np.zeros(len(self._blocks), dtype=bool)

    def check_all(self) -> None:
        """Check every row that has not been checked yet."""
        self._check(np.flatnonzero(~self._checked))

    def check_rows(self, rows: Sequence[int] | np.ndarray) -> None:
        """Check these rows."""
        wanted = np.zeros(len(self._blocks), dtype=bool)
        wanted[np.asarray(rows, dtype=np.int64) // rows_per_block(self._matrix)] = True
        self._check(np.flatnonzero(wanted & ~self._checked))

    def _check(self, blocks: np.ndarray) -> None:
        map_items(self._check_block, blocks.tolist())

    def _check_block(self, block: int) -> None:
        start, stop = self._blocks[block]
        rows = self._matrix[start:stop]
        if _checksum(rows) != self._checksums[block]:
            raise FormatError(
                f"{self._path}, rows {start} to {stop - 1}: the numbers do not match their "
                "checksum: damaged or changed. Copy or convert the table again."
            )
        bad = _nonfinite(rows)
        if len(bad):
            raise FormatError(
                f"{self._path}, row {start + int(bad[0])}: the vector holds NaN or infinity."
            )
        self._checked[block] = True


def nonfinite_rows(matrix: FloatMatrix) -> CountVector:
    """Rows with NaN or infinity, looked for block by block: a table may be larger than memory."""
    bad = map_ranges(
        lambda start, stop: start + _nonfinite(matrix[start:stop]),
        len(matrix),
        size=rows_per_block(matrix),
    )
    return np.concatenate([np.empty(0, dtype=np.int64), *bad])


def _nonfinite(rows: FloatMatrix) -> CountVector:
    # A sum is NaN or infinite if a number is, and needs no array of truth values. It overflows
    # only with numbers that the second look finds to be finite.
    with np.errstate(over="ignore", invalid="ignore"):
        total = rows.sum(dtype=np.float32)
    if np.isfinite(total):
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(~np.isfinite(rows).all(axis=1))


def _checksum(rows: FloatMatrix) -> str:
    return hashlib.sha256(np.ascontiguousarray(rows).data).hexdigest()
