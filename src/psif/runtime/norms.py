"""Unit lengths, for numbers of any size."""

from __future__ import annotations

import numpy as np

from psif.types import FloatMatrix, FloatVector

# Squares of smaller and larger numbers lose digits, or all of them, in 32 bits.
_LEAST, _MOST = 1e-15, 1e15
# Rows that are scaled at a time, so that no second large matrix is made.
_ROWS = 1_024


def unit_rows(matrix: FloatMatrix) -> FloatMatrix:
    """Scale every row to unit length; zero rows stay zero."""
    with np.errstate(over="ignore", under="ignore"):
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    usual = (lengths >= _LEAST) & (lengths <= _MOST)
    result: FloatMatrix = matrix / np.where(usual, lengths, lengths.dtype.type(1))
    odd = np.flatnonzero(~usual)
    if len(odd):
        exact = matrix[odd].astype(np.float64)
        lengths = np.linalg.norm(exact, axis=1, keepdims=True)
        result[odd] = exact / np.where(lengths > 0, lengths, 1)
    return result


def write_unit_rows(matrix: FloatMatrix, out: FloatMatrix) -> FloatVector:
    """Write the rows of a matrix to ``out`` with unit length, and return the lengths they had.

    The numbers are those of :func:`unit_rows` and of a norm, without matrices in between.
    """
    lengths = np.empty(len(matrix), dtype=matrix.dtype)
    for start in range(0, len(matrix), _ROWS):
        rows = slice(start, start + _ROWS)
        with np.errstate(over="ignore", under="ignore"):
            lengths[rows] = found = np.linalg.norm(matrix[rows], axis=1)
        if ((found >= _LEAST) & (found <= _MOST)).all():
            np.divide(matrix[rows], found[:, None], out=out[rows])
        else:
            out[rows] = unit_rows(matrix[rows])
    return lengths


def scale_to_unit(matrix: FloatMatrix) -> None:
    """Scale every row to unit length, in place; zero rows stay zero."""
    for start in range(0, len(matrix), _ROWS):
        block = matrix[start : start + _ROWS]
        block[...] = unit_rows(block)
