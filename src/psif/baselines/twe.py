"""Topical word embeddings (TWE-1): word vector beside topic vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from psif.baselines.bow import unit_sum_rows, word_counts
from psif.baselines.topic_means import TopicMeans
from psif.documents.weights import idf_weights
from psif.model.known_words import KnownWords
from psif.runtime.threads import ranges
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix, FloatVector, IdVector

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_PAIRS_PER_BLOCK = 1 << 18


@dataclass(eq=False, repr=False)
class TopicalWordEmbeddings(TopicMeans):
    r"""Every word takes the topic it has in its document; word and topic vectors side by side.

    .. math:: x_d = \sum_{w \in d} q_{d,w} \, (v_w \oplus t_{z(d,w)}), \qquad
              z(d, w) = \arg\max_k \, \theta_{d,k} \, \phi_{k,w}, \qquad
              q_{d,w} = \frac{\mathrm{tfidf}_{d,w}}{\sum_u \mathrm{tfidf}_{d,u}}

    θ and φ come from latent Dirichlet allocation. Two simplifications against the authors: a topic
    is the most probable one of a word in its document in place of a Gibbs sample of each
    occurrence, and the vector of a topic is the mean vector of the words assigned to it in the
    corpus in place of one trained by skip-gram with the topic as a pseudo-word.

    Parameters
    ----------
    n_topics : int, default=80
    max_iter : int, default=100
        Sweeps over all words when topics are learned.

    Other parameters are those of :class:`~psif.baselines.base.WordVectorMethod`.

    References
    ----------
    .. [1] Liu, Liu, Chua, Sun (2015), "Topical word embeddings".
    """

    def _learn_words(self, known_words: KnownWords, seed: int, y: object) -> None:
        super()._learn_words(known_words, seed, y)
        known = known_words.vocabulary
        seen = self.columns_ >= 0
        self.vectors_: FloatMatrix = self.words_.vectors[seen]
        idf = idf_weights(known.doc_counts[seen], known.n_docs)
        self.idf_: FloatVector = idf.astype(np.float32)
        counts = word_counts(known_words.docs.remap(self.columns_), len(self.vectors_))
        self.topic_vectors_ = self._topic_vectors(counts)
        self.n_features_out_ = 2 * self.words_.dim

    def _topic_vectors(self, counts: csr_matrix) -> FloatMatrix:
        """Mean vector of the words assigned to each topic; zero for a topic without any."""
        from scipy.sparse import csr_matrix

        topics = self._assign(counts)
        shape = (self.n_topics, len(self.vectors_))
        assigned = csr_matrix((counts.data, (topics, counts.indices)), shape=shape)
        totals = np.asarray(assigned.sum(axis=1)).ravel()
        totals[totals == 0] = 1
        means: FloatMatrix = (assigned @ self.vectors_) / totals[:, None]
        return means.astype(np.float32)

    def _assign(self, counts: csr_matrix) -> IdVector:
        """Topic of each word of each document, in the order of the matrix's entries."""
        shares = self.topics_.shares(counts)
        rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        topics = np.empty(counts.nnz, dtype=np.int32)
        for start, stop in ranges(counts.nnz, _PAIRS_PER_BLOCK):
            scores = shares[rows[start:stop]] * self.topics_.word_topics[counts.indices[start:stop]]
            topics[start:stop] = scores.argmax(axis=1)
        return topics

    def _embed(self, docs: FlatDocs) -> FloatMatrix:
        from scipy.sparse import csr_matrix

        counts = word_counts(docs.remap(self.columns_), len(self.vectors_))
        topics = self._assign(counts)
        counts.data *= self.idf_[counts.indices]
        weights = unit_sum_rows(counts, 1)
        by_topic = csr_matrix(
            (weights.data, topics, weights.indptr), shape=(len(docs), self.n_topics)
        )
        return np.hstack([weights @ self.vectors_, by_topic @ self.topic_vectors_])
