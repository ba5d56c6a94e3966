"""Word mover's embedding (WME): distances from random documents as features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from psif.baselines.base import WordVectorMethod
from psif.baselines.transport import Bags, Query, exact, relaxed
from psif.errors import InputError
from psif.model.known_words import KnownWords
from psif.runtime.threads import map_ranges
from psif.text.flat import FlatDocs
from psif.types import DoubleVector, FloatMatrix

_QUERIES_PER_BLOCK = 16


@dataclass(eq=False, repr=False)
class WordMoverEmbedding(WordVectorMethod):
    r"""Nearness to R short random documents.

    .. math:: x_{d,r} = \frac{1}{\sqrt R} \exp\big( -\gamma \, \mathrm{WMD}(d, \omega_r) \big)

    A random document :math:`\omega_r` has 1 to D words of equal share, each a vector drawn evenly
    from the box that all word vectors lie in.

    The features of all documents are close together; ``center=True`` leaves what tells them apart.

    Parameters
    ----------
    n_components : int, default=512
        R.
    max_length : int, default=6
        D.
    gamma : float, default=1.0
    transport : {"relaxed", "exact"}, default="relaxed"
        The distance. "exact" is as published and needs the extra "transport"; it solves
        n_docs · R transport problems, hundreds of times slower. Both agree on one-word ω.
    center : bool, default=False
        Subtract the mean features of the fitted documents. A regularised classifier needs it: on
        20 Newsgroups it is worth 7 points (docs/evaluation.md).
    word_norm : default="unit"

    Other parameters are those of :class:`~psif.baselines.base.WordVectorMethod`.

    References
    ----------
    .. [1] Wu, Yen, Xu, Xu, Balakrishnan, Chen, Ravikumar, Witbrock (2018), "Word mover's
       embedding: from word2vec to document embedding".
    """

    word_norm: str = "unit"
    n_components: int = 512
    max_length: int = 6
    gamma: float = 1.0
    transport: str = "relaxed"
    center: bool = False

    def _learn_words(self, known_words: KnownWords, seed: int, y: object) -> None:
        if self.transport not in ("relaxed", "exact"):
            raise InputError(f"transport must be 'relaxed' or 'exact'; got {self.transport!r}.")
        self.vectors_ = known_words.vectors
        low, high = known_words.vectors.min(axis=0), known_words.vectors.max(axis=0)
        rng = np.random.default_rng(seed)
        self.random_documents_ = []
        for length in rng.integers(1, self.max_length, size=self.n_components, endpoint=True):
            words = rng.uniform(low, high, size=(length, len(low))).astype(np.float32)
            self.random_documents_.append(Query(words, np.full(length, 1 / length)))
        self.n_features_out_ = self.n_components
        self.mean_ = np.zeros(self.n_components, dtype=np.float32)
        if self.center:
            filled = known_words.docs.lengths > 0
            self.mean_ = self._features(known_words.docs)[filled].mean(axis=0)

    def _embed(self, docs: FlatDocs) -> FloatMatrix:
        features = self._features(docs)
        features[docs.lengths > 0] -= self.mean_
        return features

    def _features(self, docs: FlatDocs) -> FloatMatrix:
        bags = Bags.of(docs, self.vectors_)
        out = np.empty((len(bags), self.n_components), dtype=np.float32)

        def work(start: int, stop: int) -> None:
            queries = self.random_documents_[start:stop]
            # The costs of several random documents in one product of matrices.
            ends = np.cumsum([len(query.shares) for query in queries])
            together = Query(np.vstack([query.vectors for query in queries]), np.empty(0))
            costs = np.split(bags.costs(together), ends[:-1], axis=1)
            for column, query, part in zip(range(start, stop), queries, costs, strict=True):
                out[:, column] = self._distances(query, bags, np.ascontiguousarray(part))

        map_ranges(work, self.n_components, size=_QUERIES_PER_BLOCK, n_jobs=self.n_jobs)
        features: FloatMatrix = np.exp(-np.float32(self.gamma) * out)
        features[bags.empty] = 0
        features /= np.float32(np.sqrt(self.n_components))
        return features

    def _distances(self, query: Query, bags: Bags, costs: FloatMatrix) -> DoubleVector:
        if self.transport == "relaxed":
            return relaxed(query, bags, costs)
        row = np.zeros(len(bags))
        for j in np.flatnonzero(~bags.empty).tolist():
            row[j] = exact(query, bags, j, costs)
        return row
