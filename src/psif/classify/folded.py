r"""Decisions from raw word ids, by tables into which the classifier is folded.

With the weights :math:`W_t, W_l, W_p` of topics, words and pairs, the score of a document is

.. math:: f = \beta + a \sum_w s_w \big[(\alpha_w \otimes v_w) \cdot (I - U^T U) W_t\big]
          + b \sum_w s_w W_l[w] + c \sum_q s_q W_p[q] .

The terms in brackets do not depend on the document. They become one row of numbers per word, so a
word costs two operations per class. The factors a, b, c make parts of fixed length: only the
length of the topic part still needs the vectors of the words. A part from the table of a language
is made and multiplied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from psif.classify.feature_map import FeatureMap
from psif.classify.features import DocumentFeatures
from psif.classify.linear.losses import Array
from psif.documents.averaging import sorted_documents
from psif.runtime.threads import Workers, ranges
from psif.text.flat import FlatDocs

if TYPE_CHECKING:
    from psif.compiled.decide import DecisionTables

# Folding takes n_words * n_topics * dim operations per class, and memory for two numbers per word
# and class. For more words times classes than this, documents are multiplied instead.
_MOST_FOLDED = 1 << 22
_DOCS_A_PIECE = 256
# Documents multiplied at a time: their topic parts take some 30 MB.
_DOCS_A_BATCH = 1024


class Decisions:
    """Scores of documents by a fitted classifier.

    Parameters
    ----------
    found : FeatureMap
    weights : ndarray of shape (n_features, m)
    intercepts : ndarray of shape (m,)
    """

    def __init__(self, found: FeatureMap, weights: Array, intercepts: Array) -> None:
        self._map, self._weights, self._intercepts = found, weights, intercepts
        self._tables: DecisionTables | None = None

    def __call__(self, docs: FlatDocs, n_jobs: int | None = None) -> Array:
        """Scores of documents in reading order, (n_docs, m)."""
        values = self._of_corpus(self._map.own(docs), n_jobs)
        if self._map.language is not None:
            weights = self._map.split(self._weights).language
            for begin, end in ranges(len(docs), _DOCS_A_BATCH):
                values[begin:end] += self._map.meanings(docs.part(begin, end), n_jobs) @ weights
        return values

    def _of_corpus(self, docs: FlatDocs, n_jobs: int | None) -> Array:
        """Scores through topics, words and pairs, and the intercepts."""
        if len(self._map.words.codes) * len(self._intercepts) > _MOST_FOLDED:
            return self._by_products(docs, n_jobs)
        if self._tables is None:
            self._tables = self._folded()
        return self._by_tables(self._tables, docs, n_jobs)

    def _by_products(self, docs: FlatDocs, n_jobs: int | None) -> Array:
        found = self._map._replace(language=None)
        of = self._map.split(self._weights)
        of_topics = found.project(of.topics)
        values = np.empty((len(docs), len(self._intercepts)), dtype=np.float32)
        for begin, end in ranges(len(docs), _DOCS_A_BATCH):
            part = docs.part(begin, end)
            features = DocumentFeatures.of(found, part)
            scales = features.scales()
            # The weights have lost the common components, so the topics need not.
            topics = found.words.average(
                sorted_documents(part), found.components[:0], n_jobs=n_jobs
            )
            score = self._intercepts + scales.topics[:, None] * (topics @ of_topics)
            if found.word_columns is not None:
                kept = features.shares[:, found.word_columns.words]
                score += scales.words[:, None] * (kept @ of.words)
            if features.pairs is not None:
                score += scales.pairs[:, None] * (features.pairs @ of.pairs)
            values[begin:end] = score
        return values

    def _by_tables(self, tables: DecisionTables, docs: FlatDocs, n_jobs: int | None) -> Array:
        from psif.compiled.average import bag_room, tile_room
        from psif.compiled.decide import decide_documents

        words = self._map.words
        out = np.empty((len(docs), len(self._intercepts)), dtype=np.float32)

        def work(start: int, stop: int) -> None:
            part = docs.part(start, stop)
            longest = int(part.lengths.max(initial=0))
            order, _ = bag_room(longest)
            room, shares = bag_room(2 * longest)
            decide_documents(
                part.ids,
                part.offsets,
                tables,
                words.sublinear,
                order,
                room,
                shares,
                tile_room(words.n_topics, words.dim),
                out[start:stop],
            )

        with Workers(n_jobs) as workers:
            workers.map(work, ranges(len(docs), _DOCS_A_PIECE))
        return out

    def _folded(self) -> DecisionTables:
        from psif.compiled.decide import DecisionTables

        found = self._map
        of, whole = found.split(self._weights), np.float32(found.shares.corpus_factor)
        scores = whole * np.hstack(
            [found.word_scores(found.project(of.topics)), found.column_scores(of.words)]
        )
        return DecisionTables(
            found.words.weights,
            found.words.codes,
            found.words.vectors,
            found.components,
            np.ascontiguousarray(scores, dtype=np.float32),
            found.has_column,
            found.pairs.table,
            found.pairs.weights,
            np.ascontiguousarray(whole * of.pairs, dtype=np.float32),
            np.array(found.shares.of_corpus, dtype=np.float64),
            np.ascontiguousarray(self._intercepts, dtype=np.float32),
        )
