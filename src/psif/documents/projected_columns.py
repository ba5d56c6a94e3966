"""Compact vectors of models with word columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from psif.documents.averaging import WordTopics
from psif.documents.projection import (
    N_ITER,
    fold_words,
    leading_directions,
    leading_part,
    learn_projection,
    with_random_rest,
)
from psif.documents.word_columns import WordColumns
from psif.errors import InputError
from psif.text.flat import FlatDocs
from psif.types import DoubleVector, FloatMatrix

# q, the power by which the spectrum of the documents is flattened; 0 keeps it as it is.
_FLATTENING = 0.2


def project_with_columns(
    words: WordTopics,
    word_columns: WordColumns,
    docs: FlatDocs,
    components: FloatMatrix,
    n_dims: int,
    *,
    method: str,
    random_state: int,
    n_jobs: int | None = None,
) -> tuple[FloatMatrix, WordColumns]:
    """Project topics and word columns separately, and fold both into one row per word.

    Documents are averages of these rows; then the word part is scaled back to its share of the
    cosine. The directions of both parts compete for the ``n_dims`` dimensions by how much of the
    documents they explain.

    Returns
    -------
    table : ndarray of shape (n_words, n_dims)
        Topics first.
    word_columns : WordColumns
        With the number of columns that the topics take up in ``table``.
    """
    most = words.n_features + word_columns.n_columns
    if not 2 <= n_dims <= most:
        raise InputError(
            f"n_dims={n_dims} must lie between 2, one for the topics and one for the words, "
            f"and all {most} numbers."
        )
    if method == "pca":
        vectors = words.average(docs, components, n_jobs=n_jobs)
        topics, directions = _principal(
            words, word_columns, docs, vectors, n_dims, random_state, n_jobs
        )
    else:
        # Random directions do not compete: each part gets its share of the cosine.
        n_own = _own_dims(words, word_columns, n_dims)
        topics = learn_projection(
            words, docs, components, n_dims - n_own,
            method=method, random_state=random_state, n_jobs=n_jobs,
        )  # fmt: skip
        directions = _partly_random(words, word_columns, docs, n_own, random_state, n_jobs)
    rows = np.zeros((len(words.weights), directions.shape[1]), dtype=np.float32)
    rows[word_columns.words] = directions
    table = np.hstack([fold_words(words, components, topics, n_jobs=n_jobs), rows])
    return table, replace(word_columns, first=topics.shape[1])


def _partly_random(
    words: WordTopics,
    word_columns: WordColumns,
    docs: FlatDocs,
    n_own: int,
    random_state: int,
    n_jobs: int | None,
) -> FloatMatrix:
    shares = _unit_shares(words, word_columns, docs)
    n_leading = min(leading_part(n_own), *shares.shape)
    leading, _ = leading_directions(shares, n_leading, random_state=random_state, n_jobs=n_jobs)
    return with_random_rest(leading, n_own, random_state)


def _unit_shares(words: WordTopics, word_columns: WordColumns, docs: FlatDocs) -> Any:
    """Return the word parts of documents, scaled to length 1, as a CSR matrix."""
    shares = words.shares(docs)[:, word_columns.words].astype(np.float32)
    lengths = np.sqrt(np.asarray((shares * shares).sum(axis=1)).ravel())
    return shares.multiply(1 / np.where(lengths > 0, lengths, 1)[:, None]).tocsr()


def _principal(
    words: WordTopics,
    word_columns: WordColumns,
    docs: FlatDocs,
    vectors: FloatMatrix,
    n_dims: int,
    random_state: int,
    n_jobs: int | None,
) -> tuple[FloatMatrix, FloatMatrix]:
    """Return the directions of both parts that explain most of the documents."""
    shares = _unit_shares(words, word_columns, docs)

    def directions(matrix: Any, share: float) -> tuple[FloatMatrix, DoubleVector]:
        found, values = leading_directions(
            matrix,
            min(n_dims - 1, *matrix.shape),
            random_state=random_state,
            n_iter=N_ITER,
            n_jobs=n_jobs,
        )
        total = _sum_of_squares(matrix) or 1.0
        return found, share * values.astype(np.float64) ** 2 / total

    of_topics, energies = directions(vectors, 1 - word_columns.share)
    of_words, other_energies = directions(shares, word_columns.share)
    if len(energies) + len(other_energies) < n_dims:
        # Few documents span few dimensions: the others are random, as new documents need them.
        n_own = _own_dims(words, word_columns, n_dims)
        n_first = min(n_dims - n_own, of_topics.shape[1])
        return (
            with_random_rest(of_topics[:, :n_first], n_dims - n_own, random_state),
            with_random_rest(of_words[:, :n_own], n_own, random_state),
        )
    n_topics = _dims_of_first(energies, other_energies, n_dims)
    n_own = n_dims - n_topics
    return (
        flattened(of_topics[:, :n_topics], energies[:n_topics]),
        flattened(of_words[:, :n_own], other_energies[:n_own]),
    )


def _sum_of_squares(matrix: Any) -> float:
    """Sum over rows of their squared lengths: no copy of the matrix, and sums of few numbers."""
    if not isinstance(matrix, np.ndarray):
        return float(np.square(matrix.data, dtype=np.float64).sum())
    return float(np.einsum("ij,ij->i", matrix, matrix).sum(dtype=np.float64))


def flattened(directions: FloatMatrix, energies: DoubleVector) -> FloatMatrix:
    r"""Make directions longer the less of the documents they explain.

    .. math:: p_i \to p_i \, (\sigma_i / \sigma_1)^{-q}

    with :math:`\sigma_i^2` the energy of direction i. The few directions that explain most hold
    what many documents share; with them a little shorter, a linear classifier with a fixed penalty
    sees the others too, and neighbours stay as good. It is a linear map like the projection itself.
    """
    if not energies[0] > 0:  # documents without any word of this part
        return directions
    relative = np.sqrt(np.maximum(energies / energies[0], 1e-6))
    longer: FloatMatrix = directions * (relative**-_FLATTENING).astype(np.float32)
    return longer


def _own_dims(words: WordTopics, word_columns: WordColumns, n_dims: int) -> int:
    """Return how many dimensions the word columns get by their share of the cosine."""
    most = word_columns.n_columns
    n_own = int(np.clip(round(word_columns.share * n_dims), n_dims - words.n_features, most))
    return min(max(n_own, 1), n_dims - 1)


def _dims_of_first(first: DoubleVector, second: DoubleVector, n_dims: int) -> int:
    """Count how many of the ``n_dims`` largest numbers are in the first list, at least one."""
    order = np.argsort(-np.concatenate([first, second]), kind="stable")[:n_dims]
    n_first = int((order < len(first)).sum())
    return min(max(n_first, 1, n_dims - len(second)), n_dims - 1, len(first))
