"""The common components: leading singular vectors of all documents."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from psif.documents.averaging import WordTopics
from psif.errors import InputError
from psif.runtime.blas import ROWS_A_BLOCK, single_threaded_blas
from psif.runtime.threads import Workers, map_ranges
from psif.text.flat import FlatDocs
from psif.types import DoubleMatrix, DoubleVector, FloatMatrix


def common_components(
    words: WordTopics, docs: FlatDocs, n_removed: int, *, n_jobs: int | None = None
) -> FloatMatrix:
    r"""Return the first ``n_removed`` right singular vectors (uncentred) of the documents X.

    X, with one row per document, is never formed. It is :math:`X = S T` with S the word shares of
    the documents and T the word-topic vectors, one row :math:`\alpha_w \otimes v_w` per word.
    With a vector u read as a matrix U of shape K x d:

    .. math:: (T u)_w = \alpha_w^T U v_w, \qquad X^T X u = T^T \, (S^T S) \, T u, \qquad
              T^T h = \sum_w h_w \, \alpha_w v_w^T = A^T \mathrm{diag}(h) V

    So one product costs two passes over the vocabulary and one over the word ids, and its memory
    does not grow with the documents. The only step that sees documents, :math:`S^T S g`, is a sum
    over them.

    Parameters
    ----------
    words : WordTopics
    docs : FlatDocs
        Sorted.
    n_removed : int
        r >= 0.
    n_jobs : int or None

    Returns
    -------
    components : ndarray of shape (n_removed, n_topics * dim)
        Orthonormal rows.
    """
    with Workers(n_jobs) as workers:
        return leading_components(
            words,
            lambda values: words.moment(docs, values, workers),
            n_removed,
            n_nonempty=int((docs.lengths > 0).sum()),
            n_jobs=n_jobs,
        )


def leading_components(
    words: WordTopics,
    moment: Callable[[DoubleVector], DoubleVector],
    n_removed: int,
    *,
    n_nonempty: int,
    n_jobs: int | None = None,
) -> FloatMatrix:
    """Return :func:`common_components` of documents that are known only by their moment.

    Parameters
    ----------
    words : WordTopics
    moment : callable
        Maps g to :math:`S^T S g`, a sum over all documents.
    n_removed : int
    n_nonempty : int
        Documents with known words.
    n_jobs : int or None
    """
    n_features = words.n_features
    if n_removed < 0:
        raise InputError(f"n_removed must be 0 or more; got {n_removed}.")
    if n_removed == 0:
        return np.zeros((0, n_features), dtype=np.float32)
    limit = min(n_nonempty, n_features)
    if n_removed >= limit:
        raise InputError(
            f"removing {n_removed} common components from {n_nonempty} documents with known words "
            f"in {n_features} dimensions would leave nothing of them. "
            f"Try n_removed={max(0, limit - 1)} or more documents."
        )

    def product(u: DoubleVector) -> DoubleVector:
        values = word_projections(words, u.reshape(words.n_topics, words.dim), n_jobs=n_jobs)
        return word_combination(words, moment(values), n_jobs=n_jobs).ravel()

    with single_threaded_blas():
        return _leading_eigenvectors(product, n_features, n_removed).astype(np.float32)


def word_projections(
    words: WordTopics, u: np.ndarray, *, n_jobs: int | None = None
) -> DoubleVector:
    r"""Return :math:`T u`, that is :math:`\alpha_w^T U v_w` for every word."""
    small = u.astype(np.float32)
    result = np.empty(len(words.codes))

    def work(start: int, stop: int) -> None:
        projected = words.codes[start:stop] @ small
        result[start:stop] = np.einsum("wc,wc->w", projected, words.vectors[start:stop])

    map_ranges(work, len(result), size=ROWS_A_BLOCK, n_jobs=n_jobs)
    return result


def word_combination(
    words: WordTopics, h: DoubleVector, *, n_jobs: int | None = None
) -> np.ndarray:
    r"""Return :math:`T^T h = A^T \mathrm{diag}(h) V`, shape (n_topics, dim)."""

    def work(start: int, stop: int) -> FloatMatrix:
        scaled = words.codes[start:stop] * h[start:stop, None].astype(np.float32)
        product: FloatMatrix = scaled.T @ words.vectors[start:stop]
        return product

    total = np.zeros((words.n_topics, words.dim))
    for part in map_ranges(work, len(h), size=ROWS_A_BLOCK, n_jobs=n_jobs):
        total += part
    return total


def _leading_eigenvectors(
    product: Callable[[DoubleVector], DoubleVector], n: int, n_wanted: int
) -> DoubleMatrix:
    """Return the leading eigenvectors of a symmetric operator, as rows with a fixed sign."""
    if n <= 64 or n_wanted >= n - 1:
        # Too small for Lanczos iterations: form the matrix.
        matrix = np.stack([product(column) for column in np.eye(n)])
        directions = np.linalg.eigh((matrix + matrix.T) / 2)[1][:, ::-1][:, :n_wanted]
    else:
        from scipy.sparse.linalg import LinearOperator, eigsh

        # A generic start that is the same every time; float32 products are accurate to 1e-6.
        start = np.random.default_rng(0).standard_normal(n)
        operator = LinearOperator((n, n), matvec=product, dtype=np.float64)
        values, directions = eigsh(
            operator, n_wanted, v0=start, ncv=min(n, 2 * n_wanted + 8), tol=1e-6
        )
        directions = directions[:, np.argsort(-values)]
    directions = np.linalg.qr(directions)[0]
    largest = np.abs(directions).argmax(axis=0)
    signs = np.sign(directions[largest, np.arange(n_wanted)])
    rows: DoubleMatrix = (directions * signs).T
    return rows
