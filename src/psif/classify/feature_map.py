r"""The parts of a document's features, and how they share its length.

The vector of a document has up to four parts: its topics
:math:`t = (I - U^T U) \sum_w s_w (\alpha_w \otimes v_w)`, its words :math:`l = \sum_w s_w e_w`
(:mod:`psif.documents.word_columns`), its pairs of words p (:mod:`psif.classify.pairs`) and what
its words mean in their language, e (:mod:`psif.classify.language`). Each is scaled to its share:

.. math:: x = [\sqrt{1 - \epsilon}\, (a\, t;\; b\, l;\; c\, p);\; \sqrt{\epsilon}\, e], \qquad
          a = \sqrt{\tau} / \|t\|, \quad b = \sqrt{\lambda} / \|l\|, \quad
          c = \sqrt{\pi} / \|p\|, \quad \tau + \lambda + \pi = 1
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from psif.classify.language import LanguageTable
from psif.classify.linear.losses import Array
from psif.classify.pairs import PairColumns
from psif.documents.averaging import WordTopics
from psif.documents.word_columns import WordColumns
from psif.model.embedder import Embedder
from psif.text.flat import FlatDocs


class PartShares(NamedTuple):
    """Shares of topics, words and pairs in the squared length of a document.

    They divide what ``language``, the share of the table of a language, leaves.
    """

    topics: float
    words: float
    pairs: float
    language: float = 0.0

    @classmethod
    def of(cls, model: Embedder) -> PartShares:
        """Shares of a model: it has no pairs."""
        words = model.word_columns_.share if model.word_columns_ else 0.0
        return cls(1 - words, words, 0.0)

    def with_pairs(self, share: float) -> PartShares:
        """Give a share to pairs; topics and words keep their ratio."""
        return PartShares(self.topics * (1 - share), self.words * (1 - share), share)

    @property
    def of_corpus(self) -> tuple[float, float, float]:
        """Shares of topics, words and pairs, which sum to 1."""
        return self.topics, self.words, self.pairs

    @property
    def corpus_factor(self) -> float:
        """Length of topics, words and pairs together."""
        return math.sqrt(1 - self.language)


class PartScales(NamedTuple):
    """Factors of the parts of documents, one number per document each."""

    topics: Array
    words: Array
    pairs: Array


class PartWeights(NamedTuple):
    """Weights of classes, cut into those of the parts of documents."""

    topics: Array
    words: Array
    pairs: Array
    language: Array


class FeatureMap(NamedTuple):
    """What turns word shares into features."""

    words: WordTopics
    components: Array
    word_columns: WordColumns | None
    pairs: PairColumns
    shares: PartShares
    language: LanguageTable | None = None

    @classmethod
    def of(
        cls,
        model: Embedder,
        pairs: PairColumns | None = None,
        shares: PartShares | None = None,
        language: LanguageTable | None = None,
    ) -> FeatureMap:
        """Take the parts of a model; one without a table of compact vectors."""
        return cls(
            model.words_,
            model.components_,
            model.word_columns_,
            PairColumns.none() if pairs is None else pairs,
            PartShares.of(model) if shares is None else shares,
            language,
        )

    def with_language(self, language: LanguageTable, share: float) -> FeatureMap:
        """Give a share to the table of a language; the other parts keep their ratios."""
        return self._replace(language=language, shares=self.shares._replace(language=share))

    def own(self, docs: FlatDocs) -> FlatDocs:
        """Skip the words that only the table of a language has."""
        n_words, largest = len(self.words.codes), int(docs.ids.max(initial=-1))
        if largest < n_words:
            return docs
        ids = np.arange(largest + 1, dtype=np.int32)
        return docs.remap(np.where(ids < n_words, ids, -1).astype(np.int32))

    def meanings(self, docs: FlatDocs, n_jobs: int | None = None) -> Array | None:
        """Return the parts of documents that come from the table of a language, scaled."""
        if self.language is None:
            return None
        scale = np.float32(math.sqrt(self.shares.language))
        return np.asarray(scale * self.language.documents(docs, n_jobs))

    @property
    def n_topic_features(self) -> int:
        """Numbers in the topic part."""
        return self.words.n_features

    @property
    def n_word_features(self) -> int:
        """Numbers in the word part."""
        return self.word_columns.n_columns if self.word_columns else 0

    @property
    def n_features(self) -> int:
        """Numbers in all parts."""
        n_language = 0 if self.language is None else self.language.dim
        return self.n_topic_features + self.n_word_features + len(self.pairs) + n_language

    def split(self, weights: Array) -> PartWeights:
        """Cut weights into those of the parts."""
        first = self.n_topic_features
        second = first + self.n_word_features
        third = second + len(self.pairs)
        return PartWeights(
            weights[:first], weights[first:second], weights[second:third], weights[third:]
        )

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

    @property
    def has_column(self) -> Array:
        """Which words have a column."""
        if self.word_columns is None:
            return np.zeros(len(self.words.codes), dtype=bool)
        return np.asarray(self.word_columns.columns >= 0)

    def scales(self, topics: Array, words: Array, pairs: Array) -> PartScales:
        """Return the factors of documents, from the squared lengths of their parts.

        Parts that are there divide the length by their shares; a document without topics is
        zero. With topics and words this is what
        :func:`psif.compiled.word_columns.balance_rows` and scaling to unit length make.
        """
        squares = [np.where(topics > 0, part, 0.0) for part in (topics, words, pairs)]
        both = list(zip(self.shares.of_corpus, squares, strict=True))
        total = sum(share * (part > 0) for share, part in both)
        whole = self.shares.corpus_factor
        return PartScales(
            *(
                whole * np.sqrt(np.divide(share, total * part, np.zeros_like(part), where=part > 0))
                for share, part in both
            )
        )
