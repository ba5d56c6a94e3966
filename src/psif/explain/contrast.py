r"""What tells two sets of documents apart, split exactly over words and topics.

The vector of a document has unit length and is a sum over its words, so the mean of a set is one
too: with :math:`c_A(w)` the mean share of word w in the documents of A,

.. math:: m_A - m_B = \sum_w \delta_w r_w, \quad \delta_w = c_A(w) - c_B(w), \qquad
          \|m_A - m_B\|^2 = \sum_w \delta_w \langle r_w, m_A - m_B \rangle

so the squared distance of two sets is a sum over words, with nothing left over. A word belongs to
the set in which it has the larger share, and divides among its topics as in
:mod:`psif.explain.side`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from psif.documents.averaging import WordTopics
from psif.documents.word_columns import WordColumns
from psif.text.flat import FlatDocs
from psif.types import DoubleVector, FloatMatrix

_DOCS = 1_024


@dataclass(frozen=True)
class TopicContrast:
    """What a topic adds to a distance: through words of the first set, and of the second."""

    topic: int
    name: str
    first: float
    second: float


@dataclass(frozen=True)
class Contrast:
    """The squared distance between the mean vectors of two sets of documents, and its parts.

    Attributes
    ----------
    distance : float
        From 0 (the same mean) to 4.
    first, second : list of (str, float)
        Words that speak for each set, strongest first, with what they add.
    other_words : float
        What the words that are not listed add; all words together sum to ``distance``.
    topics : list of TopicContrast
        Every topic, strongest first; both numbers of all topics sum to ``distance``.
    """

    distance: float
    first: list[tuple[str, float]]
    second: list[tuple[str, float]]
    other_words: float
    topics: list[TopicContrast]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
        return {
            "distance": self.distance,
            "first": [{"word": word, "share": share} for word, share in self.first],
            "second": [{"word": word, "share": share} for word, share in self.second],
            "other_words": self.other_words,
            "topics": [
                {"topic": t.topic, "name": t.name, "first": t.first, "second": t.second}
                for t in self.topics
            ],
        }


@dataclass(frozen=True)
class Space:
    """What turns words into document vectors: the learned parts of a model."""

    words: WordTopics
    components: FloatMatrix
    table: FloatMatrix | None
    word_columns: WordColumns | None

    def norms(self, docs: FlatDocs) -> tuple[DoubleVector, DoubleVector]:
        """Return the lengths of the topic part and of the unscaled word part of documents."""
        rows = (
            self.words.average(docs, self.components)
            if self.table is None
            else self.words.average_table(docs, self.table)
        ).astype(np.float64)
        if self.word_columns is None:
            return np.linalg.norm(rows, axis=1), np.zeros(len(rows))
        if self.table is None:
            shares = self.words.shares(docs).multiply(self.word_columns.columns >= 0)
            own = np.sqrt(np.asarray(shares.multiply(shares).sum(axis=1)).ravel())
            return np.linalg.norm(rows, axis=1), own
        first = self.word_columns.first
        return np.linalg.norm(rows[:, :first], axis=1), np.linalg.norm(rows[:, first:], axis=1)

    def mean_shares(self, docs: FlatDocs) -> tuple[DoubleVector, DoubleVector]:
        """Return c(w) of a set of documents, for the topic part and for the word part."""
        n_words = len(self.words.weights)
        topics, own = np.zeros(n_words), np.zeros(n_words)
        ratio = self.word_columns.ratio if self.word_columns else 0.0
        for start in range(0, len(docs), _DOCS):
            part = docs.part(start, min(len(docs), start + _DOCS))
            in_topics, in_words = self.norms(part)
            has_words = in_words > 0
            length = in_topics * np.where(has_words, np.hypot(1.0, ratio), 1.0)
            with np.errstate(divide="ignore", invalid="ignore"):
                scale = np.where(length > 0, 1 / length, 0.0)
                of_words = np.where(has_words, scale * ratio * in_topics / in_words, 0.0)
            shares = self.words.shares(part)
            topics += shares.T @ scale
            own += shares.T @ np.nan_to_num(of_words)
        return topics / max(1, len(docs)), own / max(1, len(docs))

    def gains(self, topics: DoubleVector, own: DoubleVector) -> DoubleVector:
        """Return what each word adds to the squared length of the sum of all, with given shares."""
        if self.table is not None:
            table = self.table.astype(np.float64)
            first = self.word_columns.first if self.word_columns else table.shape[1]
            result: DoubleVector = topics * (table[:, :first] @ (topics @ table[:, :first]))
            result += own * (table[:, first:] @ (own @ table[:, first:]))
            return result
        codes, vectors = (m.astype(np.float64) for m in (self.words.codes, self.words.vectors))
        matrix = (codes * topics[:, None]).T @ vectors
        common = self.components.astype(np.float64)
        matrix -= ((common @ matrix.ravel()) @ common).reshape(matrix.shape)
        gained: DoubleVector = topics * ((codes @ matrix) * vectors).sum(axis=1)
        if self.word_columns is not None:
            gained += np.where(self.word_columns.columns >= 0, own**2, 0.0)
        return gained


def contrast(
    space: Space,
    names: Sequence[str],
    topic_names: Sequence[str],
    docs_a: FlatDocs,
    docs_b: FlatDocs,
    n_words: int = 20,
) -> Contrast:
    """Say what tells two sets of documents apart.

    ``n_words`` is the number of words to list for each set.
    """
    (topics_a, own_a), (topics_b, own_b) = space.mean_shares(docs_a), space.mean_shares(docs_b)
    gained = space.gains(topics_a - topics_b, own_a - own_b)
    # The larger part decides where a word belongs; both parts nearly always agree.
    larger = (topics_a - topics_b) + (own_a - own_b) >= 0
    distance = float(gained.sum())
    in_first, in_second = (
        _strongest(np.where(side, gained, 0.0), names, n_words) for side in (larger, ~larger)
    )
    weights = space.words.topic_weights()
    first, second = weights.T @ (gained * larger), weights.T @ (gained * ~larger)
    order = np.argsort(-np.abs(first + second), kind="stable")
    return Contrast(
        distance,
        in_first,
        in_second,
        other_words=distance - sum(share for _, share in in_first + in_second),
        topics=[
            TopicContrast(
                int(j),
                topic_names[j] if j < len(topic_names) else "",
                float(first[j]),
                float(second[j]),
            )
            for j in order
            if j >= space.words.n_shared
        ],
    )


def _strongest(gained: DoubleVector, names: Sequence[str], number: int) -> list[tuple[str, float]]:
    order = np.argsort(-gained, kind="stable")[:number]
    return [(names[i], float(gained[i])) for i in order.tolist() if gained[i] > 0]
