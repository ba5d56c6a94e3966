"""Preconditioners of Newton systems, so that conjugate gradients need few steps."""

from __future__ import annotations

import numpy as np

from psif.classify.linear.losses import Array

# Added to the diagonal, as a share of the trace: single precision factors no less.
_SLACK = 1e-6
# A factor serves while the mean curvature is within this many times that of its making.
_NEAR = 4.0
# Documents that are looked at for the strongest directions of all, and how many of those are kept.
_ROWS = 2048
NYSTROM_RANK = 512


class CholeskyPreconditioner:
    r"""One Cholesky factor for all classifiers of the same C.

    The matrix of a Newton system is :math:`\tfrac1C I + X^T H X`, with the curvature of the loss
    at each document in H. With the mean curvature in place of each it is
    :math:`\tfrac1C I + \bar h\, X^T X`, which needs the products of the features once and a
    factor for each C.

    Parameters
    ----------
    squares : ndarray of shape (p, p)
        :math:`X^T X`.
    """

    def __init__(self, squares: Array) -> None:
        self._squares = squares
        self._trace = float(np.trace(squares))
        self._factors: dict[float, tuple[float, Array]] = {}

    def __call__(self, vectors: Array, ridge: Array, curvature: Array) -> Array:
        """Return vectors that are nearly solutions; ridge = 1 / C, one number per column."""
        from scipy.linalg import cho_solve

        means = curvature.mean(axis=0)
        result = np.empty_like(vectors)
        for value in np.unique(ridge):
            columns = ridge == value
            factor = self._factor(float(value), float(means[columns].mean()))
            result[:, columns] = cho_solve((factor, True), vectors[:, columns], check_finite=False)
        return result

    def _factor(self, ridge: float, curvature: float) -> Array:
        made_for, factor = self._factors.get(ridge, (0.0, None))
        if factor is not None and made_for / _NEAR <= curvature <= made_for * _NEAR:
            return factor
        from scipy.linalg import cho_factor

        matrix = curvature * self._squares
        matrix[np.diag_indices_from(matrix)] += ridge + _SLACK * curvature * self._trace
        made: Array = cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)[0]
        self._factors[ridge] = (curvature, made)
        return made


class NystromPreconditioner:
    r"""A Nyström preconditioner, for features too wide to factor: a sample of the documents.

    With the strongest eigenvectors V and eigenvalues λ of :math:`X^T X`, estimated from
    the sample, the matrix above is near :math:`\tfrac1C I + \bar h V \Lambda V^T`, and a gradient
    r becomes

    .. math:: r - V \Big(1 - \frac{1/C + \bar h \lambda_{min}}{1/C + \bar h \lambda}\Big) V^T r :

    directions in which the matrix is large are scaled down to the weakest one that is kept
    (Frangella, Tropp, Udell 2023, "Randomized Nyström preconditioning").

    Parameters
    ----------
    features : ndarray of shape (n_docs, n_features)
        A last feature that is always 1 is added, as the forms do.
    n_rows, rank : int
    """

    def __init__(self, features: Array, n_rows: int = _ROWS, rank: int = NYSTROM_RANK) -> None:
        rows = features[_sample(len(features), n_rows)]
        rows = np.column_stack([rows, np.ones(len(rows), dtype=features.dtype)])
        turn, values = _strongest(rows @ rows.T, rank)
        self._directions = rows.T @ turn
        self._strengths = values * (len(features) / len(rows))

    def __call__(self, vectors: Array, ridge: Array, curvature: Array) -> Array:
        """Return vectors that are nearer to solutions; ridge = 1 / C, one number per column."""
        shares = _excess(self._strengths, ridge, curvature)
        return np.asarray(vectors - self._directions @ (shares * (self._directions.T @ vectors)))


class DualNystromPreconditioner:
    r"""The Nyström preconditioner of the dual form, where w = Xᵀβ and K = XXᵀ is at hand.

    The strongest directions that a sample S of the documents shows are :math:`V = X_S^T A`,
    :math:`A = U \Lambda^{-1/2}` with the eigenvectors U of :math:`K_{SS}`. With the decision values
    s = Kβ of a residual, :math:`V^T w = A^T s_S`, so nothing new is multiplied by K: the sample's
    part of β changes by A q, and s by :math:`K_{\cdot S} A q`, of which :math:`K_{\cdot S} A` is
    made once.

    Parameters
    ----------
    gram : ndarray of shape (n_docs, n_docs)
    n_rows, rank : int
    """

    def __init__(self, gram: Array, n_rows: int = _ROWS, rank: int = NYSTROM_RANK) -> None:
        self._rows = _sample(len(gram), n_rows)
        columns = np.ascontiguousarray(gram[:, self._rows])
        self._turn, values = _strongest(columns[self._rows], rank)
        self._images = columns @ self._turn
        self._strengths = values * (len(gram) / len(self._rows))

    def __call__(
        self, residual: Array, scores: Array, ridge: Array, curvature: Array
    ) -> tuple[Array, Array]:
        """Return vectors nearer to solutions, and their decision values; ridge = 1 / C."""
        shares = _excess(self._strengths, ridge, curvature)
        shortened = shares * (self._turn.T @ scores[self._rows])
        vectors = residual.copy()
        vectors[self._rows] -= self._turn @ shortened
        return vectors, np.asarray(scores - self._images @ shortened)


def _sample(n_docs: int, n_rows: int) -> Array:
    """Rows of documents, the same every time."""
    chosen = np.random.default_rng(0).choice(n_docs, min(n_rows, n_docs), replace=False)
    return np.sort(chosen)


def _strongest(products: Array, rank: int) -> tuple[Array, Array]:
    """Return U Λ^(-1/2) and Λ of the strongest eigenvectors of the products of sampled rows."""
    values, vectors = np.linalg.eigh(products)
    # Eigenvalues of rounding have eigenvectors of noise.
    strong = np.flatnonzero(values > _SLACK * values[-1])[-rank:]
    return vectors[:, strong] / np.sqrt(values[strong]), values[strong]


def _excess(strengths: Array, ridge: Array, curvature: Array) -> Array:
    """Share to take from each direction, per column: 0 for the weakest that is kept."""
    matrix = curvature.mean(axis=0) * strengths[:, None] + ridge
    return np.asarray(1 - matrix[0] / matrix)
