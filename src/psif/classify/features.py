r"""Features of documents for a linear classifier, kept as factors.

The parts of a document are those of :mod:`psif.classify.feature_map`. With 40 topics of 200
dimensions and 32,768 words they are 40,768 numbers, nearly all zero in the second part. They are
never written down: the sparse matrix of word shares S, the codes and the word vectors say the same,
and a classifier asks only for products.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from psif.classify.feature_map import FeatureMap, PartScales
from psif.classify.linear.losses import Array
from psif.classify.linear.primal_dual import (
    MOST_DOCS,
    Dual,
    Form,
    Preconditioned,
    plain_residual,
)
from psif.classify.linear.symmetric import SymmetricBlocks
from psif.documents.averaging import sorted_documents
from psif.runtime.threads import map_ranges, ranges
from psif.text.flat import FlatDocs, offsets_of

# Rows of a Gram matrix made at a time, and documents given to a thread at a time.
_ROWS_TOGETHER = 1024
_DOCS_A_PIECE = 256


class DocumentFeatures:
    """Features of documents as factors; rows can be chosen, and a classifier gets its form.

    Parameters
    ----------
    feature_map : FeatureMap
    shares : CSR array of shape (n_docs, n_words)
        Word shares s of the documents.
    pairs : CSR array of shape (n_docs, n_pairs) or None
        Shares of pairs.
    meanings : ndarray of shape (n_docs, dim) or None
        Scaled parts of the table of a language.
    n_jobs : int or None
        Threads; ``None`` is all cores. BLAS should have one thread only: see
        :mod:`psif.runtime.blas`.
    """

    dtype = np.dtype(np.float32)

    def __init__(
        self,
        feature_map: FeatureMap,
        shares: Any,
        pairs: Any = None,
        meanings: Array | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.map = feature_map
        self.shares = shares
        self.pairs = pairs
        self.meanings = meanings
        self.n_jobs = n_jobs
        self.shape = (shares.shape[0], feature_map.n_features)
        self._scales: PartScales | None = None

    @classmethod
    def of(cls, found: FeatureMap, docs: FlatDocs, n_jobs: int | None = None) -> DocumentFeatures:
        """Features of documents as word ids; in reading order if there are pairs."""
        own = found.own(docs)
        shares = _in_blocks(own, lambda part: found.words.shares(sorted_documents(part)))
        pairs = _in_blocks(own, found.pairs.shares) if len(found.pairs) else None
        return cls(found, shares, pairs, found.meanings(docs, n_jobs), n_jobs)

    def __getitem__(self, rows: Array) -> DocumentFeatures:
        pairs = None if self.pairs is None else self.pairs[rows]
        meanings = None if self.meanings is None else self.meanings[rows]
        part = DocumentFeatures(self.map, self.shares[rows], pairs, meanings, self.n_jobs)
        if self._scales is not None:
            part._scales = PartScales(*(scale[rows] for scale in self._scales))
        return part

    def form(self) -> Form:
        """Dual with the sum of both parts' Gram matrices, or primal for many documents."""
        return _FactoredDual(self) if self.shape[0] <= MOST_DOCS else _FactoredPrimal(self)

    def scales(self) -> PartScales:
        """Factors of the parts, one number per document each."""
        if self._scales is None:
            squares = self._squares()
            self._scales = self.map.scales(*squares.T)
        return self._scales

    def _squares(self) -> Array:
        """Squared lengths of the parts of documents, (n_docs, 3)."""
        from psif.compiled.average import tile_room
        from psif.compiled.decide import row_squares, topic_squares

        words, rows, pairs = self.map.words, self.shares, self.pairs
        has_column, found = self.map.has_column, np.zeros((self.shape[0], 3))
        every_pair = np.ones(len(self.map.pairs), dtype=bool)

        def work(start: int, stop: int) -> None:
            part, offsets = found[start:stop], rows.indptr[start : stop + 1]
            topic_squares(
                offsets,
                rows.indices,
                rows.data,
                words.codes,
                words.vectors,
                self.map.components,
                tile_room(words.n_topics, words.dim),
                np.empty(int(np.diff(offsets).max(initial=0))),
                part[:, 0],
            )
            row_squares(offsets, rows.indices, rows.data, has_column, part[:, 1])
            if pairs is not None:
                row_squares(
                    pairs.indptr[start : stop + 1],
                    pairs.indices,
                    pairs.data,
                    every_pair,
                    part[:, 2],
                )

        map_ranges(work, self.shape[0], size=_DOCS_A_PIECE, n_jobs=self.n_jobs)
        return found

    def _float_scales(self) -> PartScales:
        return PartScales(*(scale.astype(self.dtype) for scale in self.scales()))

    def gram(self) -> SymmetricBlocks:
        """Products of all documents with one another, (n_docs, n_docs)."""
        gram = SymmetricBlocks(self.shape[0], _ROWS_TOGETHER, self.n_jobs)
        scales = self._float_scales()

        def topics(start: int, stop: int) -> Array:
            rows = scales.topics[start:stop, None] * self._topics(start, stop)
            # As dense as topics, and multiplied with them.
            return rows if self.meanings is None else np.hstack([rows, self.meanings[start:stop]])

        # Topic parts of documents are made anew for each block: that takes far less than their
        # products, and all of them together would take as much room as the matrix.
        def fill(start: int, stop: int) -> None:
            left = topics(start, stop)

            def multiply(begin: int, end: int) -> None:
                right = left if begin == start else topics(begin, end)
                np.matmul(left, right.T, out=gram.block(start, begin))

            map_ranges(multiply, stop, size=_ROWS_TOGETHER, n_jobs=self.n_jobs)

        for rows in gram.ranges:
            fill(*rows)
        if self.map.word_columns is not None:
            gram.add_products(_scaled(scales.words, self.shares[:, self.map.word_columns.words]))
        if self.pairs is not None:
            gram.add_products(_scaled(scales.pairs, self.pairs))
        return gram

    def _topics(self, start: int, stop: int) -> Array:
        """Topic parts of some documents, not scaled, without the common components."""
        from psif.compiled.average import tile_room
        from psif.compiled.decide import topic_rows

        words, rows = self.map.words, self.shares
        found = np.empty((stop - start, words.n_features), dtype=np.float32)

        def work(begin: int, end: int) -> None:
            offsets = rows.indptr[start + begin : start + end + 1]
            topic_rows(
                offsets,
                rows.indices,
                rows.data,
                words.codes,
                words.vectors,
                self.map.components,
                tile_room(words.n_topics, words.dim),
                np.empty(int(np.diff(offsets).max(initial=0))),
                found[begin:end],
            )

        for piece in ranges(stop - start, _DOCS_A_PIECE):
            work(*piece)
        return found

    def decide(self, weights: Array) -> Array:
        """Products Xw, (n_docs, m)."""
        of = self.map.split(weights)
        scales, m = self._float_scales(), weights.shape[1]
        tables = [self.map.word_scores(self.map.project(of.topics))]
        if self.map.word_columns is not None:
            tables.append(self.map.column_scores(of.words))
        # One pass over the shares for both parts.
        found = self.shares @ np.hstack(tables)
        result = scales.topics[:, None] * found[:, :m]
        if self.map.word_columns is not None:
            result += scales.words[:, None] * found[:, m:]
        if self.pairs is not None:
            result += scales.pairs[:, None] * (self.pairs @ of.pairs)
        if self.meanings is not None:
            result += self.meanings @ of.language
        return np.asarray(result)

    def pull(self, rows: Array) -> Array:
        """Products Xᵀr of numbers per document, (n_features, m)."""
        scales, m = self._float_scales(), rows.shape[1]
        words, scaled = self.map.words, [scales.topics[:, None] * rows]
        if self.map.word_columns is not None:
            scaled.append(scales.words[:, None] * rows)
        both = self.shares.T @ np.hstack(scaled)
        sums = both[:, :m]
        blocks = [words.vectors.T @ (words.codes[:, j, None] * sums) for j in range(words.n_topics)]
        parts = [self.map.project(np.concatenate(blocks))]
        if self.map.word_columns is not None:
            parts.append(both[self.map.word_columns.words, m:])
        if self.pairs is not None:
            parts.append(self.pairs.T @ (scales.pairs[:, None] * rows))
        if self.meanings is not None:
            parts.append(self.meanings.T @ rows)
        return np.concatenate(parts)


