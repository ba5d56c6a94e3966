"""The two passes over the words that update one atom in approximate K-SVD."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from psif.compiled.kernel import kernel

# Sums may be reordered (for vector units) and fused; NaN and infinity keep their meaning.
_SUMS = {"reassoc", "contract", "nsz"}


@kernel(fastmath=_SUMS)
def gather_direction(
    residual: NDArray[np.float32],
    coefficients: NDArray[np.float32],
    start: int,
    stop: int,
    total: NDArray[np.float32],
) -> None:
    r"""Add :math:`\sum_w \gamma_w r_w` over rows ``start`` to ``stop`` to ``total``."""
    dim = residual.shape[1]
    for row in range(start, stop):
        c = coefficients[row]
        if c != 0.0:
            for k in range(dim):
                total[k] += c * residual[row, k]


@kernel(fastmath=_SUMS)
def refit_coefficients(
    residual: NDArray[np.float32],
    coefficients: NDArray[np.float32],
    old_atom: NDArray[np.float32],
    new_atom: NDArray[np.float32],
    start: int,
    stop: int,
) -> None:
    r"""Refit the coefficients of one atom and bring the residual up to date, in place.

    For each word that uses the atom, with :math:`e_w = r_w + \gamma_w a` the error without it:
    :math:`\gamma_w \leftarrow \langle e_w, a' \rangle` and :math:`r_w = e_w - \gamma_w a'`.
    """
    dim = residual.shape[1]
    overlap = np.float32(0.0)
    for k in range(dim):
        overlap += old_atom[k] * new_atom[k]
    for row in range(start, stop):
        c = coefficients[row]
        if c != 0.0:
            fresh = np.float32(0.0)
            for k in range(dim):
                fresh += residual[row, k] * new_atom[k]
            fresh += c * overlap
            coefficients[row] = fresh
            for k in range(dim):
                residual[row, k] += c * old_atom[k] - fresh * new_atom[k]
