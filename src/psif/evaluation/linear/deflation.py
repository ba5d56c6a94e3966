r"""A preconditioner from the few directions in which documents vary most.

The Hessian of a column is ridge·I + XᵀHX. A handful of large eigenvalues of XᵀX make conjugate
gradients slow; with their eigenvectors V and the mean curvature h̄ of the column,

.. math:: M = \text{ridge}\, I + \bar h V \Lambda V^T, \qquad
   M^{-1} r = \frac{1}{\text{ridge}} \Big( r - V \frac{\bar h \Lambda}{\text{ridge} + \bar h
   \Lambda} V^T r \Big)

takes them out. It changes the way to the minimum, not the minimum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from psif.evaluation.linear.losses import Array
from psif.evaluation.linear.spaces import Space

_POWER_ITERATIONS = 3


class Deflation(NamedTuple):
    """Eigenvectors V of XᵀX as unknowns of a space, their decision values XV, and Λ."""

    space: Space
    vectors: Array
    scores: Array
    eigenvalues: Array

    def apply(
        self, residual: Array, residual_scores: Array, ridge: Array, mean_curvature: Array
    ) -> tuple[Array, Array]:
        """M⁻¹ r of every column, and its decision values."""
        lengths = self.space.cross(self.vectors, residual, residual_scores)
        stretched = mean_curvature * self.eigenvalues[:, None]
        lengths *= stretched / (ridge + stretched)
        return (
            (residual - self.vectors @ lengths) / ridge,
            (residual_scores - self.scores @ lengths) / ridge,
        )


def leading_directions(space: Space, rank: int, dtype: np.dtype[np.floating]) -> Deflation:
    """Find about ``rank`` leading eigenvectors by block power iteration."""
    start = np.random.default_rng(0).normal(size=(space.size, rank)).astype(dtype)
    vectors, scores = _orthonormal(space, start, space.scores(start))
    for _ in range(_POWER_ITERATIONS):
        vectors = space.pull(scores)
        vectors, scores = _orthonormal(space, vectors, space.scores(vectors))
    eigenvalues, turn = np.linalg.eigh((scores.T @ scores).astype(np.float64))
    turn = turn.astype(dtype)
    positive = np.maximum(eigenvalues, 0).astype(dtype)
    return Deflation(space, vectors @ turn, scores @ turn, positive)


def _orthonormal(space: Space, vectors: Array, scores: Array) -> tuple[Array, Array]:
    """Orthonormal weights that span the same space; directions lost in rounding are dropped."""
    inner = space.cross(vectors, vectors, scores).astype(np.float64)
    values, axes = np.linalg.eigh((inner + inner.T) / 2)
    # Once more than half of a number's digits have cancelled, a direction is noise.
    kept = values > values[-1] * np.sqrt(np.finfo(vectors.dtype).eps)
    change = (axes[:, kept] / np.sqrt(values[kept])).astype(vectors.dtype)
    return vectors @ change, scores @ change
