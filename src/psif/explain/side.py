"""One of the two documents of an explanation."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from psif.documents.averaging import WordTopics
from psif.documents.word_columns import WordColumns
from psif.types import DoubleMatrix, DoubleVector, IdVector


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
    """

    ids: IdVector
    shares: DoubleVector
    codes: DoubleMatrix
    vectors: DoubleMatrix
    matrix: DoubleMatrix
    word_columns: DoubleVector

    @classmethod
    def of(cls, words: WordTopics, ids: IdVector, word_columns: WordColumns | None = None) -> Side:
        """Look up the words of a document."""
        distinct, counts = np.unique(ids, return_counts=True)
        factors = 1 + np.log(counts) if words.sublinear else counts.astype(np.float64)
        shares = factors * words.weights[distinct].astype(np.float64) / (factors.sum() or 1.0)
        codes = words.codes[distinct].astype(np.float64)
        vectors = words.vectors[distinct].astype(np.float64)
        matrix = (codes * shares[:, None]).T @ vectors
        in_columns = np.zeros(len(distinct))
        if word_columns is not None:
            in_columns = np.where(word_columns.columns[distinct] >= 0, shares, 0.0)
        return cls(distinct.astype(np.int32), shares, codes, vectors, matrix, in_columns)

    def with_own_length(self, length: float) -> Side:
        """Scale the word columns to a length."""
        before = float(np.linalg.norm(self.word_columns))
        return replace(self, word_columns=self.word_columns * (length / before)) if before else self

    def against(self, other: DoubleMatrix) -> DoubleMatrix:
        r"""Return the share of each word in each topic, compared with a whole document M.

        .. math:: s_w \, \alpha_{w,j} \, \langle M[j], v_w \rangle

        The sum over topics is the share of a word; the sum over words is the share of a topic.
        The time is linear in the words, because the other document enters as a sum.
        """
        result: DoubleMatrix = self.shares[:, None] * self.codes * (self.vectors @ other.T)
        return result

    @property
    def bounds(self) -> DoubleVector:
        r"""Upper bound of what each word can add in a pair: the length of its part.

        It is :math:`s_w \|\alpha_w\| \|v_w\|` for a word without a column.
        """
        lengths = np.linalg.norm(self.codes, axis=1) * np.linalg.norm(self.vectors, axis=1)
        result: DoubleVector = np.hypot(self.shares * lengths, self.word_columns)
        return result
