"""Compact document vectors: projections, and words folded through them."""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.documents.averaging import WordTopics
from psif.errors import InputError
from psif.runtime.blas import single_threaded_blas
from psif.runtime.threads import map_ranges
from psif.text.flat import FlatDocs
from psif.types import CountVector, FloatMatrix, FloatVector

METHODS = ("pca", "pca+random")
# A projection is learned from as many documents as have this many numbers together.
_SAMPLE_NUMBERS = 2**25
_WORDS_A_PIECE = 1_024
# The part of the dimensions that principal directions get in "pca+random".
_LEADING = 0.75
# Power iterations: the directions need not be exact, and one is almost as good as many.
N_ITER = 1


def learn_projection(
    words: WordTopics,
    docs: FlatDocs,
    components: FloatMatrix,
    n_dims: int,
    *,
    method: str = "pca",
    random_state: int = 0,
    n_jobs: int | None = None,
) -> FloatMatrix:
    r"""Find a matrix P of shape (n_topics * dim, n_dims); compact vectors are x P.

    - "pca": the leading right singular vectors of (a sample of) the documents, uncentred so that
      an empty document stays the zero vector.
    - "pca+random": three quarters of the dimensions so, the rest by a random projection of what
      they miss; see :func:`with_random_rest`.
    """
    if method not in METHODS:
        raise InputError(f"method must be one of {', '.join(METHODS)}; got {method!r}.")
    n_features = words.n_features
    if not 1 <= n_dims <= n_features:
        raise InputError(f"n_dims={n_dims} must lie between 1 and n_topics * dim = {n_features}.")
    n_leading = n_dims if method == "pca" else leading_part(n_dims)
    chosen = np.flatnonzero(docs.lengths > 0)
    sample = sample_documents(docs, chosen, sample_size(n_features, n_dims), random_state)
    # Few documents span few dimensions: the others are random, as new documents need them.
    n_leading = min(n_leading, len(sample))
    vectors = words.average(sample, components, n_jobs=n_jobs)
    leading, _ = leading_directions(
        vectors, n_leading, random_state=random_state, n_iter=N_ITER, n_jobs=n_jobs
    )
    return with_random_rest(leading, n_dims, random_state)


def leading_part(n_dims: int) -> int:
    """Return the number of principal directions in "pca+random"."""
    return max(1, int(_LEADING * n_dims))


def random_directions(n_features: int, n_dims: int, random_state: int) -> FloatMatrix:
    """Draw independent normal numbers of variance 1 / n_dims.

    They keep inner products in expectation (Johnson, Lindenstrauss).
    """
    rng = np.random.default_rng(random_state)
    normal = rng.standard_normal((n_features, n_dims), dtype=np.float32)
    return normal / np.float32(np.sqrt(n_dims))


def with_random_rest(leading: FloatMatrix, n_dims: int, random_state: int) -> FloatMatrix:
    r"""Fill orthonormal columns L up to ``n_dims`` with a random projection of what they miss.

    .. math:: P = [L, (I - L L^T) R], \qquad
              E \langle P^T x, P^T y \rangle = \langle x, y \rangle

    Principal directions alone lose what is rare (a name, a number) and fit only the texts they
    were learned from; a random projection alone is noisy. Together they keep inner products right
    on average, and only the small rest is noisy.
    """
    n_rest = n_dims - leading.shape[1]
    if not n_rest:
        return leading
    rest = random_directions(len(leading), n_rest, random_state)
    with single_threaded_blas():
        return np.hstack([leading, rest - leading @ (leading.T @ rest)])


def leading_directions(
    vectors: Any, n_dims: int, *, random_state: int, n_iter: int = 4, n_jobs: int | None = None
) -> tuple[FloatMatrix, FloatVector]:
    """Return leading right singular vectors of a matrix, as columns, and singular values."""
    from psif.runtime.subspace_iteration import leading_right_singular_vectors

    return leading_right_singular_vectors(
        vectors, n_dims, random_state=random_state, n_iter=n_iter, n_jobs=n_jobs
    )


def fold_words(
    words: WordTopics,
    components: FloatMatrix,
    projection: FloatMatrix,
    *,
    n_jobs: int | None = None,
) -> FloatMatrix:
    r"""Give each word a row such that compact documents are weighted averages of rows.

    .. math:: z_w = P^T (I - U U^T) (\alpha_w \otimes v_w), \qquad
              P^T x_d = \sum_w s_w z_w

    Averaging, removal and projection are linear, so all of them fold into the words: embedding
    then takes n_dims operations per word instead of K·d, and stays exact.
    """
    table = np.empty((len(words.codes), projection.shape[1]), dtype=np.float32)

    def work(start: int, stop: int) -> None:
        # Topic by topic, and only the words that use it: codes are sparse.
        codes, vectors = words.codes[start:stop], words.vectors[start:stop]
        rows = np.zeros((len(codes), projection.shape[1]), dtype=np.float32)
        for topic, block in enumerate(small.reshape(words.n_topics, words.dim, -1)):
            used = np.flatnonzero(codes[:, topic])
            rows[used] += (vectors[used] * codes[used, topic, None]) @ block
        table[start:stop] = rows

    with single_threaded_blas():
        small = projection - components.T @ (components @ projection)
        map_ranges(work, len(table), size=_WORDS_A_PIECE, n_jobs=n_jobs)
    return table


def sample_size(n_features: int, n_dims: int) -> int:
    """Return the number of documents to learn a projection from, for any size of corpus."""
    return max(2 * n_dims, _SAMPLE_NUMBERS // n_features)


def sample_ranks(n_candidates: int, size: int, random_state: int) -> CountVector:
    """Draw a random sample of ``range(n_candidates)``, in increasing order."""
    if n_candidates <= size:
        return np.arange(n_candidates)
    rng = np.random.default_rng(random_state)
    return np.sort(rng.choice(n_candidates, size, replace=False))


def sample_documents(
    docs: FlatDocs, candidates: CountVector, size: int, random_state: int
) -> FlatDocs:
    """Draw at most ``size`` of the candidates at random; they keep the order of the corpus."""
    chosen = candidates[sample_ranks(len(candidates), size, random_state)]
    if len(chosen) == len(docs):
        return docs
    return FlatDocs.concatenate([docs.part(int(i), int(i) + 1) for i in chosen])
