"""Latent Dirichlet allocation: documents as mixtures of topics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from psif.baselines.base import WordMethod
from psif.baselines.bow import word_counts
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# Steps of inference for a document; later ones hardly change its shares.
_INFERENCE_STEPS = 30
# Sweeps at the end whose counts make the topics, one draw alone being noisy.
_AVERAGED = 10


@dataclass(eq=False, repr=False)
class LDA(WordMethod):
    r"""The topic shares of documents, :math:`x_{d,k} = E[\theta_{d,k}]`.

    Words are drawn from topics, topics from the document's shares θ; both have Dirichlet priors,
    50/K (at most 1) and 0.1 as in the program that the published numbers were made with
    (GibbsLDA++). Topics are learned by collapsed Gibbs sampling ([2]_), which finds better ones
    than variational inference over all documents does. The shares of a document are inferred with
    the topics fixed, the same way for fitted and new ones.

    Parameters
    ----------
    n_topics : int, default=80
    max_iter : int, default=100
        Sweeps over all words.

    Other parameters are those of :class:`~psif.baselines.base.WordMethod`.

    References
    ----------
    .. [1] Blei, Ng, Jordan (2003), "Latent Dirichlet allocation".
    .. [2] Griffiths, Steyvers (2004), "Finding scientific topics".
    """

    n_topics: int = 80
    max_iter: int = 100

    def _learn_words(self, docs: FlatDocs, y: object) -> None:
        counts = word_counts(docs, len(self.vocabulary_))
        self.topics_ = fit_lda(counts, self.n_topics, self.max_iter, self._seed())
        self.n_features_out_ = self.n_topics

    def _embed(self, docs: FlatDocs) -> FloatMatrix:
        return self.topics_.shares(word_counts(docs, len(self.vocabulary_)))


@dataclass(frozen=True)
class Topics:
    """Learned topics.

    Attributes
    ----------
    word_topics : ndarray of float32, shape (n_words, n_topics)
        Probability of each word in each topic: columns sum to 1.
    alpha : float
        The prior of a document's shares.
    """

    word_topics: FloatMatrix
    alpha: float

    def shares(self, counts: csr_matrix) -> FloatMatrix:
        """Topic shares of documents, rows summing to 1; zero for a document without words."""
        from psif.compiled.topic_sampling import infer_shares

        shares = np.zeros((counts.shape[0], self.word_topics.shape[1]), dtype=np.float32)
        infer_shares(
            counts.indptr, counts.indices, counts.data.astype(np.float32), self.word_topics,
            np.float32(self.alpha), _INFERENCE_STEPS, shares,
        )  # fmt: skip
        shares[np.diff(counts.indptr) == 0] = 0
        return shares


def fit_lda(counts: csr_matrix, n_topics: int, n_sweeps: int, seed: int) -> Topics:
    """Learn topics from word counts."""
    from psif.compiled.topic_sampling import count_topics, sample_topics

    alpha, beta = np.float32(min(50 / n_topics, 1)), np.float32(0.1)
    times = counts.data.astype(np.int64)
    words = np.repeat(counts.indices, times).astype(np.int32)
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    docs = np.repeat(rows, times).astype(np.int32)
    rng = np.random.default_rng(seed)
    topics = rng.integers(0, n_topics, len(words)).astype(np.int32)
    by_doc = np.zeros((counts.shape[0], n_topics), dtype=np.float32)
    by_word = np.zeros((counts.shape[1], n_topics), dtype=np.float32)
    totals = np.zeros(n_topics, dtype=np.float32)
    count_topics(words, docs, topics, by_doc, by_word, totals)
    mean = np.zeros_like(by_word)
    for sweep in range(n_sweeps):
        sample_topics(
            words, docs, topics, by_doc, by_word, totals, alpha, beta, int(rng.integers(2**31))
        )
        if n_sweeps - sweep <= _AVERAGED:
            mean += by_word
    mean += min(_AVERAGED, n_sweeps) * beta
    return Topics(mean / mean.sum(axis=0), float(alpha))
