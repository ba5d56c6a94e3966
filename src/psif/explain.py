r"""A similarity score split exactly over topics and word pairs.

With documents :math:`M_a, M_b` (K x d) before the common components u are removed,

.. math:: \langle x_a, x_b \rangle = \sum_j \langle M_a[j], M_b[j] \rangle
          - \sum_r \langle u_r, M_a \rangle \langle u_r, M_b \rangle, \qquad
          \langle M_a, M_b \rangle = \sum_{w \in a} \sum_{u \in b} s_w s_u
          \langle \alpha_w, \alpha_u \rangle \langle v_w, v_u \rangle

so the cosine is a sum of topic shares, or of word-pair shares, plus one removed term.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from psif.averaging import WordTopics
from psif.types import DoubleMatrix, DoubleVector, FloatMatrix, IdVector

# All pairs of words are weighed while there are at most this many; of longer documents only the
# words that contribute most, so that time stays linear in the words.
_MOST_PAIRS = 250_000
_WORDS_A_TOPIC = 5


@dataclass(frozen=True)
class TopicShare:
    """What one topic adds to a score."""

    topic: int
    share: float
    words: list[str]


@dataclass(frozen=True)
class PairShare:
    """What one word of each document adds to a score, together."""

    a: str
    b: str
    share: float


@dataclass(frozen=True)
class Explanation:
    """A cosine similarity and its parts.

    Attributes
    ----------
    score : float
        The cosine, as ``PSIF.similarity`` gives it.
    topics : list of TopicShare
        Every topic, strongest first. Their shares plus ``removed`` plus ``residual`` sum to
        ``score``.
    pairs : list of PairShare
        Word pairs, strongest first.
    other_pairs : float
        What the pairs not listed add; the shares of all pairs and of all topics have one sum.
    removed : float
        What removing the common components adds (it is often negative).
    residual : float
        What compact output (``n_dims``) changes; 0 without.
    words_a, words_b : dict of str to float
        What each word of a side adds over all words of the other.
    """

    score: float
    topics: list[TopicShare]
    pairs: list[PairShare]
    other_pairs: float
    removed: float
    residual: float
    words_a: dict[str, float] = field(repr=False)
    words_b: dict[str, float] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "score": self.score,
            "topics": [{"topic": t.topic, "share": t.share, "words": t.words} for t in self.topics],
            "removed": self.removed,
            "residual": self.residual,
            "pairs": [{"a": p.a, "b": p.b, "share": p.share} for p in self.pairs],
            "other_pairs": self.other_pairs,
            "words_a": self.words_a,
            "words_b": self.words_b,
        }

    def __str__(self) -> str:
        lines = [
            f"similarity {self.score:+.3f}",
            *(f"  topic {t.topic:>3} {t.share:+.3f}  {' '.join(t.words)}" for t in self.topics[:5]),
            f"  removed   {self.removed:+.3f}",
        ]
        if self.residual:
            lines.append(f"  residual  {self.residual:+.3f}")
        lines += [f"  {pair.a} ~ {pair.b} {pair.share:+.3f}" for pair in self.pairs[:8]]
        return "\n".join(lines)


@dataclass(frozen=True)
class _Side:
    """One document: its distinct words, their shares, and its K x d matrix in float64."""

    ids: IdVector
    shares: DoubleVector
    matrix: DoubleMatrix

    @classmethod
    def of(cls, words: WordTopics, ids: IdVector) -> _Side:
        distinct, counts = np.unique(ids, return_counts=True)
        factors = 1 + np.log(counts) if words.sublinear else counts.astype(np.float64)
        total = factors.sum() or 1.0
        shares = factors * words.weights[distinct].astype(np.float64) / total
        codes = words.codes[distinct].astype(np.float64)
        vectors = words.vectors[distinct].astype(np.float64)
        return cls(distinct.astype(np.int32), shares, (codes * shares[:, None]).T @ vectors)


def explain_pair(
    words: WordTopics,
    names: list[str],
    components: FloatMatrix,
    ids_a: IdVector,
    ids_b: IdVector,
    *,
    compact_score: float | None = None,
    n_pairs: int = 100,
) -> Explanation:
    """Split the cosine of two documents, given as word ids.

    ``compact_score`` is the cosine of their compact vectors, where the model makes such.
    """
    a, b = _Side.of(words, ids_a), _Side.of(words, ids_b)
    common = components.astype(np.float64)
    common_a, common_b = common @ a.matrix.ravel(), common @ b.matrix.ravel()
    scale = _length(a.matrix, common_a) * _length(b.matrix, common_b)
    unit = 1 / scale if scale > 0 else 0.0
    topic_shares = np.einsum("jc,jc->j", a.matrix, b.matrix) * unit
    removed = -float(common_a @ common_b) * unit
    cosine = float(topic_shares.sum()) + removed
    score = cosine if compact_score is None else compact_score
    by_word_a = _word_shares(words, a, b.matrix) * unit
    by_word_b = _word_shares(words, b, a.matrix) * unit
    pairs = _strongest_pairs(words, names, a, b, by_word_a, by_word_b, unit, n_pairs)
    return Explanation(
        score=score,
        topics=_topic_parts(words, names, topic_shares, a, b),
        pairs=pairs,
        other_pairs=float(topic_shares.sum()) - sum(pair.share for pair in pairs),
        removed=removed,
        residual=score - cosine,
        words_a={names[i]: float(s) for i, s in zip(a.ids, by_word_a, strict=True)},
        words_b={names[i]: float(s) for i, s in zip(b.ids, by_word_b, strict=True)},
    )


def _length(matrix: DoubleMatrix, common: DoubleVector) -> float:
    """Norm of a document once its common components are removed.

    Rounding leaves about 1e-12 of a document that lies wholly in them: that is zero.
    """
    before = float((matrix**2).sum())
    after = before - float(common @ common)
    return float(np.sqrt(after)) if after > 1e-12 * before else 0.0


def _word_shares(words: WordTopics, side: _Side, other: DoubleMatrix) -> DoubleVector:
    r"""Return :math:`s_w \alpha_w^T M v_w` for each word: linear in the words."""
    projected = words.codes[side.ids].astype(np.float64) @ other
    shares: DoubleVector = side.shares * np.einsum("wc,wc->w", projected, words.vectors[side.ids])
    return shares


def _strongest_pairs(
    words: WordTopics,
    names: list[str],
    a: _Side,
    b: _Side,
    by_word_a: DoubleVector,
    by_word_b: DoubleVector,
    unit: float,
    n_pairs: int,
) -> list[PairShare]:
    if not len(a.ids) or not len(b.ids) or not unit:
        return []
    width = int(np.sqrt(_MOST_PAIRS))
    everything = len(a.ids) * len(b.ids) <= _MOST_PAIRS
    keep_a = slice(None) if everything else np.argsort(-np.abs(by_word_a), kind="stable")[:width]
    keep_b = slice(None) if everything else np.argsort(-np.abs(by_word_b), kind="stable")[:width]
    ids_a, ids_b = a.ids[keep_a], b.ids[keep_b]
    alike = words.vectors[ids_a].astype(np.float64) @ words.vectors[ids_b].T
    alike *= words.codes[ids_a].astype(np.float64) @ words.codes[ids_b].T
    alike *= a.shares[keep_a][:, None] * b.shares[keep_b] * unit
    order = np.argsort(-np.abs(alike), axis=None, kind="stable")[:n_pairs]
    rows, columns = np.unravel_index(order, alike.shape)
    return [
        PairShare(names[ids_a[i]], names[ids_b[j]], float(alike[i, j]))
        for i, j in zip(rows, columns, strict=True)
    ]


def _topic_parts(
    words: WordTopics, names: list[str], shares: DoubleVector, a: _Side, b: _Side
) -> list[TopicShare]:
    """Every topic, strongest first, each with the words that make it up."""
    parts = []
    for topic in np.argsort(-np.abs(shares), kind="stable"):
        strength: dict[int, float] = {}
        for side, other in ((a, b), (b, a)):
            row = words.vectors[side.ids] @ other.matrix[topic]
            here = side.shares * words.codes[side.ids, topic] * row
            for word, value in zip(side.ids.tolist(), here.tolist(), strict=True):
                strength[word] = strength.get(word, 0.0) + value
        best = sorted(strength, key=lambda word: -abs(strength[word]))[:_WORDS_A_TOPIC]
        named = [names[word] for word in best if strength[word]]
        parts.append(TopicShare(int(topic), float(shares[topic]), named))
    return parts
