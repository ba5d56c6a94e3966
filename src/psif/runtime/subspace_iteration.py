"""Leading singular vectors of a large matrix, with the same bits for any number of threads.

scikit-learn's ``randomized_svd`` computes the same but leaves its products to the threads of the
BLAS library, and their number changes the order of sums. Here the products are cut into blocks that
depend only on the data, and our own threads share the blocks.

References
----------
.. [1] Halko, Martinsson, Tropp (2011), Finding structure with randomness, algorithm 4.4.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.runtime.blas import inner_product, single_threaded_blas, tall_product
from psif.runtime.threads import map_ranges
from psif.types import FloatMatrix, FloatVector

# Columns beyond the wanted ones; they make the wanted ones accurate (section 4.2).
_OVERSAMPLING = 10
_ROWS_PER_BLOCK = 1024


def leading_right_singular_vectors(
    matrix: Any, n_wanted: int, *, random_state: int, n_iter: int = 4, n_jobs: int | None = None
) -> tuple[FloatMatrix, FloatVector]:
    """Orthonormal columns, the leading right singular vectors, and the singular values.

    Parameters
    ----------
    matrix : ndarray or sparse array of float32, shape (n_rows, n_columns)
    n_wanted : int
        At most ``min(n_rows, n_columns)``. Beyond the rank of the matrix the values are zero, and
        the vectors are arbitrary ones that are orthogonal to the others.
    random_state : int
    n_iter : int, default=4
        Power iterations.
    n_jobs : int or None

    Returns
    -------
    directions : ndarray of float32, shape (n_columns, n_wanted)
        The largest number of each column is positive.
    values : ndarray of float32, shape (n_wanted,)
    """
    rng = np.random.default_rng(random_state)
    size = n_wanted + _OVERSAMPLING
    with single_threaded_blas():
        if min(matrix.shape) <= size:
            dense = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
            found, values, _ = np.linalg.svd(dense.T, full_matrices=False)
        else:
            rows, columns = _both_ways(matrix)
            sample = rng.standard_normal((matrix.shape[1], size), dtype=np.float32)
            basis = orthonormal_columns(_product(rows, sample, n_jobs), n_jobs)
            for _ in range(n_iter):
                basis = orthonormal_columns(_product(columns, basis, n_jobs), n_jobs)
                basis = orthonormal_columns(_product(rows, basis, n_jobs), n_jobs)
            # M ≈ Q Qᵀ M: the left singular vectors of Mᵀ Q are the right ones of M.
            found, values = _left_singular_vectors(_product(columns, basis, n_jobs), n_jobs)
        directions, values = _exactly(n_wanted, found, values, rng)
    largest = directions[np.abs(directions).argmax(axis=0), np.arange(n_wanted)]
    signs = np.where(largest < 0, -1, 1).astype(np.float32)
    return np.ascontiguousarray(directions * signs, dtype=np.float32), values


def _left_singular_vectors(
    columns: FloatMatrix, n_jobs: int | None
) -> tuple[FloatMatrix, FloatVector]:
    """Return left singular vectors and values, largest first.

    By the Gram matrix, several times faster than by the matrix itself, unless its squares would
    lose the small values.
    """
    squares, rotation = np.linalg.eigh(inner_product(columns, columns, n_jobs=n_jobs))
    squares, rotation = squares[::-1], rotation[:, ::-1]
    if not squares[-1] > 1e-8 * squares[0]:
        found, values, _ = np.linalg.svd(columns, full_matrices=False)
        return found, values
    values = np.sqrt(squares)
    return tall_product(columns, (rotation / values).astype(np.float32), n_jobs=n_jobs), (
        values.astype(np.float32)
    )


def orthonormal_columns(columns: FloatMatrix, n_jobs: int | None) -> FloatMatrix:
    """Return an orthonormal basis of the span of the columns, without directions of no weight.

    It uses the Gram matrix, which is several times faster than Householder on tall matrices.
    """
    squares, rotation = np.linalg.eigh(inner_product(columns, columns, n_jobs=n_jobs))
    kept = squares > squares[-1] * 1e-10
    scaled = (rotation[:, kept] / np.sqrt(squares[kept])).astype(np.float32)
    return tall_product(columns, scaled, n_jobs=n_jobs)


def _both_ways(matrix: Any) -> tuple[Any, Any]:
    """Return the matrix and its transpose in forms that are quick to slice by rows."""
    if isinstance(matrix, np.ndarray):
        return matrix, matrix.T
    return matrix.tocsr(), matrix.T.tocsr()


def _product(rows: Any, factor: FloatMatrix, n_jobs: int | None) -> FloatMatrix:
    out = np.empty((rows.shape[0], factor.shape[1]), dtype=np.float32)

    def work(start: int, stop: int) -> None:
        out[start:stop] = rows[start:stop] @ factor

    map_ranges(work, len(out), size=_ROWS_PER_BLOCK, n_jobs=n_jobs)
    return out


def _exactly(
    n_wanted: int, found: FloatMatrix, values: FloatVector, rng: np.random.Generator
) -> tuple[FloatMatrix, FloatVector]:
    """Take the first directions; if the rank gives fewer, complete them to a basis."""
    n_missing = n_wanted - found.shape[1]
    if n_missing <= 0:
        return found[:, :n_wanted], values[:n_wanted]
    more = rng.standard_normal((len(found), n_missing)).astype(found.dtype)
    complete, _ = np.linalg.qr(np.hstack([found, more]))
    directions = np.hstack([found, complete[:, found.shape[1] :]])
    return directions, np.concatenate([values, np.zeros(n_missing, dtype=values.dtype)])
