"""Batch orthogonal matching pursuit on the Gram matrix."""

from __future__ import annotations

from math import sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from psif.compiled.kernel import kernel
from psif.compiled.registers import aligned_zeros, lanes_for, panel_width
from psif.compiled.simd import add_rows, bits_of

Doubles: TypeAlias = NDArray[np.float64]

# Rows end with a whole number of the steps in which a compiler goes over them.
_STEP = 8
_ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


def minus_gram(atoms: NDArray[np.float32]) -> Doubles:
    """Negated Gram matrix of the atoms in double precision, its rows padded with zeros."""
    wide = atoms.astype(np.float64)
    gram = aligned_zeros((len(atoms), _pitch(len(atoms))), np.float64)
    gram[:, : len(atoms)] = wide @ -wide.T
    return gram


def coding_room(n_atoms: int, n_active: int) -> tuple[Any, ...]:
    """Room for coding one row.

    The orthonormalised picks, what is left, minus a new pick, y, 1 / l, the picks; and the
    registers.
    """
    pitch = _pitch(n_atoms)
    basis = aligned_zeros((n_active, pitch), np.float64)
    left, new = aligned_zeros((2, pitch), np.float64)
    picked = np.empty(n_active, dtype=np.int64)
    lanes = lanes_for(n_atoms, 8)
    return basis, left, new, np.empty(n_active), np.empty(n_active), picked, lanes


def _pitch(n_atoms: int) -> int:
    width = panel_width(lanes_for(n_atoms, 8), 8)
    return -(-(-(-n_atoms // width) * width) // _STEP) * _STEP


@kernel(inline="always")
def _tagged(number: float, place: int, tag: int) -> int:
    """Order numbers by size, with their place in the last bits; the first of equals is largest."""
    ordered: int = (bits_of(abs(number)) & ~tag) | (tag - place)
    return ordered


@kernel(inline="always")
def _orthogonalise(
    gram: Doubles,
    basis: Doubles,
    best: int,
    n: int,
    n_atoms: int,
    new: Doubles,
    lanes: tuple[None, ...],
) -> None:
    """Write ``gram[best] + sum_m basis[m, best] * basis[m]`` over the n picks before to ``new``."""
    pitch = basis.shape[1]
    for j in range(pitch):
        new[j] = gram[best, j]
    for low in range(0, n, 64):
        chosen = _ALL >> np.uint64(64 - min(64, n - low))
        for c in range(0, n_atoms, 4 * len(lanes)):
            start = low * pitch
            add_rows(basis, start + c, basis, start + best, chosen, False, new, c, lanes)


@kernel(fastmath={"contract"}, error_model="numpy")
def code_rows(
    gram: Doubles,
    correlations: NDArray[np.float32],
    codes: NDArray[np.float32],
    basis: Doubles,
    left: Doubles,
    new: Doubles,
    y: Doubles,
    inverse: Doubles,
    picked: NDArray[np.int64],
    lanes: tuple[None, ...],
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

    Every pick waits for the one before, so what counts is the way from one to the next: the largest
    of what is left comes with its place in the last bits of the number (:func:`_tagged`), found
    while c is updated, and the square root, which only ``basis`` needs, is not waited for.

    Parameters
    ----------
    gram : float64 (n_atoms, pitch)
        −G, see :func:`minus_gram`.
    correlations : float32 (n_words, n_atoms)
    codes : float32 (n_words, n_atoms), zeros on entry, written in place
    basis, left, new, y, inverse, picked, lanes
        Room for one row, see :func:`coding_room`.
    """
    n_active, pitch = basis.shape
    n_atoms = codes.shape[1]
    tag = 1
    while tag < pitch:
        tag *= 2
    tag -= 1
    for row in range(len(codes)):
        top = 0
        for j in range(n_atoms):
            left[j] = correlations[row, j]
            top = max(top, _tagged(left[j], j, tag))
        # Below this an atom explains nothing but rounding (correlations are float32).
        least = bits_of(1e-6 * abs(left[tag - (top & tag)])) | tag
        n = 0
        while n < n_active and top > least:
            best = tag - (top & tag)
            _orthogonalise(gram, basis, best, n, n_atoms, new, lanes)
            pivot = -new[best]
            fits = pivot >= 1e-9  # else a combination of the atoms already picked
            if not fits:
                left[best] = 0.0
            step = left[best] / pivot if fits else 0.0
            scale = 1.0 / sqrt(pivot) if fits else 0.0
            top = 0
            for j in range(pitch):
                basis[n, j] = -scale * new[j]
                left[j] += step * new[j]
                top = max(top, _tagged(left[j], j, tag))
            if fits:
                picked[n], inverse[n], y[n] = best, scale, step * pivot * scale
                n += 1
        for s in range(n - 1, -1, -1):
            gamma = y[s] * inverse[s]
            codes[row, picked[s]] = gamma
            for r in range(s):
                y[r] -= basis[r, picked[s]] * gamma
