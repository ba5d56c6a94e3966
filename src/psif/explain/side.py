"""One of the two documents of an explanation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from psif.averaging import WordTopics
from psif.types import DoubleMatrix, DoubleVector, IdVector


@dataclass(frozen=True)
class Side:
    """A document in float64: its distinct words, what each brings, and its K x d matrix.

    Attributes
    ----------
    ids : ndarray of shape (n_words,)
        Distinct words.
    shares : ndarray of shape (n_words,)
        s, weight times term factor over the document's length.
    codes : ndarray of shape (n_words, n_topics)
    vectors : ndarray of shape (n_words, dim)
    matrix : ndarray of shape (n_topics, dim)
        The document before the common components are removed.
    """

    ids: IdVector
    shares: DoubleVector
    codes: DoubleMatrix
    vectors: DoubleMatrix
    matrix: DoubleMatrix

    @classmethod
    def of(cls, words: WordTopics, ids: IdVector) -> Side:
        """Gather what is known of a document's words."""
        distinct, counts = np.unique(ids, return_counts=True)
        factors = 1 + np.log(counts) if words.sublinear else counts.astype(np.float64)
        shares = factors * words.weights[distinct].astype(np.float64) / (factors.sum() or 1.0)
        codes = words.codes[distinct].astype(np.float64)
        vectors = words.vectors[distinct].astype(np.float64)
        matrix = (codes * shares[:, None]).T @ vectors
        return cls(distinct.astype(np.int32), shares, codes, vectors, matrix)

    def against(self, other: DoubleMatrix) -> DoubleMatrix:
        r"""Share of each word in each topic against a whole document M.

        .. math:: s_w \, \alpha_{w,j} \, \langle M[j], v_w \rangle

        Summed over topics a word's share, over words a topic's; linear in the words, because
        the other document enters as a sum.
        """
        result: DoubleMatrix = self.shares[:, None] * self.codes * (self.vectors @ other.T)
        return result

    @property
    def bounds(self) -> DoubleVector:
        r"""Most that each word can add in a pair: :math:`s_w \|\alpha_w\| \|v_w\|`."""
        lengths = np.linalg.norm(self.codes, axis=1) * np.linalg.norm(self.vectors, axis=1)
        result: DoubleVector = self.shares * lengths
        return result
