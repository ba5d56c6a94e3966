"""Bag of word vectors (BoWV): hard clusters, concatenated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from psif.baselines.base import WordVectorMethod, no_components, words_of
from psif.documents.averaging import WordTopics
from psif.documents.weights import idf_weights
from psif.model.known_words import KnownWords
from psif.partitions.clusters import Clusters
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix


@dataclass(eq=False, repr=False)
class BagOfWordVectors(WordVectorMethod):
    r"""For each k-means cluster of words: the sum of its word vectors and the sum of their idf.

    .. math:: x_d \propto \bigoplus_{k=1}^{K} \Big( \sum_{w \in d, c(w) = k} v_w \;\oplus
              \sum_{w \in d, c(w) = k} \mathrm{idf}_w \Big)

    of unit norm: K · (d + 1) numbers.

    Parameters
    ----------
    n_topics : int, default=60
        K; fewer when the corpus has fewer words.

    Other parameters are those of :class:`~psif.baselines.base.WordVectorMethod`.

    References
    ----------
    .. [1] Gupta, Karnick, Bansal, Jhala (2016), "Product classification in e-commerce using
       distributional semantics".
    """

    n_topics: int = 60

    def _learn_words(self, known_words: KnownWords, seed: int, y: object) -> None:
        known, vectors = known_words.vocabulary, known_words.vectors
        seen = vectors[words_of(known_words)]
        clusters = Clusters(min(self.n_topics, len(seen)), random_state=seed).fit(seen)
        idf = idf_weights(known.doc_counts, known.n_docs).astype(np.float32)
        # The idf is one more dimension of a word: its sum lands in the word's cluster.
        self.words_ = WordTopics(
            np.ones(len(known), dtype=np.float32),
            clusters.encode(vectors),
            np.ascontiguousarray(np.column_stack([vectors, idf])),
        )
        self.n_features_out_ = self.words_.n_features

    def _embed(self, docs: FlatDocs) -> FloatMatrix:
        words = self.words_
        rows = words.average(docs, no_components(words), n_jobs=self.n_jobs)
        norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        norms[norms == 0] = 1
        # In place: K · (d + 1) numbers per document are too many to hold twice.
        rows /= norms[:, None]
        return rows
