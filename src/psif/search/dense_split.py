r"""The dense part of a score, split over topics, words and word pairs.

With g the query's vector plus the feedback, P the directions of the space, U the common components
and M the document as a K x d matrix, the dense part is, but for its factor,

.. math:: \langle g, z_d \rangle = k_d \Big( \sum_j \langle G_j, M_d[j] \rangle
          - \sum_r \langle U_r, G \rangle \langle U_r, M_d \rangle \Big), \qquad
          G = P g, \quad k_d = 1 / \| P^T (I - U U^T) M_d \|

which is a sum over topics j, or over the words of the document, and one removed term. A model that
makes compact vectors itself has a row per word, and rows are projected like documents. For a model
that has columns of single words and no rows, its own :func:`psif.explain.explain_pair` splits the
cosine with the query and with every feedback document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from psif.explain import explain_pair
from psif.explain.explanation import PairShare, TopicShare
from psif.explain.pairs import strongest_pairs
from psif.explain.side import CompactSide, Side
from psif.explain.split import named, topic_parts
from psif.search.space import Space
from psif.types import DoubleVector, IdVector

# Of very long texts, the heaviest words that pairs are made of.
_MOST_WORDS = 2_000


@dataclass(frozen=True)
class DenseSplit:
    """Parts of a dense score; those of :class:`psif.search.explanation.SearchExplanation`."""

    topics: list[TopicShare] = field(default_factory=list)
    same_words: float = 0.0
    removed: float = 0.0
    residual: float = 0.0
    pairs: list[PairShare] = field(default_factory=list)
    other_pairs: float = 0.0
    feedback: list[float] = field(default_factory=list)
    words: dict[str, float] = field(default_factory=dict)


class Source(NamedTuple):
    """A document that the feedback is made of."""

    ids: IdVector  # the model's words
    vector: DoubleVector  # as it is stored
    share: float


class DenseScore(NamedTuple):
    """What is to be split.

    Attributes
    ----------
    space : Space
    factor : float
        What inner products are multiplied with.
    score : float
        Of the stored, rounded vector.
    query, doc : ndarray of int32
        The model's words.
    sources : sequence of Source
        What the feedback is made of.
    n_pairs : int
        Pairs to list.
    """

    space: Space
    factor: float
    score: float
    query: IdVector
    doc: IdVector
    sources: Sequence[Source]
    n_pairs: int

    def feedback(self, size: int) -> DoubleVector:
        """Return the sum of the sources, each with its share."""
        return sum((share * vector for _, vector, share in self.sources), np.zeros(size))

    def feedback_parts(self, vector: DoubleVector) -> list[float]:
        """Return what each source adds to the score of a document's vector."""
        return [share * float(source @ vector) for _, source, share in self.sources]


def split_dense(dense: DenseScore) -> DenseSplit:
    """Split a dense score."""
    if not dense.factor or not len(dense.doc):
        return DenseSplit(residual=dense.score)
    model = dense.space.model
    if model.table_ is not None:
        return _by_rows(dense)
    if model.word_columns_ is not None:
        return _by_pairs_of_texts(dense)
    return _exactly(dense)


def _exactly(dense: DenseScore) -> DenseSplit:
    space = dense.space
    words, names = space.model.words_, space.model.vocabulary_.words
    common = space.model.components_.astype(np.float64)
    n_features = words.n_features
    directions = np.eye(n_features) if space.directions is None else space.directions
    a, b = Side.of(words, dense.query), Side.of(words, dense.doc)

    def project(side: Side) -> DoubleVector:
        flat = side.matrix.ravel()
        projected: DoubleVector = (flat - common.T @ (common @ flat)) @ directions
        return projected

    projected_a, projected_b = project(a), project(b)
    length_a, length_b = float(np.linalg.norm(projected_a)), float(np.linalg.norm(projected_b))
    if not length_b:
        return DenseSplit(residual=dense.score)
    unit = dense.factor / length_b
    of_query = projected_a / length_a if length_a else projected_a
    toward = directions @ (of_query + dense.feedback(len(of_query)))
    toward_matrix = toward.reshape(words.n_topics, words.dim)
    lost = common @ toward
    removed = -float(lost @ (common @ b.matrix.ravel())) * unit
    grid = b.against(toward_matrix) * unit
    per_word = b.against((toward - common.T @ lost).reshape(toward_matrix.shape)) * unit
    pairs, all_pairs = [], 0.0
    if length_a:
        pairs = _pairs(space, a, b, unit / length_a, dense.n_pairs)
        all_pairs = float(of_query @ projected_b) * unit
    return DenseSplit(
        topics=topic_parts(names, space.model.topic_names_, grid.sum(axis=0), (b, grid)),
        removed=removed,
        residual=dense.score - float(grid.sum()) - removed,
        pairs=pairs,
        other_pairs=all_pairs - sum(pair.share for pair in pairs),
        feedback=dense.feedback_parts(projected_b * unit),
        words=named(names, b.ids, per_word.sum(axis=1)),
    )


