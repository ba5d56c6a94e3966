r"""The primal and the dual form of a linear classifier: one unknown per feature or per document.

Both hold the same classifier. With w = Xᵀβ the decision values are Xw = Kβ, K = XXᵀ, so all
folds, classes and values of C share one Gram matrix, and one matrix product serves them all.
The intercept is a feature that is always 1, and is penalised, as in liblinear.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from psif.classify.linear.losses import Array
from psif.classify.linear.low_rank import row_axes
from psif.classify.linear.preconditioner import (
    NYSTROM_RANK,
    CholeskyPreconditioner,
    DualNystromPreconditioner,
    NystromPreconditioner,
)
from psif.classify.linear.rare_columns import add_sparse_gram, split_columns

# The most documents that a Gram matrix is made for.
MOST_DOCS = 20_000
# How many times fewer operations per second a sparse product does than a dense one.
_SPARSE_COST = 25
# Ranks to look for, in features that are at least this many times wider.
RANKS = (2048, 4096)
_WIDE = 2
# The most features whose products are made and factored.
_MOST_FACTORED = 8192
# With fewer documents the products cost less than a preconditioner.
_LEAST_DOCS = 2048


class Preconditioned(NamedTuple):
    """A residual r of a Newton system after its preconditioner, z.

    Unknowns of z, its decision values Xz, and the inner products ⟨r, z⟩ and ⟨r, r⟩ per column.
    """

    vectors: Array
    scores: Array
    energy: Array
    square: Array


class Form(Protocol):
    """Unknowns of m classifiers, one column each."""

    size: int

    def scores(self, unknowns: Array) -> Array:
        """Decision values Xw of all documents, (n_docs, m)."""

    def pull(self, rows: Array) -> Array:
        """Unknowns whose weights are Xᵀ · rows."""

    def dot(self, left: Array, right: Array, right_scores: Array) -> Array:
        """Inner products ⟨w, v⟩ of the classifiers' weights, one per column."""

    def weights(self, unknowns: Array) -> Array:
        """Weights and, last, the intercept: (n_features + 1, m)."""

    def precondition(
        self, residual: Array, ridge: Array, curvature: Array, scores: Array | None = None
    ) -> Preconditioned:
        """Apply the preconditioner of the Newton system, if there is one.

        ``ridge`` has one number per column, ``curvature`` one per document and column;
        ``scores`` are the decision values of the residual, where they are known.
        """


@runtime_checkable
class HasForm(Protocol):
    """Features that know the form of their own classifiers, because they are never one matrix."""

    def form(self) -> Form:
        """Return the form."""


class Dual:
    """The dual form, one unknown per document: w = Xᵀβ. Cheaper when n_docs < 2 n_features.

    Parameters
    ----------
    features : ndarray or CSR matrix of shape (n_docs, n_features)
    rank : int, optional
        Directions of the preconditioner; 0, the default for few documents, does without.
    """

    def __init__(self, features: Any, rank: int | None = None) -> None:
        self._features = features
        self._gram = _gram(features)
        self.size = len(self._gram)
        if rank is None:
            rank = NYSTROM_RANK if self.size >= _LEAST_DOCS else 0
        self._preconditioner = DualNystromPreconditioner(self._gram, rank=rank) if rank else None

    def scores(self, unknowns: Array) -> Array:  # noqa: D102
        return np.asarray(self._gram @ unknowns)

    def pull(self, rows: Array) -> Array:  # noqa: D102
        return rows

    def dot(self, left: Array, right: Array, right_scores: Array) -> Array:  # noqa: D102
        return np.asarray(np.einsum("ij,ij->j", left, right_scores))

    def weights(self, unknowns: Array) -> Array:  # noqa: D102
        return np.vstack([self._features.T @ unknowns, unknowns.sum(axis=0)])

    def precondition(  # noqa: D102
        self, residual: Array, ridge: Array, curvature: Array, scores: Array | None = None
    ) -> Preconditioned:
        plain = plain_residual(self, residual, scores)
        if self._preconditioner is None:
            return plain
        vectors, images = self._preconditioner(residual, plain.scores, ridge, curvature)
        energy = np.maximum(self.dot(residual, vectors, images), 0)
        return Preconditioned(vectors, images, energy, plain.square)


