"""Weighted bag of concepts (BoC): how often the words of each cluster occur."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from psif.baselines.base import WordVectorMethod, plain_words, words_of
from psif.baselines.bow import word_counts
from psif.model.known_words import KnownWords
from psif.partitions.clusters import Clusters
from psif.runtime.norms import unit_rows
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix


@dataclass(eq=False, repr=False)
class BagOfConcepts(WordVectorMethod):
    r"""Clusters of words as concepts, weighted by how few documents have them (CF-IDF).

    .. math:: x_{d,k} = \frac{n_{d,k}}{\sum_j n_{d,j}} \, \ln \frac{N}{\mathrm{df}_k}

    with :math:`n_{d,k}` the words of d in cluster k and :math:`\mathrm{df}_k` the documents with a
    word of it. Clusters are those of k-means over word vectors of unit norm (Euclidean distance
    then orders pairs as the cosine does; the centres are not re-normed as spherical k-means does).

    Parameters
    ----------
    n_topics : int, default=200
        Concepts; fewer when the corpus has fewer words.
    weighted : bool, default=True
        False leaves the logarithm out.

    Other parameters are those of :class:`~psif.baselines.base.WordVectorMethod`.

    References
    ----------
    .. [1] Kim, Kim, Cho (2017), "Bag-of-concepts: comprehending document representation through
       clustering words in distributed representation".
    """

    n_topics: int = 200
    weighted: bool = True

    def _learn_words(self, known_words: KnownWords, seed: int, y: object) -> None:
        unit = unit_rows(known_words.vectors)
        seen = unit[words_of(known_words)]
        clusters = Clusters(min(self.n_topics, len(seen)), random_state=seed).fit(seen)
        self.codes_: FloatMatrix = clusters.encode(unit)
        self.n_features_out_ = self.codes_.shape[1]
        has = (word_counts(known_words.docs, len(unit)) @ self.codes_) > 0
        n_docs, n_with = len(known_words.docs), has.sum(axis=0)
        # A concept of no document stays zero whatever its weight; max() keeps it finite.
        idf = np.log(n_docs / np.maximum(n_with, 1))
        self.idf_ = (idf if self.weighted else np.ones_like(idf)).astype(np.float32)

    def _embed(self, docs: FlatDocs) -> FloatMatrix:
        shares = plain_words(self.codes_).average_table(docs, self.codes_, n_jobs=self.n_jobs)
        result: FloatMatrix = shares * self.idf_
        return result
