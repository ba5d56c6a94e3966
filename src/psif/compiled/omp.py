"""Batch orthogonal matching pursuit on the Gram matrix."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numba import njit
from numpy.typing import NDArray


def coding_room(
    n_atoms: int, n_active: int
) -> tuple[
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.int64],
]:
    """Room for coding one row: the orthonormalised picks, what is left, y, gamma, the picks."""
    basis, left = np.empty((n_active, n_atoms)), np.empty(n_atoms)
    return basis, left, np.empty(n_active), np.empty(n_active), np.empty(n_active, dtype=np.int64)


@njit(cache=True, nogil=True, fastmath={"contract"})
def code_rows(
    gram: NDArray[np.float64],
    correlations: NDArray[np.float32],
    codes: NDArray[np.float32],
    basis: NDArray[np.float64],
    left: NDArray[np.float64],
    y: NDArray[np.float64],
    gamma: NDArray[np.float64],
    picked: NDArray[np.int64],
) -> None:
    r"""Sparse codes of some words, by a pivoted Cholesky factorisation.

    Orthogonal matching pursuit picks, again and again, the atom most correlated with what is
    left of the vector, and refits all picked atoms by least squares. With G = D Dᵀ the Gram
    matrix of the atoms and c = D x, picking pivots of G greedily gives all of it without ever
    forming a residual. Row n of ``basis`` is the correlation of every atom with the n-th
    orthonormalised pick:

    .. math:: q_n = (G_i - \sum_{m<n} q_m[i]\, q_m) / \ell_n, \quad
              y_n = c[i] / \ell_n, \quad c \leftarrow c - y_n q_n

    The Cholesky factor needs no storage of its own, :math:`L_{nm} = q_m[i_n]`; the coefficients
    solve :math:`L^T \gamma = y`. Rubinstein, Zibulevsky, Elad (2008), "Batch OMP".

    Parameters
    ----------
    gram : float64 (n_atoms, n_atoms)
    correlations : float32 (n_words, n_atoms)
    codes : float32 (n_words, n_atoms), zeros on entry, written in place
    basis, left, y, gamma, picked
        Room for one row, see :func:`coding_room`.
    """
    n_active, n_atoms = basis.shape
    for row in range(len(codes)):
        largest = 0.0
        for j in range(n_atoms):
            left[j] = correlations[row, j]
            if abs(left[j]) > largest:
                largest = abs(left[j])
        # Below this an atom explains nothing but rounding (correlations are float32).
        threshold = 1e-6 * largest
        n = 0
        while n < n_active:
            best = -1
            best_value = threshold
            for j in range(n_atoms):
                value = abs(left[j])
                if value > best_value:
                    best = j
                    best_value = value
            if best < 0:
                break
            q = basis[n]
            for j in range(n_atoms):
                q[j] = gram[best, j]
            for m in range(n):
                c = basis[m, best]
                for j in range(n_atoms):
                    q[j] -= c * basis[m, j]
            pivot = q[best]
            if pivot < 1e-9:  # a combination of the atoms already picked
                left[best] = 0.0
                continue
            scale = 1.0 / sqrt(pivot)
            y[n] = left[best] * scale
            for j in range(n_atoms):
                q[j] *= scale
                left[j] -= y[n] * q[j]
            picked[n] = best
            n += 1
            for m in range(n):  # exactly zero, where rounding would leave a trace
                left[picked[m]] = 0.0
        for r in range(n - 1, -1, -1):
            value = y[r]
            for s in range(r + 1, n):
                value -= basis[r, picked[s]] * gamma[s]
            gamma[r] = value / basis[r, picked[r]]
            codes[row, picked[r]] = gamma[r]
