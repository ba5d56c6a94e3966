r"""Features of documents for a linear classifier, kept as factors.

The vector of a document has two parts (see :mod:`psif.documents.word_columns`): its topics
:math:`t = (I - U^T U) \sum_w s_w (\alpha_w \otimes v_w)` and its words
:math:`l = \sum_w s_w e_w`. Scaled to unit length it is

.. math:: x = [a\, t;\; b\, l], \qquad a = \sqrt{1 - \lambda} / \|t\|, \quad
          b = \sqrt{\lambda} / \|l\|

With 40 topics of 200 dimensions and 32,768 words these are 40,768 numbers, nearly all zero in the
second part. They are never written down: the sparse matrix of word shares S, the codes and the
word vectors say the same, and a classifier asks only for products.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from psif.classify.linear.losses import Array
from psif.classify.linear.primal_dual import MOST_DOCS, Dual, Form, add_sparse_gram
from psif.documents.averaging import WordTopics
from psif.documents.word_columns import WordColumns
from psif.model.embedder import Embedder
from psif.text.flat import FlatDocs

# Topics multiplied together, and rows of a Gram matrix made at a time.
_TOPICS_TOGETHER = 4
_ROWS_TOGETHER = 2048


class FeatureMap(NamedTuple):
    """What turns word shares into features: the parts of a fitted model that matter here."""

    words: WordTopics
    components: Array
    word_columns: WordColumns | None

    @classmethod
    def of(cls, model: Embedder) -> FeatureMap:
        """Take the parts of a model; one without a table of compact vectors."""
        return cls(model.words_, model.components_, model.word_columns_)

    @property
    def n_topic_features(self) -> int:
        """Numbers in the topic part."""
        return self.words.n_features

    @property
    def n_features(self) -> int:
        """Numbers in both parts."""
        return self.n_topic_features + (self.word_columns.n_columns if self.word_columns else 0)

    def split(self, weights: Array) -> tuple[Array, Array]:
        """Weights of the topic part and of the word part."""
        return weights[: self.n_topic_features], weights[self.n_topic_features :]

    def project(self, weights: Array) -> Array:
        """Remove the common components from weights of topics, as documents lose them."""
        return np.asarray(weights - self.components.T @ (self.components @ weights))

    def word_scores(self, weights: Array) -> Array:
        r"""Products :math:`(\alpha_w \otimes v_w) \cdot W` of all words, (n_words, m)."""
        found = np.zeros((len(self.words.codes), weights.shape[1]), dtype=weights.dtype)
        blocks = weights.reshape(self.words.n_topics, self.words.dim, -1)
        for topic, block in enumerate(blocks):
            found += self.words.codes[:, topic, None] * (self.words.vectors @ block)
        return found

    def column_scores(self, weights: Array) -> Array:
        """Weights of the word part as a row per word: zeros for words without a column."""
        found = np.zeros((len(self.words.codes), weights.shape[1]), dtype=weights.dtype)
        if self.word_columns is not None:
            found[self.word_columns.words] = weights
        return found

    def scales(self, topic_squares: Array, word_squares: Array) -> tuple[Array, Array]:
        """Factors a and b of documents, from the squared lengths of both parts.

        As :func:`psif.compiled.word_columns.balance_rows` and scaling to unit length make them: a
        document without topics is zero, one without words that have columns is all topics.
        """
        share = self.word_columns.share if self.word_columns else 0.0
        both = (topic_squares > 0) & (word_squares > 0)
        of_topics = np.where(both, 1 - share, 1.0) / np.where(topic_squares > 0, topic_squares, 1)
        of_words = np.where(both, share, 0.0) / np.where(word_squares > 0, word_squares, 1)
        return np.sqrt(of_topics), np.sqrt(of_words)

    def word_squares(self, shares: Any) -> Array:
        """Squared lengths of the word part, before it is scaled."""
        if self.word_columns is None:
            return np.zeros(shares.shape[0])
        has_column = (self.word_columns.columns >= 0).astype(np.float64)
        return np.asarray(shares.multiply(shares) @ has_column)


class DocumentFeatures:
    """Features of documents as factors; rows can be chosen, and a classifier gets its form.

    Parameters
    ----------
    feature_map : FeatureMap
    shares : CSR array of shape (n_docs, n_words)
        Word shares s of the documents.
    """

    dtype = np.dtype(np.float32)

    def __init__(self, feature_map: FeatureMap, shares: Any) -> None:
        self.map = feature_map
        self.shares = shares
        self.shape = (shares.shape[0], feature_map.n_features)
        self._topic_squares: Array | None = None

    @classmethod
    def of(cls, model: Embedder, docs: FlatDocs) -> DocumentFeatures:
        """Features of sorted documents; see :meth:`psif.Embedder.word_ids`."""
        found = FeatureMap.of(model)
        return cls(found, found.words.shares(docs).astype(np.float32))

    def __getitem__(self, rows: Array) -> DocumentFeatures:
        return DocumentFeatures(self.map, self.shares[rows])

    def form(self) -> Form:
        """Dual with the sum of both parts' Gram matrices, or primal for many documents."""
        return _FactoredDual(self) if self.shape[0] <= MOST_DOCS else _FactoredPrimal(self)

    def scales(self) -> tuple[Array, Array]:
        """Factors of the topic part and of the word part, one number per document each."""
        if self._topic_squares is None:
            whole, removed = np.zeros(self.shape[0]), np.zeros(self.shape[0])
            for begin in range(0, self.shape[0], _ROWS_TOGETHER):
                rows = np.arange(begin, min(begin + _ROWS_TOGETHER, self.shape[0]))
                part = self[rows]
                for block in part._topic_blocks():
                    whole[rows] += np.square(block).sum(axis=1)
                removed[rows] = np.square(part._removed()).sum(axis=1)
            self._topic_squares = _positive(whole - removed, whole)
        return self.map.scales(self._topic_squares, self.map.word_squares(self.shares))

    def gram(self) -> Array:
        """Products of all documents with one another, (n_docs, n_docs)."""
        n_docs = self.shape[0]
        gram = np.zeros((n_docs, n_docs), dtype=self.dtype)
        for block in self._topic_blocks():
            _add_products(block, block, gram)
        whole = gram.diagonal().astype(np.float64)
        removed = self._removed()
        _add_products(removed, -removed, gram)
        self._topic_squares = _positive(gram.diagonal().astype(np.float64), whole)
        topic_scale, word_scale = (scale.astype(self.dtype) for scale in self.scales())
        for begin in range(0, n_docs, _ROWS_TOGETHER):
            rows = slice(begin, begin + _ROWS_TOGETHER)
            gram[rows] *= topic_scale[rows, None]
            gram[rows] *= topic_scale
        if self.map.word_columns is not None:
            add_sparse_gram(self._word_part(word_scale), gram)
        return gram

    def decide(self, weights: Array) -> Array:
        """Products Xw, (n_docs, m)."""
        of_topics, of_words = self.map.split(weights)
        topic_scale, word_scale = (scale.astype(self.dtype)[:, None] for scale in self.scales())
        found = self.map.word_scores(self.map.project(of_topics))
        result = topic_scale * (self.shares @ found)
        if self.map.word_columns is not None:
            result += word_scale * (self.shares @ self.map.column_scores(of_words))
        return np.asarray(result)

    def pull(self, rows: Array) -> Array:
        """Products Xᵀr of numbers per document, (n_features, m)."""
        topic_scale, word_scale = (scale.astype(self.dtype)[:, None] for scale in self.scales())
        words, back = self.map.words, self.shares.T
        sums = back @ (topic_scale * rows)
        blocks = [words.vectors.T @ (words.codes[:, j, None] * sums) for j in range(words.n_topics)]
        parts = [self.map.project(np.concatenate(blocks))]
        if self.map.word_columns is not None:
            parts.append((back @ (word_scale * rows))[self.map.word_columns.words])
        return np.concatenate(parts)

    def _topic_blocks(self) -> Iterator[Array]:
        """Unscaled topic parts, some topics at a time; the common components are still there."""
        words = self.map.words
        for first in range(0, words.n_topics, _TOPICS_TOGETHER):
            codes = words.codes[:, first : first + _TOPICS_TOGETHER]
            table = (codes[:, :, None] * words.vectors[:, None, :]).reshape(len(codes), -1)
            yield np.asarray(self.shares @ table)

    def _removed(self) -> Array:
        """Parts along the common components, (n_docs, n_removed)."""
        return np.asarray(self.shares @ self.map.word_scores(self.map.components.T))

    def _word_part(self, scale: Array) -> Any:
        from scipy.sparse import diags_array

        assert self.map.word_columns is not None
        kept = self.shares[:, self.map.word_columns.words]
        return (diags_array(scale) @ kept).tocsr()


class _FactoredDual(Dual):
    """One unknown per document; the features stay factors."""

    def __init__(self, features: DocumentFeatures) -> None:
        self._documents = features
        self._gram = features.gram()
        self._gram += 1  # the feature that is always 1
        self.size = len(self._gram)

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

    def precondition(self, vectors: Array, ridge: Array, curvature: Array) -> Array:
        return vectors


# A topic part shorter than this share of what it was with the common components is rounding.
_ROUNDING = 1e-6


def _positive(squares: Array, whole: Array) -> Array:
    return np.where(squares > _ROUNDING * whole, squares, 0.0)


def _add_products(left: Array, right: Array, gram: Array) -> None:
    """Add left · rightᵀ without a second matrix of that size."""
    for begin in range(0, len(left), _ROWS_TOGETHER):
        rows = slice(begin, begin + _ROWS_TOGETHER)
        gram[rows] += left[rows] @ right.T
