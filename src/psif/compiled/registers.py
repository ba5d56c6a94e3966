"""Vector registers: how many hold a row, and memory that suits them."""

from __future__ import annotations

from typing import Any

import numpy as np

VECTOR_BYTES = 32
# Of sixteen registers one holds the factor; two are left to the compiler.
_MOST = 13
_CACHE_LINE = 64


def lanes_for(n_columns: int, itemsize: int) -> tuple[None, ...]:
    """As many entries as vector registers hold one panel of a row, panels being equally wide."""
    n_vectors = -(-n_columns * itemsize // VECTOR_BYTES)
    n_panels = -(-n_vectors // _MOST)
    return (None,) * -(-n_vectors // n_panels)


def panel_width(lanes: tuple[None, ...], itemsize: int) -> int:
    """Numbers of one panel."""
    return len(lanes) * VECTOR_BYTES // itemsize


def aligned_zeros(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Zeros that begin with a cache line: a vector across two lines takes two reads."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    room = np.zeros(size + _CACHE_LINE, dtype=np.uint8)
    start = -room.ctypes.data % _CACHE_LINE
    zeros: np.ndarray = room[start : start + size].view(dtype).reshape(shape)
    return zeros
