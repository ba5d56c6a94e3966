r"""Why a document is in its group: its score, split over words and topics.

The score is :math:`\langle x / \|x\|, w_g \rangle + b_g`, and x is a sum over words, so that each
word of the document has its exact share. Where vectors have a block per topic, so has each topic.
Compact vectors have no blocks: there the share of a word is divided over its topics by the squares
of its codes, which are the shares of the topics in the squared length of its word-topic vector.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from psif.explain.side import Side
from psif.types import DoubleMatrix, DoubleVector, FloatVector, IdVector

if TYPE_CHECKING:
    from psif.model.embedder import Embedder


@dataclass(frozen=True)
class GroupReasons:
    """The score of a group for one document, and its parts.

    ``bias`` plus the shares of all words plus ``residual`` (rounding) is the score; so is ``bias``
    plus the shares of all topics plus ``exact_words`` plus ``residual``.

    Attributes
    ----------
    group : int
    name : str
    score, bias, residual : float
    words : list of (str, float)
        Every word of the document with its share, the strongest first.
    topics : list of (int, float)
        Every topic with its share, the strongest first.
    exact_words : float
        What columns of single words add, for models that have them.
    second : int
        The group with the next best score, -1 if there is none.
    margin : float
        How much higher the score is than that of ``second``.
    """

    group: int
    name: str
    score: float
    bias: float
    residual: float
    words: list[tuple[str, float]] = field(default_factory=list)
    topics: list[tuple[int, float]] = field(default_factory=list)
    exact_words: float = 0.0
    second: int = -1
    margin: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
        return {
            "group": self.group,
            "name": self.name,
            "score": self.score,
            "bias": self.bias,
            "words": [{"word": word, "share": share} for word, share in self.words],
            "topics": [{"topic": topic, "share": share} for topic, share in self.topics],
            "exact_words": self.exact_words,
            "residual": self.residual,
            "second": self.second,
            "margin": self.margin,
        }

    def __str__(self) -> str:
        words = " ".join(f"{word} {share:+.3f}" for word, share in self.words[:10])
        return f"group {self.group} ({self.name}): {self.score:.3f} = bias {self.bias:+.3f} {words}"


def split_score(
    model: Embedder, ids: IdVector, vector: FloatVector, weights: FloatVector
) -> tuple[dict[str, float], DoubleVector, float]:
    """Split the inner product of a document's vector with a direction.

    Parameters
    ----------
    model : Embedder
    ids : ndarray of int32
        The words of the document.
    vector : ndarray of shape (n_features,)
        Its vector, scaled as in the score.
    weights : ndarray of shape (n_features,)

    Returns
    -------
    words : dict of str to float
    topics : ndarray of shape (n_topics,)
    exact_words : float
        The part of ``words`` that comes from columns of single words.
    """
    side = Side.of(model.words_, ids, model.word_columns_)
    direction, target = weights.astype(np.float64), vector.astype(np.float64)
    n_topics = model.words_.n_topics
    first = len(direction) if model.word_columns_ is None else model.word_columns_.first
    if model.table_ is not None:
        rows = model.table_[side.ids].astype(np.float64) * side.shares[:, None]
        by_topic = _scaled(rows[:, :first], target[:first]) @ direction[:first]
        by_column = _scaled(rows[:, first:], target[first:]) @ direction[first:]
        squares = side.codes**2
        lengths = squares.sum(axis=1, keepdims=True)
        grid = by_topic[:, None] * squares / np.where(lengths > 0, lengths, 1)
        # A word without any code has its share in no topic; it would be lost.
        grid += np.where(lengths > 0, 0, by_topic[:, None] / n_topics)
    else:
        # Removing components is a projection, which may act on the direction instead.
        common = model.components_.astype(np.float64)
        toward = direction[:first] - common.T @ (common @ direction[:first])
        flat = side.matrix.ravel()
        whole = flat - common.T @ (common @ flat)
        grid = side.against(toward.reshape(n_topics, -1)) * _factor(whole, target[:first])
        by_column = np.zeros(len(side.ids))
        if model.word_columns_ is not None:
            places = model.word_columns_.columns[side.ids]
            own = np.zeros(len(direction) - first)
            own[places[places >= 0]] = side.word_columns[places >= 0]
            values = side.word_columns * _factor(own, target[first:])
            by_column = np.where(places >= 0, values * direction[first:][places], 0.0)
    shares = grid.sum(axis=1) + by_column
    names = model.vocabulary_.words
    words = {names[word]: float(share) for word, share in zip(side.ids, shares, strict=True)}
    return words, grid.sum(axis=0), float(by_column.sum())


def _scaled(rows: DoubleMatrix, target: DoubleVector) -> DoubleMatrix:
    """Scale the parts of a sum so that the sum is as long as it is in the vector."""
    return rows * _factor(rows.sum(axis=0), target)


def _factor(whole: DoubleVector, target: DoubleVector) -> float:
    square = float(whole @ whole)
    return float(whole @ target) / square if square else 0.0
