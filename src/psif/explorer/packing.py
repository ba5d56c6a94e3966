"""Arrays as text that a page can read back."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np


def packed(array: np.ndarray) -> dict[str, Any]:
    """Return the type and the base64 of an array, little-endian, row by row."""
    little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    return {"type": array.dtype.name, "data": base64.b64encode(little.tobytes()).decode("ascii")}
