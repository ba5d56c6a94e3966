"""The best documents of a query among all of an index, of which few are looked at closely."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from psif.runtime.threads import map_items, ranges
from psif.search.rows import Rows
from psif.search.segment import Part
from psif.types import CountVector, DoubleMatrix, DoubleVector

# Documents per thread at a time; a multiple of what lies together.
_PIECE = 1 << 20
Mask = NDArray[np.bool_]


class Sum(NamedTuple):
    """A score to find the best documents by.

    Attributes
    ----------
    lexical : ndarray of shape (n_docs,)
    by_words : float
        Its factor.
    direction : ndarray of shape (n_dims,)
        What vectors of documents are multiplied with.
    by_vector : float
        The factor of that.
    """

    lexical: DoubleVector
    by_words: float
    direction: DoubleVector
    by_vector: float


class Best(NamedTuple):
    """Positions and scores of documents, best first."""

    docs: CountVector
    scores: DoubleVector


class Selector:
    """Selects among the documents of some parts."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts
        self.offsets = np.concatenate([[0], np.cumsum([len(part) for part in parts])])
        self._rows = [part.segment.rows or Rows.none() for part in parts]

    def best(
        self,
        asked: Sum,
        free: Mask,
        number: int,
        seeds: CountVector,
        n_jobs: int | None = None,
        *,
        exact: bool = False,
    ) -> Best:
        """Find the documents with the largest sums, among those that are free (empty: all).

        The result is that of scoring every document. ``seeds`` are documents that are likely to be
        good, scored first: what they reach, others must. Of parts with lists of neighbours, only
        seeds and the nearest lists are looked at, unless the search shall be ``exact``.
        """
        from psif.compiled.ranking import best_rows

        floor = self._reached(asked, seeds[free[seeds]] if len(free) else seeds, number)

        near_alone = asked.by_vector > 0 and not exact

        def work(piece: tuple[int, int, int]) -> Best:
            part, start, stop = piece
            lists = self._rows[part].lists
            if near_alone and lists is not None:
                near = np.union1d(lists.near(asked.direction), self._seeds_of(part, seeds))
                return self._best_of(part, near, asked, free, number, floor)
            first = int(self.offsets[part]) + start
            most = min(number, stop - start)
            scores, docs = np.empty(most), np.empty(most, dtype=np.int64)
            n = best_rows(
                asked.lexical[first : first + stop - start], asked.by_words,
                self._rows[part].part(start, stop), asked.direction, asked.by_vector,
                first, free, floor, scores, docs,
            )  # fmt: skip
            return Best(docs[:n], scores[:n])

        pieces = []
        for number_of_part, part in enumerate(self._parts):
            whole = near_alone and self._rows[number_of_part].lists is not None
            size = max(1, len(part)) if whole else _PIECE
            pieces += [(number_of_part, start, stop) for start, stop in ranges(len(part), size)]
        found = map_items(work, pieces, n_jobs=n_jobs)
        scores = np.concatenate([np.zeros(0), *(best.scores for best in found)])
        docs = np.concatenate([np.zeros(0, dtype=np.int64), *(best.docs for best in found)])
        order = np.lexsort((docs, -scores))[:number]
        return Best(docs[order], scores[order])

    def _seeds_of(self, part: int, seeds: CountVector) -> CountVector:
        first, last = int(self.offsets[part]), int(self.offsets[part + 1])
        mine: CountVector = seeds[(seeds >= first) & (seeds < last)] - first
        return mine

    def _best_of(
        self, part: int, near: CountVector, asked: Sum, free: Mask, number: int, floor: float
    ) -> Best:
        """Find the best of some documents of a part."""
        docs = near + int(self.offsets[part])
        if len(free):
            near, docs = near[free[docs]], docs[free[docs]]
        words = asked.by_words * asked.lexical[docs]
        scores = words + asked.by_vector * self._rows[part].products(near, asked.direction)
        kept = (scores >= floor) & ((scores > 0) | (words > 0))
        docs, scores = docs[kept], scores[kept]
        order = np.lexsort((docs, -scores))[:number]
        return Best(docs[order], scores[order])

    def _reached(self, asked: Sum, seeds: CountVector, number: int) -> float:
        """Return a score that so many documents reach."""
        if len(seeds) < number:
            return -inf
        sums = asked.by_words * asked.lexical[seeds]
        if asked.by_vector:
            sums += asked.by_vector * (self.vectors(seeds) @ asked.direction)
        least = float(np.partition(sums, -number)[-number])
        return least - 1e-9 * abs(least)  # sums are rounded in other orders there

    def vectors(self, docs: CountVector) -> DoubleMatrix:
        """Return the stored vectors of some documents."""
        numbers = np.searchsorted(self.offsets, docs, side="right") - 1
        out = np.zeros((len(docs), self.n_dims))
        for number in np.unique(numbers).tolist():
            here = numbers == number
            out[here] = self._rows[number].take(docs[here] - self.offsets[number])
        return out

    @property
    def n_dims(self) -> int:
        """Numbers per vector; 0 without vectors."""
        return self._rows[0].n_dims if self._rows else 0
