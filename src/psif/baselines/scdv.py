"""Sparse composite document vectors (SCDV)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from psif.baselines.base import WordVectorMethod, no_components, words_of
from psif.documents.averaging import WordTopics
from psif.documents.weights import idf_weights
from psif.model.known_words import KnownWords
from psif.partitions.mixture import Mixture
from psif.runtime.norms import unit_rows
from psif.runtime.threads import ranges
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# A document has K·d numbers before most are cut: only this many are held dense at a time.
_DOCS_PER_BLOCK = 1024


@dataclass(eq=False, repr=False)
class SCDV(WordVectorMethod):
    r"""Soft clusters, idf weights, concatenation, small numbers set to zero; a CSR matrix.

    .. math:: y_d \propto \sum_{w \in d} \mathrm{idf}_w \, (P(\cdot \mid w) \otimes v_w), \qquad
              x_{d,i} = y_{d,i} \, [\, |y_{d,i}| \ge t \,], \qquad
              t = \frac{p}{100} \cdot \frac{|\bar a_{min}| + |\bar a_{max}|}{2}

    with P from a Gaussian mixture with one covariance for all clusters, y of unit norm, and
    :math:`\bar a_{min}, \bar a_{max}` the mean least and largest number of the documents fitted.

    Parameters
    ----------
    n_topics : int, default=60
        K; fewer when the corpus has fewer words.
    sparsity : float, default=4.0
        p, in per cent.
    covariance : {"tied", "diag", "full"}, default="tied"

    Other parameters are those of :class:`~psif.baselines.base.WordVectorMethod`.

    References
    ----------
    .. [1] Mekala, Gupta, Paranjape, Karnick (2017), "SCDV: sparse composite document vectors using
       soft clustering over distributional representations".
    """

    n_topics: int = 60
    sparsity: float = 4.0
    covariance: str = "tied"

    def _learn_words(self, known_words: KnownWords, seed: int, y: object) -> None:
        known, vectors = known_words.vocabulary, known_words.vectors
        seen = vectors[words_of(known_words)]
        k = min(self.n_topics, len(seen))
        # All responsibilities count: no tail is cut here, only in the documents.
        mixture = Mixture(k, n_active=k, tail=0.0, covariance=self.covariance, random_state=seed)
        codes = mixture.fit(seen).encode(vectors)
        # What cannot move a float32 sum would only cost time: many are as small as 1e-30.
        codes[codes < 1e-8] = 0
        idf = idf_weights(known.doc_counts, known.n_docs).astype(np.float32)
        self.words_ = WordTopics(idf, codes, vectors)
        self.n_features_out_ = self.words_.n_features
        lows, highs = [], []
        for dense in self._dense(known_words.docs):
            lows.append(dense.min(axis=1))
            highs.append(dense.max(axis=1))
        low, high = np.concatenate(lows).mean(), np.concatenate(highs).mean()
        self.threshold_ = float(self.sparsity / 100 * (abs(low) + abs(high)) / 2)

    def _dense(self, docs: FlatDocs) -> Iterator[FloatMatrix]:
        for start, stop in ranges(len(docs), _DOCS_PER_BLOCK):
            rows = self.words_.average(
                docs.part(start, stop), no_components(self.words_), n_jobs=self.n_jobs
            )
            yield unit_rows(rows)

    def _embed(self, docs: FlatDocs) -> csr_matrix:
        from scipy.sparse import csr_matrix, vstack

        parts = [csr_matrix((0, self.n_features_out_), dtype=np.float32)]
        for dense in self._dense(docs):
            dense[np.abs(dense) < self.threshold_] = 0
            parts.append(csr_matrix(dense))
        return vstack(parts, format="csr")
