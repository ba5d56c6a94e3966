"""Word mover's embedding (WME): distances from random documents as features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from psif.baselines.base import WordVectorMethod
from psif.baselines.transport import Bags, Query, exact, relaxed
from psif.errors import InputError
from psif.lexicon import Lexicon
from psif.parallel import map_items
from psif.text.flat import FlatDocs
from psif.types import DoubleVector, FloatMatrix


@dataclass(eq=False, repr=False)
class WordMoverEmbedding(WordVectorMethod):
    r"""Nearness to R short random documents.

    .. math:: x_{d,r} = \frac{1}{\sqrt R} \exp\big( -\gamma \, \mathrm{WMD}(d, \omega_r) \big)

    A random document :math:`\omega_r` has 1 to D words of equal share, each a vector drawn evenly
    from the box that all word vectors lie in.

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

    def _learn_lexicon(self, lexicon: Lexicon, seed: int, y: object) -> None:
        if self.transport not in ("relaxed", "exact"):
            raise InputError(f"transport must be 'relaxed' or 'exact'; got {self.transport!r}.")
        self.vectors_ = lexicon.vectors
        low, high = lexicon.vectors.min(axis=0), lexicon.vectors.max(axis=0)
        rng = np.random.default_rng(seed)
        self.random_documents_ = []
        for length in rng.integers(1, self.max_length, size=self.n_components, endpoint=True):
            words = rng.uniform(low, high, size=(length, len(low))).astype(np.float32)
            self.random_documents_.append(Query(words, np.full(length, 1 / length)))
        self.n_features_out_ = self.n_components

    def _embed(self, docs: FlatDocs) -> FloatMatrix:
        bags = Bags.of(docs, self.vectors_)
        columns = map_items(
            lambda query: self._distances(query, bags), self.random_documents_, n_jobs=self.n_jobs
        )
        distances = np.column_stack(columns)
        features: FloatMatrix = np.exp(-self.gamma * distances).astype(np.float32)
        features[bags.empty] = 0
        scaled: FloatMatrix = features / np.float32(np.sqrt(self.n_components))
        return scaled

    def _distances(self, query: Query, bags: Bags) -> DoubleVector:
        costs = bags.costs(query)
        if self.transport == "relaxed":
            return relaxed(query, bags, costs)
        row = np.zeros(len(bags))
        for j in np.flatnonzero(~bags.empty).tolist():
            row[j] = exact(query, bags, j, costs)
        return row
