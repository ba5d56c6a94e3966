"""Bag of words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from psif.baselines.base import WordMethod
from psif.text.flat import FlatDocs

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(eq=False, repr=False)
class BagOfWords(WordMethod):
    r"""How often each word occurs: :math:`x_{d,w} = \mathrm{count}_d(w)`, a CSR matrix.

    Parameters
    ----------
    binary : bool, default=False
        1 for every word that occurs.

    Other parameters are those of :class:`~psif.baselines.base.WordMethod`.

    References
    ----------
    .. [1] Harris (1954), "Distributional structure".
    """

    binary: bool = False

    def _learn_words(self, docs: FlatDocs, y: object) -> None:
        self.n_features_out_ = len(self.vocabulary_)

    def _embed(self, docs: FlatDocs) -> csr_matrix:
        counts = word_counts(docs, self.n_features_out_)
        if self.binary:
            counts.data[:] = 1
        return counts


def unit_sum_rows(matrix: csr_matrix, power: int) -> csr_matrix:
    """Scale the rows in place so that their entries' ``power``-th powers sum to 1.

    Entries are positive, so 1 gives unit sums and 2 unit norms. Empty rows stay empty.
    """
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    sums = np.bincount(rows, matrix.data.astype(np.float64) ** power)
    matrix.data /= (sums[rows] ** (1 / power)).astype(np.float32)
    return matrix


def word_counts(docs: FlatDocs, n_words: int) -> csr_matrix:
    """Count the words of documents: CSR, float32, shape (n_docs, n_words)."""
    from scipy.sparse import csr_matrix

    ones = np.ones(len(docs.ids), dtype=np.float32)
    # Copied ids: summing duplicates changes them in place.
    counts = csr_matrix((ones, docs.ids.copy(), docs.offsets), shape=(len(docs), n_words))
    counts.sum_duplicates()
    return counts
