"""Topic shares beside the mean word vector (TV+MeanWV)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from psif.baselines.base import WordVectorMethod, plain_words
from psif.baselines.bow import word_counts
from psif.baselines.lda import fit_lda
from psif.documents.averaging import WordTopics
from psif.model.known_words import KnownWords
from psif.runtime.norms import unit_rows
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix


@dataclass(eq=False, repr=False)
class TopicMeans(WordVectorMethod):
    r"""Topic shares and mean word vector, concatenated, each of unit norm.

    .. math:: x_d = \frac{\theta_d}{\|\theta_d\|} \oplus \frac{\bar v_d}{\|\bar v_d\|}, \qquad
              \bar v_d = \frac{1}{|d|} \sum_{w \in d} v_w

    A simplification: the authors learn the topics in the space of the word vectors (TopicVec);
    here θ comes from latent Dirichlet allocation over the words that have a vector. That is also
    the idea of w2v-LDA, another row of the P-SIF paper.

    Parameters
    ----------
    n_topics : int, default=80
    max_iter : int, default=100
        Sweeps over all words when topics are learned.

    Other parameters are those of :class:`~psif.baselines.base.WordVectorMethod`.

    References
    ----------
    .. [1] Li, Chua, Zhu, Miao (2016), "Generative topic embedding: a continuous representation of
       documents".
    """

    n_topics: int = 80
    max_iter: int = 100

    def _learn_words(self, known_words: KnownWords, seed: int, y: object) -> None:
        self.words_: WordTopics = plain_words(known_words.vectors)
        # Topics are learned from words of the corpus; the others have no place in them.
        seen = known_words.vocabulary.counts > 0
        self.columns_ = np.where(seen, np.cumsum(seen) - 1, -1).astype(np.int32)
        counts = word_counts(known_words.docs.remap(self.columns_), int(seen.sum()))
        self.topics_ = fit_lda(counts, self.n_topics, self.max_iter, seed)
        self.n_features_out_ = self.n_topics + self.words_.dim

    def _embed(self, docs: FlatDocs) -> FloatMatrix:
        means = self.words_.average_table(docs, self.words_.vectors, n_jobs=self.n_jobs)
        counts = word_counts(docs.remap(self.columns_), int(self.columns_.max()) + 1)
        shares = self.topics_.shares(counts)
        return np.hstack([unit_rows(shares), unit_rows(means)])