class Primal:
    """The primal form, one unknown per feature, and the intercept, for many documents.

    Parameters
    ----------
    features : ndarray or CSR matrix of shape (n_docs, n_features)
    preconditioner : NystromPreconditioner, optional
    """

    def __init__(self, features: Any, preconditioner: NystromPreconditioner | None = None) -> None:
        self._features = features
        self._preconditioner = preconditioner
        # Rows of a transposed CSR matrix would be gathered anew in every product.
        self._back = features.T.tocsr() if _is_sparse(features) else None
        self.size = features.shape[1] + 1

    def scores(self, unknowns: Array) -> Array:  # noqa: D102
        return np.asarray(self._features @ unknowns[:-1] + unknowns[-1])

    def pull(self, rows: Array) -> Array:  # noqa: D102
        # Of the two ways to write a dense product with few columns this is faster by a third.
        found = (rows.T @ self._features).T if self._back is None else self._back @ rows
        return np.vstack([found, rows.sum(axis=0)])

    def dot(self, left: Array, right: Array, right_scores: Array) -> Array:  # noqa: D102
        return np.asarray(np.einsum("ij,ij->j", left, right))

    def weights(self, unknowns: Array) -> Array:  # noqa: D102
        return unknowns

    def precondition(  # noqa: D102
        self, residual: Array, ridge: Array, curvature: Array, scores: Array | None = None
    ) -> Preconditioned:
        if self._preconditioner is None:
            return plain_residual(self, residual, scores)
        return _turned(self, residual, self._preconditioner(residual, ridge, curvature))


class PreconditionedPrimal:
    """The primal form, preconditioned by a Cholesky factor of XᵀX.

    Parameters
    ----------
    features : ndarray of shape (n_docs, n_features)
    axes : ndarray of shape (n_features, r), optional
        Orthonormal axes that span all rows: then there is one unknown per axis.
    """

    def __init__(self, features: Array, axes: Array | None = None) -> None:
        self._axes = axes
        turned = features if axes is None else features @ axes
        self._features = np.column_stack([turned, np.ones(len(turned), dtype=features.dtype)])
        self._preconditioner = CholeskyPreconditioner(self._features.T @ self._features)
        self.size = self._features.shape[1]

    def scores(self, unknowns: Array) -> Array:  # noqa: D102
        return np.asarray(self._features @ unknowns)

    def pull(self, rows: Array) -> Array:  # noqa: D102
        return np.asarray(self._features.T @ rows)

    def dot(self, left: Array, right: Array, right_scores: Array) -> Array:  # noqa: D102
        return np.asarray(np.einsum("ij,ij->j", left, right))

    def weights(self, unknowns: Array) -> Array:  # noqa: D102
        if self._axes is None:
            return unknowns
        return np.vstack([self._axes @ unknowns[:-1], unknowns[-1:]])

    def precondition(  # noqa: D102
        self, residual: Array, ridge: Array, curvature: Array, scores: Array | None = None
    ) -> Preconditioned:
        return _turned(self, residual, self._preconditioner(residual, ridge, curvature))


def plain_residual(form: Form, residual: Array, scores: Array | None = None) -> Preconditioned:
    """Return a residual as it is, for a form without a preconditioner."""
    scores = form.scores(residual) if scores is None else scores
    square = np.maximum(form.dot(residual, residual, scores), 0)
    return Preconditioned(residual, scores, square, square)


def _turned(form: Form, residual: Array, vectors: Array) -> Preconditioned:
    """Of a primal form, whose inner products are those of the unknowns themselves."""
    scores = form.scores(vectors)
    energy = np.maximum(form.dot(residual, vectors, scores), 0)
    square = np.maximum(form.dot(residual, residual, scores), 0)
    return Preconditioned(vectors, scores, energy, square)


def choose_form(features: Any) -> Form:
    """Return the form with the cheaper products: 2n² against 4np operations per column.

    Sparse features need 4 nnz operations, each as slow as many of a dense product.
    """
    if isinstance(features, HasForm):
        return features.form()
    n_docs, n_features = features.shape
    entries = _SPARSE_COST * features.nnz if _is_sparse(features) else n_docs * n_features
    if n_docs**2 <= 2 * entries and n_docs <= MOST_DOCS:
        return Dual(features)
    if not isinstance(features, np.ndarray):
        return Primal(features)
    axes = _few_axes(features)
    if axes is not None or n_features <= _MOST_FACTORED:
        return PreconditionedPrimal(features, axes)
    return Primal(features, NystromPreconditioner(features))


def _few_axes(features: Array) -> Array | None:
    """Return axes of a small rank, where finding them costs little beside what they save."""
    for most in RANKS:
        if min(features.shape) > _WIDE * most:
            axes = row_axes(features, most)
            if axes is not None:
                return axes
    return None


def _is_sparse(features: Any) -> bool:
    from scipy import sparse

    return bool(sparse.issparse(features))


def _gram(features: Any) -> Array:
    parts = split_columns(features)
    if _is_sparse(features):
        gram = np.zeros((features.shape[0],) * 2, dtype=features.dtype)
        add_sparse_gram(features, gram)
    elif parts is not None:
        gram = parts.gram()
    else:
        gram = np.asarray(features @ features.T)
    gram += 1  # the feature that is always 1
    return gram
