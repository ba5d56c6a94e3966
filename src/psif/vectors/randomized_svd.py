"""The leading left factors of a large matrix, by randomised block power iteration."""

from __future__ import annotations

import warnings
from typing import Protocol

import numpy as np

from psif.errors import PsifWarning
from psif.runtime.blas import inner_product, single_threaded_blas, tall_product
from psif.runtime.subspace_iteration import orthonormal_columns
from psif.types import DoubleVector, FloatMatrix

# Columns beyond the wanted ones; they make the wanted ones accurate (Halko et al., section 4.2).
_OVERSAMPLING = 16
# Up to this many words the dense matrix is factorised exactly: quick, and its rank is exact.
_DENSE_WORDS = 1000


class Multiplier(Protocol):
    """A square matrix known by its products."""

    n_words: int

    def times(self, factor: FloatMatrix, *, transposed: bool = False) -> FloatMatrix:
        """Return the matrix, or its transpose, times ``factor``."""
        ...


def factorise(
    matrix: Multiplier,
    dim: int,
    *,
    n_iter: int,
    random_state: int | None = None,
    n_jobs: int | None = None,
) -> FloatMatrix:
    r"""Return :math:`U \sqrt{S}` of the ``dim`` largest singular values.

    Signs are fixed (the largest number of each column is positive), so equal data give equal
    vectors. When the rank is below ``dim`` the columns are fewer, with a warning: padding would
    only hide that the corpus is too small.

    References
    ----------
    .. [1] Halko, Martinsson, Tropp (2011), Finding structure with randomness, algorithm 4.4.
    """
    with single_threaded_blas():
        if matrix.n_words <= max(_DENSE_WORDS, dim + _OVERSAMPLING):
            left, values = _exact(matrix)
        else:
            size = dim + _OVERSAMPLING
            left, values = _randomised(matrix, size, n_iter, random_state, n_jobs)
    rank = int(np.sum(values > values[0] * 1e-5)) if values[0] > 0 else 0
    if rank < dim:
        warnings.warn(
            f"the corpus supports only {max(rank, 1)} dimensions, not {dim}: it has "
            f"{matrix.n_words} words with few different neighbours. The vectors are that short.",
            PsifWarning,
            stacklevel=2,
        )
    kept = max(min(rank, dim), 1)
    left = left[:, :kept]
    signs = np.sign(left[np.abs(left).argmax(axis=0), np.arange(kept)])
    scale = np.where(signs == 0, 1, signs) * np.sqrt(values[:kept])
    return np.ascontiguousarray(left * scale.astype(left.dtype), dtype=np.float32)


def _exact(matrix: Multiplier) -> tuple[np.ndarray, DoubleVector]:
    """Left singular vectors and values, from M Mᵀ: an SVD would find the right ones as well."""
    dense = matrix.times(np.eye(matrix.n_words, dtype=np.float32)).astype(np.float64)
    squares, left = np.linalg.eigh(dense @ dense.T)
    return left[:, ::-1], np.sqrt(np.maximum(squares[::-1], 0))


def _randomised(
    matrix: Multiplier, size: int, n_iter: int, random_state: int | None, n_jobs: int | None
) -> tuple[np.ndarray, DoubleVector]:
    rng = np.random.default_rng(random_state)
    sample = rng.standard_normal((matrix.n_words, size), dtype=np.float32)
    basis = orthonormal_columns(matrix.times(sample), n_jobs)
    if not basis.shape[1]:  # all entries are zero, as where every document has a single word
        return np.zeros((matrix.n_words, 1), dtype=np.float32), np.zeros(1)
    for _ in range(n_iter):
        basis = orthonormal_columns(matrix.times(basis, transposed=True), n_jobs)
        basis = orthonormal_columns(matrix.times(basis), n_jobs)
    # A second round removes what rounding left of the first.
    basis = orthonormal_columns(basis, n_jobs)
    # M ≈ Q (Mᵀ Q)ᵀ; the small Gram matrix of Mᵀ Q holds the singular values and the rotation.
    projected = matrix.times(basis, transposed=True)
    squares, rotation = np.linalg.eigh(inner_product(projected, projected, n_jobs=n_jobs))
    values = np.sqrt(np.maximum(squares[::-1], 0))
    return tall_product(basis, rotation[:, ::-1].astype(np.float32), n_jobs=n_jobs), values
