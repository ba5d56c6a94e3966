r"""A similarity score split exactly over topics and word pairs.

With documents :math:`M_a, M_b` (K x d) before the common components u are removed,

.. math:: \langle x_a, x_b \rangle = \sum_j \langle M_a[j], M_b[j] \rangle
          - \sum_r \langle u_r, M_a \rangle \langle u_r, M_b \rangle, \qquad
          \langle M_a, M_b \rangle = \sum_{w \in a} \sum_{u \in b} s_w s_u
          \langle \alpha_w, \alpha_u \rangle \langle v_w, v_u \rangle

so the cosine is a sum of topic shares, or of word-pair shares, plus one removed term. Word columns
(:mod:`psif.documents.word_columns`) add one term per word that both documents share.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.documents.averaging import WordTopics
from psif.documents.word_columns import WordColumns
from psif.explain.explanation import Explanation, TopicShare
from psif.explain.pairs import strongest_pairs
from psif.explain.side import Side
from psif.types import DoubleMatrix, DoubleVector, FloatMatrix, IdVector

_WORDS_A_TOPIC = 5


def explain_pair(
    words: WordTopics,
    names: list[str],
    components: FloatMatrix,
    ids_a: IdVector,
    ids_b: IdVector,
    *,
    word_columns: WordColumns | None = None,
    compact_score: float | None = None,
    n_pairs: int = 100,
    **texts: Any,
) -> Explanation:
    """Split the cosine of two documents, given as word ids.

    ``compact_score`` is the cosine of their compact vectors, if the model makes compact vectors;
    ``texts`` are ``text_a``, ``text_b`` and ``tokenizer``, for showing the result.
    """
    a, b = Side.of(words, ids_a, word_columns), Side.of(words, ids_b, word_columns)
    common = components.astype(np.float64)
    common_a, common_b = common @ a.matrix.ravel(), common @ b.matrix.ravel()
    length_a, length_b = _length(a.matrix, common_a), _length(b.matrix, common_b)
    if word_columns is not None:
        a, b = (
            a.with_own_length(word_columns.ratio * length_a),
            b.with_own_length(word_columns.ratio * length_b),
        )
    scale = np.hypot(length_a, np.linalg.norm(a.word_columns)) * np.hypot(
        length_b, np.linalg.norm(b.word_columns)
    )
    unit = 1 / scale if scale > 0 else 0.0
    same_a, same_b = _same_words(a, b, unit)
    topic_shares = np.einsum("jc,jc->j", a.matrix, b.matrix) * unit
    removed = -float(common_a @ common_b) * unit
    same = float(same_a.sum())
    cosine = float(topic_shares.sum()) + same + removed
    score = cosine if compact_score is None else compact_score
    grid_a, grid_b = a.against(b.matrix) * unit, b.against(a.matrix) * unit
    pairs = strongest_pairs(names, a, b, unit, n_pairs)
    return Explanation(
        score=score,
        topics=_topic_parts(names, topic_shares, (a, grid_a), (b, grid_b)),
        pairs=pairs,
        other_pairs=float(topic_shares.sum()) + same - sum(pair.share for pair in pairs),
        same_words=same,
        removed=removed,
        residual=score - cosine,
        words_a=_named(names, a, grid_a.sum(axis=1) + same_a),
        words_b=_named(names, b, grid_b.sum(axis=1) + same_b),
        word_topics_a=_named(names, a, np.abs(grid_a).argmax(axis=1)),
        word_topics_b=_named(names, b, np.abs(grid_b).argmax(axis=1)),
        **texts,
    )


def _same_words(a: Side, b: Side, unit: float) -> tuple[DoubleVector, DoubleVector]:
    """Return what each word of either side adds through the column that both sides share."""
    same_a, same_b = np.zeros(len(a.ids)), np.zeros(len(b.ids))
    _, in_a, in_b = np.intersect1d(a.ids, b.ids, assume_unique=True, return_indices=True)
    same_a[in_a] = same_b[in_b] = a.word_columns[in_a] * b.word_columns[in_b] * unit
    return same_a, same_b


def _length(matrix: DoubleMatrix, common: DoubleVector) -> float:
    """Return the norm of a document after its common components are removed.

    A document that lies entirely in them keeps about 1e-12 by rounding; that counts as zero.
    """
    before = float((matrix**2).sum())
    after = before - float(common @ common)
    return float(np.sqrt(after)) if after > 1e-12 * before else 0.0


def _named(names: list[str], side: Side, values: np.ndarray) -> dict[str, Any]:
    return {names[i]: value for i, value in zip(side.ids.tolist(), values.tolist(), strict=True)}


def _topic_parts(
    names: list[str],
    shares: DoubleVector,
    *sides: tuple[Side, DoubleMatrix],
) -> list[TopicShare]:
    """Return every topic, strongest first, with its strongest words."""
    every = np.unique(np.concatenate([side.ids for side, _ in sides]))
    strength = np.zeros((len(every), len(shares)))
    for side, grid in sides:
        strength[np.searchsorted(every, side.ids)] += grid
    parts = []
    for topic in np.argsort(-np.abs(shares), kind="stable").tolist():
        column = np.abs(strength[:, topic])
        best = np.argsort(-column, kind="stable")[:_WORDS_A_TOPIC]
        named = [names[every[i]] for i in best if column[i]]
        parts.append(TopicShare(topic, float(shares[topic]), named))
    return parts
