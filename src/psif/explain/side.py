r"""One document of an explanation.

The vector of a document is a sum over its words, so it is also a sum over topics: each word divides
among its topics. In full vectors a topic is a block of the vector; what lies outside the blocks of
topics (the block that all topics share, the columns of single words) divides by
:meth:`psif.documents.averaging.WordTopics.topic_weights`. In compact vectors everything does:

.. math:: z = \sum_w r_w = \sum_j z_j, \qquad z_j = \sum_w \pi_{w,j} \, r_w
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from psif.documents.averaging import WordTopics
from psif.documents.word_columns import WordColumns
from psif.types import DoubleMatrix, DoubleVector, FloatMatrix, IdVector


@dataclass(frozen=True)
class Side:
    """A document in float64: its distinct words, their parts, and its K x d matrix.

    Attributes
    ----------
    ids : ndarray of shape (n_words,)
        Distinct words.
    shares : ndarray of shape (n_words,)
        s: weight times term factor, divided by the length of the document.
    codes : ndarray of shape (n_words, n_topics)
    vectors : ndarray of shape (n_words, dim)
    matrix : ndarray of shape (n_topics, dim)
        The document before the common components are removed.
    word_columns : ndarray of shape (n_words,)
        The value of each word in its column, before scaling; 0 for words without a column.
    topic_weights : ndarray of shape (n_words, n_topics)
        π: how each word divides among the topics that are not shared.
    n_shared : int
        The first so many topics are shared by all words.
    """

    ids: IdVector
    shares: DoubleVector
    codes: DoubleMatrix
    vectors: DoubleMatrix
    matrix: DoubleMatrix
    word_columns: DoubleVector
    topic_weights: DoubleMatrix
    n_shared: int

    @classmethod
    def of(cls, words: WordTopics, ids: IdVector, word_columns: WordColumns | None = None) -> Side:
        """Look up the words of a document."""
        distinct, shares = word_shares(words, ids)
        codes = words.codes[distinct].astype(np.float64)
        vectors = words.vectors[distinct].astype(np.float64)
        matrix = (codes * shares[:, None]).T @ vectors
        in_columns = np.zeros(len(distinct))
        if word_columns is not None:
            in_columns = np.where(word_columns.columns[distinct] >= 0, shares, 0.0)
        weights = words.topic_weights(distinct)
        return cls(
            distinct, shares, codes, vectors, matrix, in_columns, weights, words.n_shared
        )  # fmt: skip

    def with_own_length(self, length: float) -> Side:
        """Scale the word columns to a length."""
        before = float(np.linalg.norm(self.word_columns))
        return replace(self, word_columns=self.word_columns * (length / before)) if before else self

    def against(self, other: DoubleMatrix) -> DoubleMatrix:
        r"""Return the share of each word in each topic, compared with a whole document M.

        .. math:: s_w \, \alpha_{w,j} \, \langle M[j], v_w \rangle

        The sum over topics is the share of a word; the sum over words is the share of a topic.
        What a word adds in the shared topic divides among its own topics. The time is linear in
        the words, because the other document enters as a sum.
        """
        grid: DoubleMatrix = self.shares[:, None] * self.codes * (self.vectors @ other.T)
        if self.n_shared:
            shared = grid[:, : self.n_shared].sum(axis=1, keepdims=True)
            grid[:, : self.n_shared] = 0
            grid += self.topic_weights * shared
        return grid

    @property
    def bounds(self) -> DoubleVector:
        r"""Upper bound of what each word can add in a pair: the length of its part.

        It is :math:`s_w \|\alpha_w\| \|v_w\|` for a word without a column.
        """
        lengths = np.linalg.norm(self.codes, axis=1) * np.linalg.norm(self.vectors, axis=1)
        result: DoubleVector = np.hypot(self.shares * lengths, self.word_columns)
        return result

    def pair_shares(self, other: Side, rows: np.ndarray, columns: np.ndarray) -> DoubleMatrix:
        """Return what pairs of words add: some of this side with some of the other."""
        alike: DoubleMatrix = self.vectors[rows] @ other.vectors[columns].T
        alike *= self.codes[rows] @ other.codes[columns].T
        alike *= self.shares[rows][:, None] * other.shares[columns]
        same = self.ids[rows][:, None] == other.ids[columns]
        products = self.word_columns[rows][:, None] * other.word_columns[columns]
        alike += np.where(same, products, 0.0)
        return alike


@dataclass(frozen=True)
class CompactSide:
    """A document whose vector is a sum of rows, one per distinct word.

    Attributes
    ----------
    ids : ndarray of shape (n_words,)
    rows : ndarray of shape (n_words, n_dims)
        r: what each word adds to the vector.
    vector : ndarray of shape (n_dims,)
        z, their sum.
    topic_weights : ndarray of shape (n_words, n_topics)
        π: how each word divides among the topics that are not shared.
    """

    ids: IdVector
    rows: DoubleMatrix
    vector: DoubleVector
    topic_weights: DoubleMatrix

    @classmethod
    def of(
        cls,
        words: WordTopics,
        table: FloatMatrix,
        ids: IdVector,
        word_columns: WordColumns | None = None,
    ) -> CompactSide:
        """Look up the rows of the words of a document, and scale their word part to its share."""
        distinct, shares = word_shares(words, ids)
        rows = table[distinct].astype(np.float64) * shares[:, None]
        if word_columns is not None:
            own = rows[:, word_columns.first :]
            before = float(np.linalg.norm(own.sum(axis=0)))
            topics = float(np.linalg.norm(rows[:, : word_columns.first].sum(axis=0)))
            own *= word_columns.ratio * topics / before if before else 0.0
        weights = words.topic_weights(distinct)
        return cls(distinct, rows, rows.sum(axis=0), weights)

    def projected(self, directions: FloatMatrix) -> CompactSide:
        """Project all rows, and with them their sum."""
        rows = self.rows @ directions
        return replace(self, rows=rows, vector=rows.sum(axis=0))

    def against(self, other: DoubleVector) -> DoubleMatrix:
        r"""Return the share of each word in each topic, compared with a whole document z.

        .. math:: \pi_{w,j} \, \langle r_w, z \rangle
        """
        grid: DoubleMatrix = self.topic_weights * (self.rows @ other)[:, None]
        return grid

    @property
    def bounds(self) -> DoubleVector:
        """Upper bound of what each word can add in a pair: the length of its row."""
        lengths: DoubleVector = np.linalg.norm(self.rows, axis=1)
        return lengths

    def pair_shares(
        self, other: CompactSide, rows: np.ndarray, columns: np.ndarray
    ) -> DoubleMatrix:
        """Return what pairs of words add: some of this side with some of the other."""
        products: DoubleMatrix = self.rows[rows] @ other.rows[columns].T
        return products


def word_shares(words: WordTopics, ids: IdVector) -> tuple[IdVector, DoubleVector]:
    """Return the distinct words of a document and their shares s."""
    distinct, counts = np.unique(ids, return_counts=True)
    factors = 1 + np.log(counts) if words.sublinear else counts.astype(np.float64)
    shares = factors * words.weights[distinct].astype(np.float64) / (factors.sum() or 1.0)
    return distinct.astype(np.int32), shares
