"""From codes, vectors and weights to document vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from psif.documents.word_columns import WordColumns
from psif.errors import InputError
from psif.runtime.threads import Workers, ranges
from psif.text.bags import bags_of
from psif.text.flat import FlatDocs
from psif.types import DoubleMatrix, DoubleVector, FloatMatrix, FloatVector, IdVector

COUNTS = ("raw", "log")
_DOCS_A_PIECE = 256
# Sums over documents are cut into this many pieces for any number of threads.
_MOMENT_PIECES = 16
# With fewer words a sparse product is faster than loading compiled code.
_SMALL = 1 << 16


@dataclass(frozen=True)
class WordTopics:
    r"""What each word contributes to a document: weight, topic codes and vector.

    The word-topic vector of the paper is the outer product
    :math:`tv_w = \alpha_w \otimes v_w`. It is never stored: a document is

    .. math:: M_d = \sum_w s_w \, \alpha_w v_w^T = (S A_d)^T V_d, \qquad
              s_w = \lambda_w \, t(\mathrm{count}_w) \Big/ \sum_u t(\mathrm{count}_u)

    Attributes
    ----------
    weights : ndarray of shape (n_words,)
        λ.
    codes : ndarray of shape (n_words, n_topics)
        α.
    vectors : ndarray of shape (n_words, dim)
        v.
    counts : {"raw", "log"}
        The term factor t: the count itself (the paper) or 1 + ln(count).
    n_shared : int
        The first so many topics are shared by all words alike (0 or 1).
    """

    weights: FloatVector
    codes: FloatMatrix
    vectors: FloatMatrix
    counts: str = "raw"
    n_shared: int = 0

    def __post_init__(self) -> None:
        if self.counts not in COUNTS:
            raise InputError(f"counts must be 'raw' or 'log'; got {self.counts!r}.")

    @property
    def n_topics(self) -> int:
        """Number of topics, K."""
        return int(self.codes.shape[1])

    @property
    def dim(self) -> int:
        """Dimensions of a word vector, d."""
        return int(self.vectors.shape[1])

    @property
    def n_features(self) -> int:
        """Dimensions of a document vector, K·d."""
        return self.n_topics * self.dim

    def topic_weights(self, ids: IdVector | slice = slice(None)) -> DoubleMatrix:
        r"""Return how each word divides among the topics that are not shared; rows sum to 1.

        .. math:: \pi_{w,j} = \alpha_{w,j}^2 \Big/ \sum_{k} \alpha_{w,k}^2

        the part of the squared length of its word-topic vector that lies in topic j. The columns
        of shared topics are zero. A word without a code in any other topic divides evenly.
        """
        weights = np.square(self.codes[ids], dtype=np.float64)
        weights[:, : self.n_shared] = 0
        total = weights.sum(axis=1, keepdims=True)
        weights[total[:, 0] == 0, self.n_shared :] = 1
        shares: DoubleMatrix = weights / weights.sum(axis=1, keepdims=True)
        return shares

    @property
    def sublinear(self) -> bool:
        """Whether repeated words count as 1 + ln(count)."""
        return self.counts == "log"

    def average(
        self,
        docs: FlatDocs,
        components: FloatMatrix,
        *,
        word_columns: WordColumns | None = None,
        n_jobs: int | None = None,
    ) -> FloatMatrix:
        """Return document vectors without the given common components.

        Parameters
        ----------
        docs : FlatDocs
            Sorted (see :func:`sorted_documents`).
        components : ndarray of shape (n_removed, n_topics * dim)
        word_columns : WordColumns or None
            Columns of single words, after those of the topics.
        n_jobs : int or None

        Returns
        -------
        vectors : ndarray of shape (n_docs, n_topics * dim)
            Wider by the word columns, if there are any.
        """
        from psif.compiled.average import average_documents, bag_room, tile_room

        width = self.n_features + (word_columns.n_columns if word_columns else 0)
        out = np.zeros((len(docs), width), dtype=np.float32)

        def work(start: int, stop: int) -> None:
            part = docs.part(start, stop)
            average_documents(
                part.ids,
                part.offsets,
                self.weights,
                self.codes,
                self.vectors,
                components,
                self.sublinear,
                *bag_room(len(part.ids)),
                *tile_room(self.n_topics, self.dim),
                out[start:stop],
            )
            if word_columns:
                word_columns.write(part, self.weights, self.sublinear, out[start:stop])

        with Workers(n_jobs) as workers:
            workers.map(work, ranges(len(docs), _DOCS_A_PIECE))
        return out

    def average_table(
        self,
        docs: FlatDocs,
        table: FloatMatrix,
        *,
        absolute: bool = False,
        n_jobs: int | None = None,
    ) -> FloatMatrix:
        """Return averages of the rows of any table of words, with the same word shares."""
        from psif.compiled.average import average_rows, bag_room

        out = np.zeros((len(docs), table.shape[1]), dtype=np.float32)

        def work(start: int, stop: int) -> None:
            part = docs.part(start, stop)
            average_rows(
                part.ids,
                part.offsets,
                self.weights,
                table,
                absolute,
                self.sublinear,
                *bag_room(len(part.ids)),
                out[start:stop],
            )

        with Workers(n_jobs) as workers:
            workers.map(work, ranges(len(docs), _DOCS_A_PIECE))
        return out

    def moment(self, docs: FlatDocs, values: DoubleVector, workers: Workers) -> DoubleVector:
        r"""Return :math:`S^T S g` for documents with word shares S and one number per word, g."""
        if len(docs.ids) < _SMALL:
            shares = self.shares(docs)
            product: DoubleVector = shares.T @ (shares @ values)
            return product
        from psif.compiled.average import bag_room, document_moment

        def work(start: int, stop: int) -> DoubleVector:
            part = docs.part(start, stop)
            result = np.zeros(len(self.codes))
            room = bag_room(len(part.ids))
            document_moment(
                part.ids, part.offsets, self.weights, values, self.sublinear, *room, result
            )
            return result

        size = max(_DOCS_A_PIECE, -(-len(docs) // _MOMENT_PIECES))
        total = np.zeros(len(self.codes))
        for part in workers.map(work, ranges(len(docs), size)):
            total += part
        return total

    def shares(self, docs: FlatDocs) -> Any:
        """Return the word shares s of sorted documents as a CSR matrix, one row per document."""
        from scipy.sparse import csr_array

        offsets, ids, counts = bags_of(docs)
        terms = 1 + np.log(counts) if self.sublinear else counts.astype(np.float64)
        rows = np.repeat(np.arange(len(docs)), np.diff(offsets))
        totals = np.bincount(rows, weights=terms, minlength=len(docs))
        data = terms * self.weights[ids] / totals[rows]
        return csr_array((data, ids, offsets), shape=(len(docs), len(self.weights)))


def sorted_documents(docs: FlatDocs) -> FlatDocs:
    """Sort the ids within each document, so that repeated words are adjacent.

    This loses the word order, on which averages do not depend.
    """
    if len(docs) == 1:  # the keys below take longer than embedding a short text
        return FlatDocs(np.sort(docs.ids), docs.offsets, docs.n_tokens)
    ids = np.empty(len(docs.ids), dtype=np.int32)
    for first, last in docs.blocks():
        part = docs.part(first, last)
        # One sort of (document, word) keys for the whole block.
        keys = np.repeat(np.arange(len(part), dtype=np.int64) << 32, part.lengths)
        keys |= part.ids
        keys.sort()
        ids[docs.offsets[first] : docs.offsets[last]] = keys & 0xFFFFFFFF
    return FlatDocs(ids, docs.offsets, docs.n_tokens)
