"""Rows of tables that are too large for the cache, asked for some time before they are read."""

from __future__ import annotations

from psif.compiled.kernel import kernel
from psif.compiled.simd import prefetch

# How many rows ahead of its turn a row is asked for, and 32-bit numbers in a line of the cache.
AHEAD = 4
_LINE = 16


@kernel()
def fetch_row(table, row):  # type: ignore[no-untyped-def]
    """Ask for a row; what is computed does not change."""
    for column in range(0, table.shape[1], _LINE):
        prefetch(table, row, column)
