"""Random hashes of word vectors, averaged (RandHash)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from psif.baselines.base import WordVectorMethod, plain_words
from psif.documents.averaging import WordTopics
from psif.documents.weights import word_weights
from psif.model.known_words import KnownWords
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix


@dataclass(eq=False, repr=False)
class RandHash(WordVectorMethod):
    r"""Signs of random projections of the words, averaged.

    .. math:: x_d = \frac{1}{|d| \sqrt{R}} \sum_{w \in d} \lambda_w \, \mathrm{sign}(G v_w),
              \qquad G \in R^{R \times d}, \; G_{ij} \sim N(0, 1)

    The inner product of two words' hashes tends to :math:`1 - 2 \theta / \pi`, θ the angle between
    their vectors: a nonlinear kernel, so documents keep more than their mean word vector.

    The P-SIF paper has a row "RandHash" without a definition or a citation. This is our reading of
    the name, random hyperplane hashing; the published number may be of something else.

    Parameters
    ----------
    n_components : int, default=4096
        R.
    weighting : {"idf", "sif", "sif-idf", "uniform"}, default="idf"
    a : float, default=1e-3
        Of SIF weights.

    Other parameters are those of :class:`~psif.baselines.base.WordVectorMethod`.

    References
    ----------
    .. [1] Charikar (2002), "Similarity estimation techniques from rounding algorithms".
    """

    n_components: int = 4096
    weighting: str = "idf"
    a: float = 1e-3

    def _learn_words(self, known_words: KnownWords, seed: int, y: object) -> None:
        known, vectors = known_words.vocabulary, known_words.vectors
        weights = word_weights(
            self.weighting, self.a, known_words.probs, known.doc_counts, known.n_docs
        )
        self.words_: WordTopics = plain_words(vectors, weights)
        draw = np.random.default_rng(seed).standard_normal((self.n_components, vectors.shape[1]))
        self.planes_: FloatMatrix = draw.astype(np.float32)
        self.n_features_out_ = self.n_components

    def _embed(self, docs: FlatDocs) -> FloatMatrix:
        out = np.empty((len(docs), self.n_features_out_), dtype=np.float32)
        # Only the words of these documents are hashed.
        used = np.zeros(len(self.words_.vectors), dtype=bool)
        used[docs.ids] = True
        docs = docs.remap(np.where(used, np.cumsum(used) - 1, -1).astype(np.int32))
        words = plain_words(self.words_.vectors[used], self.words_.weights[used])
        # Some planes at a time: the hashes of all words on all planes would be large.
        for start in range(0, self.n_components, 512):
            planes = self.planes_[start : start + 512]
            hashes = np.sign(words.vectors @ planes.T)
            out[:, start : start + 512] = words.average_table(docs, hashes, n_jobs=self.n_jobs)
        out /= np.float32(np.sqrt(self.n_components))
        return out
