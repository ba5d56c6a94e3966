"""Unit norms without dividing by zero."""

from __future__ import annotations

import numpy as np

from psif.types import FloatMatrix


def unit_rows(matrix: FloatMatrix) -> FloatMatrix:
    """Scale every row to unit length; zero rows stay zero."""
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    result: FloatMatrix = matrix / np.where(norms > 0, norms, norms.dtype.type(1))
    return result
