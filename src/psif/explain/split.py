r"""A similarity score split exactly over topics and word pairs.

With documents :math:`M_a, M_b` (K x d) before the common components u are removed,

.. math:: \langle x_a, x_b \rangle = \sum_j \langle M_a[j], M_b[j] \rangle
          - \sum_r \langle u_r, M_a \rangle \langle u_r, M_b \rangle, \qquad
          \langle M_a, M_b \rangle = \sum_{w \in a} \sum_{u \in b} s_w s_u
          \langle \alpha_w, \alpha_u \rangle \langle v_w, v_u \rangle

so the cosine is a sum of topic shares, or of word-pair shares, plus one removed term. The u are
orthonormal only to single precision, and the cosine divides by the lengths of what removal leaves.
So the removed term is computed as the difference of both products, not from the formula: it is the
same number, but its error stays one of double precision where removal leaves little. Word columns
(:mod:`psif.documents.word_columns`) add one term per word that both documents share; it belongs to
the topics of that word.

Compact vectors z are sums of rows, one per word, with the common components removed from the rows
already. Each side is a sum over topics (:mod:`psif.explain.side`), so nothing is left over:

.. math:: \langle z_a, z_b \rangle = \sum_j \tfrac12 \big( \langle z_{a,j}, z_b \rangle
          + \langle z_a, z_{b,j} \rangle \big)
          = \sum_{w \in a} \sum_{u \in b} \langle r_w, r_u \rangle
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from psif.documents.averaging import WordTopics
from psif.documents.word_columns import WordColumns
from psif.explain.explanation import Explanation, TopicShare
from psif.explain.pairs import strongest_pairs
from psif.explain.side import CompactSide, Side
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
    table: FloatMatrix | None = None,
    topic_names: Sequence[str] = (),
    n_pairs: int = 100,
    **texts: Any,
) -> Explanation:
    """Split the cosine of two documents, given as word ids.

    ``table`` has the compact vector of each word, if the model makes compact vectors;
    ``topic_names`` says what each topic is called; ``texts`` are ``text_a``, ``text_b`` and
    ``tokenizer``, for showing the result.
    """
    if table is not None:
        a, b = (CompactSide.of(words, table, ids, word_columns) for ids in (ids_a, ids_b))
        unit = _inverse(float(np.linalg.norm(a.vector)) * float(np.linalg.norm(b.vector)))
        first = len(a.vector) if word_columns is None else word_columns.first
        return _explanation(
            names,
            topic_names,
            (a, a.against(b.vector) * unit),
            (b, b.against(a.vector) * unit),
            unit,
            n_pairs,
            shared_words=float(a.vector[first:] @ b.vector[first:]) * unit,
            **texts,
        )
    return _explain_full(
        words, names, components, ids_a, ids_b, word_columns, topic_names, n_pairs, **texts
    )


def _explain_full(
    words: WordTopics,
    names: list[str],
    components: FloatMatrix,
    ids_a: IdVector,
    ids_b: IdVector,
    word_columns: WordColumns | None,
    topic_names: Sequence[str],
    n_pairs: int,
    **texts: Any,
) -> Explanation:
    a, b = Side.of(words, ids_a, word_columns), Side.of(words, ids_b, word_columns)
    common = components.astype(np.float64)
    left_a, left_b = _without(a.matrix, common), _without(b.matrix, common)
    length_a, length_b = float(np.linalg.norm(left_a)), float(np.linalg.norm(left_b))
    if word_columns is not None:
        a, b = (
            a.with_own_length(word_columns.ratio * length_a),
            b.with_own_length(word_columns.ratio * length_b),
        )
    unit = _inverse(
        float(np.hypot(length_a, np.linalg.norm(a.word_columns)))
        * float(np.hypot(length_b, np.linalg.norm(b.word_columns)))
    )
    same_a, same_b = _same_words(a, b, unit)
    return _explanation(
        names,
        topic_names,
        (a, a.against(b.matrix) * unit + a.topic_weights * same_a[:, None]),
        (b, b.against(a.matrix) * unit + b.topic_weights * same_b[:, None]),
        unit,
        n_pairs,
        shared_words=float(same_a.sum()),
        removed=float(left_a @ left_b - a.matrix.ravel() @ b.matrix.ravel()) * unit,
        **texts,
    )


def _explanation(
    names: list[str],
    topic_names: Sequence[str],
    of_a: tuple[Side | CompactSide, DoubleMatrix],
    of_b: tuple[Side | CompactSide, DoubleMatrix],
    unit: float,
    n_pairs: int,
    *,
    shared_words: float,
    removed: float = 0.0,
    **texts: Any,
) -> Explanation:
    """Put the parts together, from what each word of either side adds through each topic."""
    (a, grid_a), (b, grid_b) = of_a, of_b
    shares = (grid_a.sum(axis=0) + grid_b.sum(axis=0)) / 2
    total = float(shares.sum())
    pairs = strongest_pairs(names, a, b, unit, n_pairs)
    return Explanation(
        score=total + removed,
        topics=topic_parts(names, topic_names, shares, of_a, of_b),
        pairs=pairs,
        other_pairs=total - sum(pair.share for pair in pairs),
        shared_words=shared_words,
        removed=removed,
        words_a=named(names, a.ids, grid_a.sum(axis=1)),
        words_b=named(names, b.ids, grid_b.sum(axis=1)),
        word_topics_a=named(names, a.ids, np.abs(grid_a).argmax(axis=1)),
        word_topics_b=named(names, b.ids, np.abs(grid_b).argmax(axis=1)),
        **texts,
    )


def _same_words(a: Side, b: Side, unit: float) -> tuple[DoubleVector, DoubleVector]:
    """Return what each word of either side adds through the column that both sides share."""
    same_a, same_b = np.zeros(len(a.ids)), np.zeros(len(b.ids))
    _, in_a, in_b = np.intersect1d(a.ids, b.ids, assume_unique=True, return_indices=True)
    same_a[in_a] = same_b[in_b] = a.word_columns[in_a] * b.word_columns[in_b] * unit
    return same_a, same_b


def _without(matrix: DoubleMatrix, common: DoubleMatrix) -> DoubleVector:
    """Return a document without its common components, removed one by one as for its vector.

    A document that lies entirely in them keeps their rounding, of single precision; that is zero.
    """
    left: DoubleVector = matrix.ravel().copy()
    for component in common:
        left -= (component @ left) * component
    before = float(np.linalg.norm(matrix))
    return left if float(np.linalg.norm(left)) > 1e-6 * before else np.zeros_like(left)


def _inverse(scale: float) -> float:
    return 1 / scale if scale > 0 else 0.0


def named(names: list[str], ids: IdVector, values: np.ndarray) -> dict[str, Any]:
    """Return a value per word, by its name."""
    return {names[i]: value for i, value in zip(ids.tolist(), values.tolist(), strict=True)}


def topic_parts(
    names: list[str],
    topic_names: Sequence[str],
    shares: DoubleVector,
    *sides: tuple[Side | CompactSide, DoubleMatrix],
) -> list[TopicShare]:
    """Return every topic, strongest first, with its name and the strongest words of the sides."""
    every = np.unique(np.concatenate([side.ids for side, _ in sides]))
    strength = np.zeros((len(every), len(shares)))
    for side, grid in sides:
        strength[np.searchsorted(every, side.ids)] += grid
    parts = []
    for topic in np.argsort(-np.abs(shares), kind="stable").tolist():
        column = np.abs(strength[:, topic])
        best = np.argsort(-column, kind="stable")[:_WORDS_A_TOPIC]
        words = [names[every[i]] for i in best if column[i]]
        name = topic_names[topic] if topic < len(topic_names) else ""
        parts.append(TopicShare(topic, float(shares[topic]), words, name))
    return parts
