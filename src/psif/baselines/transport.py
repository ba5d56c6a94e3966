"""Word mover's distances between documents, exact and relaxed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from psif.baselines.bow import word_counts
from psif.errors import MissingExtraError
from psif.text.flat import FlatDocs
from psif.types import CountVector, DoubleVector, FloatMatrix, FloatVector, IdVector

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True)
class Query:
    """One document to measure from: its words' vectors and their shares, which sum to 1."""

    vectors: FloatMatrix
    shares: DoubleVector


@dataclass(frozen=True)
class Bags:
    """Documents as distinct words and shares.

    Attributes
    ----------
    words : ndarray of int32
        Rows of ``vectors``, document after document.
    offsets : ndarray of int64, shape (n_docs + 1,)
    shares : ndarray of float64
        Of each word in its document, summing to 1.
    vectors : ndarray of shape (n_words, dim)
        Those of the words that occur in these documents.
    """

    words: IdVector
    offsets: CountVector
    shares: DoubleVector
    vectors: FloatMatrix

    @classmethod
    def of(cls, docs: FlatDocs, vectors: FloatMatrix, max_words: int | None = None) -> Bags:
        """Count the words of documents; keep the ``max_words`` most frequent of each."""
        counts = word_counts(docs, len(vectors))
        if max_words is not None:
            counts = _most_frequent(counts, max_words)
        used, words = np.unique(counts.indices, return_inverse=True)
        sizes = np.diff(counts.indptr)
        totals = np.repeat(np.asarray(counts.sum(axis=1), dtype=np.float64).ravel(), sizes)
        return cls(
            words.astype(np.int32),
            counts.indptr.astype(np.int64),
            counts.data / totals,
            vectors[used],
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def empty(self) -> np.ndarray:
        """Which documents have no words."""
        nothing: np.ndarray = np.diff(self.offsets) == 0
        return nothing

    @cached_property
    def squares(self) -> FloatVector:
        """Squared norms of the vectors."""
        norms: FloatVector = np.einsum("ij,ij->i", self.vectors, self.vectors)
        return norms

    @cached_property
    def matrix(self) -> csr_matrix:
        """Shares as a matrix of documents by words."""
        from scipy.sparse import csr_matrix

        return csr_matrix(
            (self.shares, self.words, self.offsets), shape=(len(self), len(self.vectors))
        )

    def query(self, position: int) -> Query:
        """One of these documents, to measure from."""
        part = slice(self.offsets[position], self.offsets[position + 1])
        return Query(self.vectors[self.words[part]], self.shares[part])

    def costs(self, query: Query) -> FloatMatrix:
        """Euclidean distances of all words from the words of a query."""
        lengths = np.einsum("ij,ij->i", query.vectors, query.vectors)
        squares = self.squares[:, None] + lengths - 2 * (self.vectors @ query.vectors.T)
        result: FloatMatrix = np.sqrt(np.maximum(squares, 0))
        return result


def relaxed(query: Query, bags: Bags, costs: FloatMatrix | None = None) -> DoubleVector:
    r"""Relaxed word mover's distance of a query from every document; 0 where one is empty.

    .. math:: \max\Big( \sum_i s_i \min_j c_{ij}, \; \sum_j r_j \min_i c_{ij} \Big)
              \; \le \; \mathrm{WMD}

    Each side drops one of the two constraints of the transport problem.
    """
    from psif.compiled.transport import nearest_costs

    if not len(query.shares):
        return np.zeros(len(bags))
    costs = bags.costs(query) if costs is None else costs
    forth = np.empty(len(bags))
    nearest_costs(bags.words, bags.offsets, costs, query.shares, forth)
    back: DoubleVector = bags.matrix @ costs.min(axis=1).astype(np.float64)
    return np.maximum(forth, back)


def exact(query: Query, bags: Bags, position: int, costs: FloatMatrix) -> float:
    r"""Word mover's distance of a query from one document.

    .. math:: \min_{T \ge 0} \sum_{i,j} T_{ij} c_{ij}, \quad
              \sum_j T_{ij} = s_i, \; \sum_i T_{ij} = r_j
    """
    try:
        from ot import emd2
    except ImportError as error:
        raise MissingExtraError("POT", "transport", "the word mover's distance") from error
    part = slice(bags.offsets[position], bags.offsets[position + 1])
    table = np.ascontiguousarray(costs[bags.words[part]], dtype=np.float64)
    return float(emd2(bags.shares[part], query.shares, table, numItermax=1_000_000))


def _most_frequent(counts: csr_matrix, max_words: int) -> csr_matrix:
    """Keep the largest entries of each row; of equals, those of the first columns."""
    sizes = np.diff(counts.indptr)
    rows = np.repeat(np.arange(counts.shape[0]), sizes)
    order = np.lexsort((counts.indices, -counts.data, rows))
    rank = np.empty(counts.nnz, dtype=np.int64)
    rank[order] = np.arange(counts.nnz) - np.repeat(counts.indptr[:-1], sizes)
    counts.data[rank >= max_words] = 0
    counts.eliminate_zeros()
    return counts