def _by_rows(dense: DenseScore) -> DenseSplit:
    """Split the score of compact vectors: each word of the document adds its own row."""
    space, model = dense.space, dense.space.model
    names = model.vocabulary_.words
    assert model.table_ is not None
    a, b = (
        CompactSide.of(model.words_, model.table_, ids, model.word_columns_)
        for ids in (dense.query, dense.doc)
    )
    if space.directions is not None:
        a, b = a.projected(space.directions), b.projected(space.directions)
    length_a, length_b = float(np.linalg.norm(a.vector)), float(np.linalg.norm(b.vector))
    if not length_b:
        return DenseSplit(residual=dense.score)
    unit = dense.factor / length_b
    of_query = a.vector / length_a if length_a else a.vector
    grid = b.against(of_query + dense.feedback(len(of_query))) * unit
    pairs = strongest_pairs(names, a, b, unit / length_a if length_a else 0.0, dense.n_pairs)
    return DenseSplit(
        topics=topic_parts(names, model.topic_names_, grid.sum(axis=0), (b, grid)),
        residual=dense.score - float(grid.sum()),
        pairs=pairs,
        other_pairs=float(of_query @ b.vector) * unit - sum(pair.share for pair in pairs),
        feedback=dense.feedback_parts(b.vector * unit),
        words=named(names, b.ids, grid.sum(axis=1)),
    )


def _pairs(space: Space, a: Side, b: Side, unit: float, n_pairs: int) -> list[PairShare]:
    """Return the pairs of largest absolute share, strongest first."""
    names = space.model.vocabulary_.words
    left = np.argsort(-np.abs(a.shares), kind="stable")[:_MOST_WORDS]
    right = np.argsort(-np.abs(b.shares), kind="stable")[:_MOST_WORDS]
    rows_a, rows_b = _projected_words(space, a, left), _projected_words(space, b, right)
    shares = (rows_a @ rows_b.T) * (a.shares[left][:, None] * b.shares[right]) * unit
    order = np.argsort(-np.abs(shares), axis=None, kind="stable")[:n_pairs]
    i, j = np.unravel_index(order, shares.shape)
    return [
        PairShare(names[a.ids[left[x]]], names[b.ids[right[y]]], float(shares[x, y]))
        for x, y in zip(i.tolist(), j.tolist(), strict=True)
    ]


def _projected_words(space: Space, side: Side, chosen: np.ndarray) -> np.ndarray:
    """Rows that the words have in the space."""
    if space.table is not None:
        found: np.ndarray = space.table[side.ids[chosen]].astype(np.float64)
        return found
    flat = (side.codes[chosen][:, :, None] * side.vectors[chosen][:, None, :]).reshape(
        len(chosen), -1
    )
    common = space.model.components_.astype(np.float64)
    rows: np.ndarray = flat - (flat @ common.T) @ common
    return rows


def _by_pairs_of_texts(dense: DenseScore) -> DenseSplit:
    """Add up the model's own explanations of the document beside the query and each source."""
    model = dense.space.model
    names = model.vocabulary_.words
    shares = np.zeros(model.n_topics_)
    topics: dict[int, TopicShare] = {}
    words: dict[str, float] = {}
    removed = 0.0
    pairs: list[PairShare] = []
    sums: list[float] = []
    sides = [(dense.query, 1.0), *((source.ids, source.share) for source in dense.sources)]
    for number, (ids, weight) in enumerate(sides):
        found = explain_pair(
            model.words_, names, model.components_, ids, dense.doc,
            word_columns=model.word_columns_, topic_names=model.topic_names_,
            n_pairs=0 if number else dense.n_pairs,
        )  # fmt: skip
        share = weight * dense.factor
        for topic in found.topics:
            shares[topic.topic] += share * topic.share
            topics.setdefault(topic.topic, topic)
        for word, value in found.words_b.items():
            words[word] = words.get(word, 0.0) + share * value
        removed += share * found.removed
        pairs += [PairShare(p.a, p.b, share * p.share) for p in found.pairs]
        sums.append(share * found.score)
    order = np.argsort(-np.abs(shares), kind="stable").tolist()
    return DenseSplit(
        topics=[replace(topics[j], share=float(shares[j])) for j in order],
        removed=removed,
        residual=dense.score - float(shares.sum()) - removed,
        pairs=pairs,
        other_pairs=sums[0] - sum(pair.share for pair in pairs),
        feedback=sums[1:],
        words=words,
    )
