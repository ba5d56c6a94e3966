"""Unsupervised smoothed inverse frequency (uSIF)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from psif.baselines.base import WordVectorMethod, plain_words
from psif.documents.averaging import WordTopics
from psif.documents.weights import Frequencies, word_probabilities
from psif.model.known_words import KnownWords
from psif.text.flat import FlatDocs
from psif.types import DoubleVector, FloatMatrix


@dataclass(eq=False, repr=False)
class USIF(WordVectorMethod):
    r"""SIF without a constant to tune, and components removed by their share of variance.

    .. math:: a = \frac{1 - \alpha}{\alpha Z}, \quad Z = \tfrac12 |V|, \quad
              \alpha = \tfrac{1}{|V|} \big|\{w : p(w) > 1 - (1 - 1/|V|)^n\}\big|, \qquad
              \lambda_w = \frac{a}{a/2 + p(w)}

    with n the mean length of a document. Every dimension is scaled by its norm over the words of
    the document, as the authors do, then the first m singular vectors go in part:

    .. math:: y_{d,c} = \frac{1}{|d|} \sum_{w \in d} \lambda_w
              \frac{v_{w,c}}{\sqrt{\sum_{u \in d} v_{u,c}^2}}, \qquad
              x_d = y_d - \sum_{i=1}^{m} \frac{\sigma_i^2}{\sum_{j \le m} \sigma_j^2}
              \, u_i \langle u_i, y_d \rangle

    Parameters
    ----------
    frequencies : "corpus", "wordfreq", path or mapping, default="corpus"
        Where p(w) comes from (the authors: English Wikipedia).
    length : int or None
        n; ``None`` is the mean length of the documents (the authors: 11, for STS).
    n_removed : int, default=5
        m; fewer when there are not that many documents or dimensions.
    scale_dims : bool, default=True
        Scale the dimensions as above.

    Other parameters are those of :class:`~psif.baselines.base.WordVectorMethod`.

    Attributes
    ----------
    a_ : float
    components_ : ndarray of shape (m, dim)
    shares_ : ndarray of shape (m,)
        Shares of variance.

    References
    ----------
    .. [1] Ethayarajh (2018), "Unsupervised random walk sentence embeddings: a strong but simple
       baseline".
    """

    frequencies: Frequencies = "corpus"
    length: int | None = None
    n_removed: int = 5
    scale_dims: bool = True

    def _learn_words(self, known_words: KnownWords, seed: int, y: object) -> None:
        probs = word_probabilities(
            known_words.vocabulary.words, self.frequencies, known_words.probs
        )
        mean_length = known_words.docs.n_tokens.sum() / max(1, len(known_words.docs))
        self.a_ = usif_constant(probs, self.length or max(1, round(mean_length)))
        self.words_: WordTopics = plain_words(known_words.vectors, self.a_ / (self.a_ / 2 + probs))
        self.n_features_out_ = self.words_.dim
        sentences = self._sentences(known_words.docs).astype(np.float64)
        # Right singular vectors and squared singular values, from the small dim x dim matrix.
        values, directions = np.linalg.eigh(sentences.T @ sentences)
        m = min(self.n_removed, len(sentences), self.n_features_out_)
        top = np.maximum(values[::-1][:m], 0.0)
        self.shares_: DoubleVector = top / (top.sum() or 1.0)
        self.components_: FloatMatrix = directions[:, ::-1][:, :m].T.astype(np.float32)

    def _sentences(self, docs: FlatDocs) -> FloatMatrix:
        words = self.words_
        means = words.average_table(docs, words.vectors, n_jobs=self.n_jobs)
        if not self.scale_dims:
            return means
        squares = plain_words(words.vectors).average_table(
            docs, words.vectors**2, n_jobs=self.n_jobs
        )
        norms = np.sqrt(squares * docs.lengths[:, None].astype(np.float32))
        return np.divide(means, norms, out=np.zeros_like(means), where=norms > 0)

    def _embed(self, docs: FlatDocs) -> FloatMatrix:
        sentences = self._sentences(docs)
        along = (sentences @ self.components_.T) * self.shares_.astype(np.float32)
        removed: FloatMatrix = (along @ self.components_).astype(np.float32)
        return sentences - removed


def usif_constant(word_probs: DoubleVector, length: int) -> float:
    """Return a from the probabilities of all words and the mean length of a document."""
    probs = word_probs[word_probs > 0]
    size = len(probs)
    threshold = 1 - (1 - 1 / size) ** length
    n_common = int((probs > threshold).sum())
    # A small corpus may have no common word, or only common ones: a would be infinite or 0.
    alpha = min(max(n_common, 1), max(size - 1, 1)) / (size if size > 1 else 2)
    return (1 - alpha) / (alpha * 0.5 * size)
