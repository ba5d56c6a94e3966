"""Concatenated power means of word vectors (p-means)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from psif.baselines.base import WordVectorMethod, plain_words
from psif.errors import InputError
from psif.model.known_words import KnownWords
from psif.runtime.norms import unit_rows
from psif.runtime.threads import map_ranges
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix

_DOCS_PER_BLOCK = 64


@dataclass(eq=False, repr=False)
class PowerMeans(WordVectorMethod):
    r"""Several means of the same words, one after another.

    .. math:: x_d = \bigoplus_p \Big( \frac{1}{|d|} \sum_{w \in d} v_w^p \Big)^{1/p}

    element by element; p = 1 is the mean, p = ∞ the largest and p = −∞ the smallest value.
    For odd p the root keeps its sign. (The authors take the real part of the complex root, which
    turns a negative mean of cubes into half its size, positive.)

    Parameters
    ----------
    powers : sequence of float, default=(1, -inf, inf, 2, 3)
        Whole positive numbers, ∞ or −∞; the default has the five means of the authors' program.
    unit_means : bool, default=False
        Scale each mean to length 1. The least and largest values of a long document are many
        times as long as its mean, and hide it from a regularised classifier.

    Other parameters are those of :class:`~psif.baselines.base.WordVectorMethod`.

    References
    ----------
    .. [1] Rücklé, Eger, Peyrard, Gurevych (2018), "Concatenated power mean word embeddings as
       universal cross-lingual sentence representations".
    """

    powers: Sequence[float] = (1, -np.inf, np.inf, 2, 3)
    unit_means: bool = False

    def _learn_words(self, known_words: KnownWords, seed: int, y: object) -> None:
        for p in self.powers:
            if not (np.isinf(p) or (p == int(p) and p > 0)):
                raise InputError(f"powers must be whole positive numbers, inf or -inf; got {p!r}.")
        self.words_ = plain_words(known_words.vectors)
        self.n_features_out_ = len(self.powers) * self.words_.dim

    def _embed(self, docs: FlatDocs) -> FloatMatrix:
        dim = self.words_.dim
        out = np.empty((len(docs), self.n_features_out_), dtype=np.float32)
        for block, p in enumerate(self.powers):
            columns = out[:, block * dim : (block + 1) * dim]
            mean = self._extremes(docs, p > 0) if np.isinf(p) else self._mean(docs, int(p))
            columns[:] = unit_rows(mean) if self.unit_means else mean
        return out

    def _mean(self, docs: FlatDocs, p: int) -> FloatMatrix:
        table = self.words_.vectors if p == 1 else self.words_.vectors**p
        means = self.words_.average_table(docs, table, n_jobs=self.n_jobs)
        if p == 1:
            return means
        roots: FloatMatrix = np.sign(means) * np.abs(means) ** np.float32(1 / p)
        return roots

    def _extremes(self, docs: FlatDocs, largest: bool) -> FloatMatrix:
        choose = np.maximum if largest else np.minimum
        out = np.zeros((len(docs), self.words_.dim), dtype=np.float32)

        def work(start: int, stop: int) -> None:
            part = docs.part(start, stop)
            # Words repeat: ids are sorted, so the first of each run is enough.
            first = np.ones(len(part.ids), dtype=bool)
            first[1:] = part.ids[1:] != part.ids[:-1]
            filled = np.flatnonzero(part.lengths)
            first[part.offsets[filled]] = True
            before = np.concatenate([[0], np.cumsum(first)])
            rows = self.words_.vectors[part.ids[first]]
            if len(filled):
                out[start + filled] = choose.reduceat(rows, before[part.offsets[filled]], axis=0)

        map_ranges(work, len(docs), size=_DOCS_PER_BLOCK, n_jobs=self.n_jobs)
        return out
