"""Word mover's distance (WMD) and its relaxation (RWMD)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from psif.baselines.base import WordVectorMethod
from psif.baselines.transport import Bags, Query, exact, relaxed
from psif.errors import InputError
from psif.model.known_words import KnownWords
from psif.runtime.threads import map_items
from psif.text.flat import FlatDocs
from psif.types import CountVector, DoubleMatrix, DoubleVector


@dataclass(eq=False, repr=False)
class WordMover(WordVectorMethod):
    r"""How far the words of one document must travel to become those of another.

    .. math:: \mathrm{WMD}(a, b) = \min_{T \ge 0} \sum_{i,j} T_{ij} \|v_i - v_j\|, \quad
              \sum_j T_{ij} = a_i, \; \sum_i T_{ij} = b_j

    with :math:`a_i` the share of word i in document a. Gives distances, not vectors. A document
    without known words is as far from others as any two documents can be, twice the largest norm
    of a word vector, and at distance 0 from another such.

    Parameters
    ----------
    max_words : int or None, default=500
        Most distinct words of a document that take part, the most frequent; ``None`` is all.

    Other parameters are those of :class:`~psif.baselines.base.WordVectorMethod`.

    References
    ----------
    .. [1] Kusner, Sun, Kolkin, Weinberger (2015), "From word embeddings to document distances".
    """

    max_words: int | None = 500

    is_exact: ClassVar[bool] = True

    def _learn_words(self, known_words: KnownWords, seed: int, y: object) -> None:
        self.vectors_ = known_words.vectors
        self.farthest_ = 2 * float(np.linalg.norm(known_words.vectors, axis=1).max())
        self.corpus_ = self._bags(known_words.docs)
        self.n_features_out_ = 0

    def _embed(self, docs: FlatDocs) -> Any:
        raise InputError(
            f"{type(self).__name__} gives distances, not vectors; use distances(texts_a, texts_b), "
            "kneighbors(texts) or the classifier psif.baselines.neighbours.NearestDocuments."
        )

    def distances(
        self, texts_a: Iterable[str], texts_b: Iterable[str], *, paired: bool = False
    ) -> np.ndarray:
        """Distances between documents.

        Parameters
        ----------
        texts_a, texts_b : iterable of str
        paired : bool, default=False
            Measure the first from the first, the second from the second, and so on.

        Returns
        -------
        distances : ndarray of shape (n_a, n_b), or (n_a,) where ``paired``
        """
        a, b = self._bags(self.word_ids(texts_a)), self._bags(self.word_ids(texts_b))
        if not paired:
            rows = map_items(lambda i: self._row(a, i, b), range(len(a)), n_jobs=self.n_jobs)
            return np.array(rows).reshape(len(a), len(b))
        if len(a) != len(b):
            raise InputError(
                f"paired distances need as many texts on both sides; got {len(a)} and {len(b)}."
            )
        return np.array([self._row(a, i, _only(b, i))[0] for i in range(len(a))])

    def kneighbors(
        self, texts: Iterable[str], n_neighbors: int = 5
    ) -> tuple[DoubleMatrix, CountVector]:
        """Nearest of the fitted documents, nearest first.

        The relaxed distance never exceeds the exact one: documents whose relaxed distance is
        beyond the farthest neighbour found so far are never measured exactly.

        Returns
        -------
        distances, positions : ndarrays of shape (n_texts, n_neighbors)
        """
        bags = self._bags(self.word_ids(texts))
        k = min(n_neighbors, len(self.corpus_))
        found = map_items(lambda i: self._nearest(bags, i, k), range(len(bags)), n_jobs=self.n_jobs)
        distances = np.array([row for row, _ in found]).reshape(len(bags), k)
        positions = np.array([row for _, row in found], dtype=np.int64).reshape(len(bags), k)
        return distances, positions

    def _bags(self, docs: FlatDocs) -> Bags:
        return Bags.of(docs, self.vectors_, self.max_words)

    def _row(self, a: Bags, position: int, b: Bags) -> DoubleVector:
        query = a.query(position)
        if not len(query.shares):
            return np.where(b.empty, 0.0, self.farthest_)
        costs = b.costs(query)
        if not self.is_exact:
            return np.where(b.empty, self.farthest_, relaxed(query, b, costs))
        row = np.full(len(b), self.farthest_)
        for j in np.flatnonzero(~b.empty).tolist():
            row[j] = exact(query, b, j, costs)
        return row

    def _nearest(self, bags: Bags, position: int, k: int) -> tuple[DoubleVector, CountVector]:
        query, corpus = bags.query(position), self.corpus_
        if not len(query.shares) or not self.is_exact:
            row = self._row(bags, position, corpus)
            nearest = np.argsort(row, kind="stable")[:k]
            return row[nearest], nearest
        return self._nearest_exact(query, corpus, k)

    def _nearest_exact(
        self, query: Query, corpus: Bags, k: int
    ) -> tuple[DoubleVector, CountVector]:
        costs = corpus.costs(query)
        bounds = np.where(corpus.empty, self.farthest_, relaxed(query, corpus, costs))
        best: list[tuple[float, int]] = []
        for j in np.argsort(bounds, kind="stable").tolist():
            # Costs are float32: a bound may exceed the exact distance by their rounding.
            if len(best) == k and bounds[j] > best[-1][0] * (1 + 1e-6):
                break
            distance = self.farthest_ if corpus.empty[j] else exact(query, corpus, j, costs)
            best = sorted([*best, (distance, j)])[:k]
        distances, positions = zip(*best, strict=True)
        return np.array(distances), np.array(positions, dtype=np.int64)


class RelaxedWordMover(WordMover):
    r"""The larger of two lower bounds of the word mover's distance, each cheap.

    .. math:: \mathrm{RWMD}(a, b) = \max\Big( \sum_i a_i \min_j \|v_i - v_j\|, \;
              \sum_j b_j \min_i \|v_i - v_j\| \Big)

    Settings and use are those of :class:`WordMover`; no transport problem is solved.
    """

    is_exact = False


def _only(bags: Bags, position: int) -> Bags:
    """One document, with just its own words."""
    query = bags.query(position)
    n = len(query.shares)
    return Bags(
        np.arange(n, dtype=np.int32),
        np.array([0, n], dtype=np.int64),
        query.shares,
        query.vectors,
    )
