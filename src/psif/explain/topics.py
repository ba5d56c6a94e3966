"""What each topic is about."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from psif.documents.averaging import WordTopics
from psif.runtime.norms import unit_rows
from psif.text.flat import FlatDocs
from psif.types import CountVector, DoubleVector, FloatMatrix

_NEAREST = 3


@dataclass(frozen=True)
class Topic:
    """One topic: a partition of the word-vector space.

    Attributes
    ----------
    index : int
    share : float
        Share of the corpus: the part of the weighted codes of all words in this topic.
    words : list of str
        The most characteristic words, strongest first.
    scores : list of float
        Codes of those words.
    opposite_words : list of str
        The strongest words with a negative code, if codes are signed.
    nearest : list of int
        The topics with the most similar vectors, nearest first.
    examples : list of int
        Positions of the given documents in which this topic has the largest share.
    """

    index: int
    share: float
    words: list[str]
    scores: list[float]
    opposite_words: list[str]
    nearest: list[int] = field(default_factory=list)
    examples: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        return f"topic {self.index:>3}  {self.share:6.1%}  {' '.join(self.words)}"


def describe_topics(
    words: WordTopics,
    names: list[str],
    counts: CountVector,
    n_words: int,
    *,
    atoms: FloatMatrix,
    shares_of_docs: FloatMatrix | None = None,
    n_examples: int = 3,
) -> list[Topic]:
    """Return characteristic words, corpus share, neighbours and examples of every topic.

    A word is characteristic if its code is large and the word is not rare. Words of the corpus are
    ranked by code times ln(1 + count); all words if the counts are zero. ``shares_of_docs`` has the
    topic shares of documents to choose examples from.
    """
    nearest = nearest_topics(atoms)
    shares = topic_shares(words, counts)
    familiarity = familiarity_of(counts)
    topics = []
    for index, (column, share) in enumerate(zip(words.codes.T, shares, strict=True)):
        ranking = column * familiarity
        best = [i for i in np.argsort(-ranking, kind="stable")[:n_words] if ranking[i] > 0]
        worst = [i for i in np.argsort(ranking, kind="stable")[:n_words] if ranking[i] < 0]
        topics.append(
            Topic(
                index,
                float(share),
                [names[i] for i in best],
                [float(column[i]) for i in best],
                [names[i] for i in worst],
                nearest[index],
                _examples(shares_of_docs, index, n_examples),
            )
        )
    return topics


def topic_shares(words: WordTopics, counts: CountVector) -> DoubleVector:
    r"""Return the share of each topic: :math:`\sum_w n_w \lambda_w |\alpha_{w,j}|`, scaled."""
    occurrences = counts if counts.any() else np.ones_like(counts)
    mass = occurrences.astype(np.float64) * words.weights
    shares: DoubleVector = mass @ np.abs(words.codes).astype(np.float64)
    return shares / (float(shares.sum()) or 1.0)


def familiarity_of(counts: CountVector) -> DoubleVector:
    """Return ln(1 + count) of each word, or 1 for all words if no counts are known."""
    return np.log1p(counts) if counts.any() else np.ones(len(counts))


def nearest_topics(atoms: FloatMatrix, number: int = _NEAREST) -> list[list[int]]:
    """Return the other topics by decreasing cosine with each topic."""
    unit = unit_rows(atoms)
    alike = unit @ unit.T
    np.fill_diagonal(alike, -np.inf)
    order = np.argsort(-alike, axis=1, kind="stable")[:, : min(number, len(atoms) - 1)]
    nearest: list[list[int]] = order.tolist()
    return nearest


def _examples(shares: FloatMatrix | None, topic: int, number: int) -> list[int]:
    if shares is None:
        return []
    order = np.argsort(-shares[:, topic], kind="stable")[:number]
    return [i for i in order.tolist() if shares[i, topic] > 0]


def document_shares(words: WordTopics, docs: FlatDocs, n_jobs: int | None = None) -> FloatMatrix:
    r"""Return topic shares of documents: :math:`\sum_w s_w |\alpha_{w,j}|`, rows sum to 1."""
    mass = words.average_table(docs, words.codes, absolute=True, n_jobs=n_jobs)
    total = mass.sum(axis=1, keepdims=True)
    total[total == 0] = 1
    shares: FloatMatrix = mass / total
    return shares
