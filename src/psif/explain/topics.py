"""What each topic is about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from psif.documents.averaging import WordTopics
from psif.explain.naming import may_name
from psif.runtime.norms import unit_rows
from psif.text.flat import FlatDocs
from psif.types import CountVector, DoubleVector, FloatMatrix

if TYPE_CHECKING:
    from psif.explain.topic_words import TopicWords

_NEAREST = 3
# Words in the name of a topic.
N_NAME_WORDS = 3


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
        How characteristic those words are; see :mod:`psif.explain.naming`.
    opposite_words : list of str
        The strongest words with a negative code, if codes are signed.
    nearest : list of int
        The topics with the most similar vectors, nearest first.
    examples : list of int
        Positions of the given documents in which this topic has the largest share.
    is_shared : bool
        Whether all words share this topic (``shared_topic``); such a topic has no words.
    """

    index: int
    share: float
    words: list[str]
    scores: list[float]
    opposite_words: list[str]
    nearest: list[int] = field(default_factory=list)
    examples: list[int] = field(default_factory=list)
    is_shared: bool = False

    @property
    def name(self) -> str:
        """What the topic is called: its most characteristic words; empty if it has none."""
        return topic_name(self.words)

    @property
    def label(self) -> str:
        """The name; the number of a topic without a name."""
        if self.is_shared:
            return "all words"
        return self.name or f"topic {self.index}"

    def __str__(self) -> str:
        words = " ".join(self.words) or ("(shared by all words)" if self.is_shared else "")
        return f"topic {self.index:>3}  {self.share:6.1%}  {words}"

    def _repr_html_(self) -> str:
        from psif.explain.html import render_topic

        return render_topic(self)


def topic_name(words: list[str]) -> str:
    """Return the name of a topic or a group with these words."""
    return " ".join(words[:N_NAME_WORDS])


def describe_topics(
    words: WordTopics,
    names: list[str],
    counts: CountVector,
    n_words: int,
    *,
    atoms: FloatMatrix,
    topic_words: TopicWords,
    shares_of_docs: FloatMatrix | None = None,
    n_examples: int = 3,
) -> list[Topic]:
    """Return characteristic words, corpus share, neighbours and examples of every topic.

    ``topic_words`` has the characteristic words; ``shares_of_docs`` the topic shares of documents
    to choose examples from.
    """
    nearest = nearest_topics(atoms)
    shares = topic_shares(words, counts)
    familiarity = familiarity_of(counts)
    topics = []
    for index, (column, share) in enumerate(zip(words.codes.T, shares, strict=True)):
        best, scores = topic_words.of(index, n_words)
        ranking = column * familiarity
        worst = np.argsort(ranking, kind="stable")[: 4 * n_words]
        opposite = [names[i] for i in worst if ranking[i] < 0 and may_name(names[i])]
        topics.append(
            Topic(
                index,
                float(share),
                [names[i] for i in best],
                scores,
                opposite[:n_words],
                nearest[index],
                _examples(shares_of_docs, index, n_examples),
                is_shared=index < words.n_shared,
            )
        )
    return topics


def topic_shares(words: WordTopics, counts: CountVector) -> DoubleVector:
    r"""Return the share of each topic: :math:`\sum_w n_w \lambda_w |\alpha_{w,j}|`, scaled."""
    occurrences = counts if counts.any() else np.ones_like(counts)
    mass = occurrences.astype(np.float64) * words.weights
    shares: DoubleVector = mass @ np.abs(words.codes).astype(np.float64)
    shares[: words.n_shared] = 0
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
    r"""Return topic shares of documents: :math:`\sum_w s_w |\alpha_{w,j}|`, rows sum to 1.

    A topic that all words share says nothing about a document; its share is 0.
    """
    mass = words.average_table(docs, words.codes, absolute=True, n_jobs=n_jobs)
    mass[:, : words.n_shared] = 0
    total = mass.sum(axis=1, keepdims=True)
    total[total == 0] = 1
    shares: FloatMatrix = mass / total
    return shares