class _FactoredDual(Dual):
    """One unknown per document; the features stay factors, and half of the Gram matrix is kept."""

    def __init__(self, features: DocumentFeatures) -> None:
        self._documents = features
        self._products = features.gram()
        self._products.add(1)  # the feature that is always 1
        self._preconditioner = None
        self.size = len(self._products)

    def scores(self, unknowns: Array) -> Array:
        return self._products @ unknowns

    def weights(self, unknowns: Array) -> Array:
        return np.vstack([self._documents.pull(unknowns), unknowns.sum(axis=0)])


class _FactoredPrimal:
    """One unknown per feature, and the intercept; memory grows with the words of the documents."""

    def __init__(self, features: DocumentFeatures) -> None:
        self._documents = features
        self.size = features.shape[1] + 1

    def scores(self, unknowns: Array) -> Array:
        return np.asarray(self._documents.decide(unknowns[:-1]) + unknowns[-1])

    def pull(self, rows: Array) -> Array:
        return np.vstack([self._documents.pull(rows), rows.sum(axis=0)])

    def dot(self, left: Array, right: Array, right_scores: Array) -> Array:
        return np.asarray(np.einsum("ij,ij->j", left, right))

    def weights(self, unknowns: Array) -> Array:
        return unknowns

    def precondition(
        self, residual: Array, ridge: Array, curvature: Array, scores: Array | None = None
    ) -> Preconditioned:
        return plain_residual(self, residual, scores)


def _in_blocks(docs: FlatDocs, shares: Callable[[FlatDocs], Any]) -> Any:
    """Shares of documents as float32, some million words at a time: they pass through float64."""
    from scipy.sparse import csr_array

    blocks = list(docs.blocks())
    if len(blocks) <= 1:
        return shares(docs).astype(np.float32)
    # Room for as many entries as words: what is never written is never taken from the machine.
    data = np.empty(len(docs.ids), dtype=np.float32)
    columns = np.empty(len(docs.ids), dtype=np.int32)
    lengths, width, end = [], 0, 0
    for block in blocks:
        part = shares(docs.part(*block))
        begin, end, width = end, end + part.nnz, part.shape[1]
        data[begin:end], columns[begin:end] = part.data, part.indices
        lengths.append(np.diff(part.indptr))
    offsets = offsets_of(np.concatenate(lengths))
    return csr_array((data[:end], columns[:end], offsets), shape=(len(docs), width))


def _scaled(scale: Array, part: Any) -> Any:
    from scipy.sparse import diags_array

    return (diags_array(scale) @ part).tocsr()
