"""The NumPy reference implementation of :mod:`psif.compiled.simd`, for ``NUMBA_DISABLE_JIT=1``."""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.compiled.registers import panel_width


def add_rows(
    rows: Any, at: int, factors: Any, place: int, chosen: Any, fresh: bool,
    sums: Any, target: int, lanes: tuple[None, ...],
) -> None:  # fmt: skip
    """Add to one panel of sums the same panel of some rows, each times its factor."""
    width = panel_width(lanes, rows.itemsize)
    panel = sums.reshape(-1)[target : target + width]
    if fresh:
        panel[:] = 0
    for t in range(64):
        if int(chosen) >> t & 1:
            start = at + t * rows.shape[1]
            factor = factors.reshape(-1)[place + t * factors.shape[1]]
            panel += factor * rows.reshape(-1)[start : start + width]


def prefetch(table: Any, row: int, column: int) -> None:
    """Do nothing: this only asks for what is needed later."""


def bits_of(number: float) -> int:
    """Return the bits of a float64 as an int64."""
    return int(np.float64(number).view(np.int64))
