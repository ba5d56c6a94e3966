r"""The score: BM25 and P-SIF on one scale, then a second look at the best documents.

.. math:: s_1(d) = \lambda \frac{\mathrm{BM25}(q, d)}{\sigma_L}
          + (1 - \lambda) \, c \, \frac{\langle z_q, z_d \rangle}{\sigma_D}

:math:`\sigma_L` and :math:`\sigma_D` are the standard deviations of the two scores over all
documents: a query whose words single out few documents is decided by words, one whose words are
everywhere by topics. c is the root of the share of the query that the model knows. The best five
documents then speak for others like them (feedback after Rocchio, 1971), each as much as it
stands out:

.. math:: s(d) = s_1(d) + (1 - \lambda) \, c \,
          \frac{\langle f, z_d \rangle}{\sigma_D}, \qquad
          f = \sum_{j=1}^{5} p_j z_{d_j}, \quad p_j \propto e^{2 s_1(d_j)}

Every document's score is linear in its words, so it can be explained exactly. With
:math:`\lambda = 1` the score is BM25 itself and with :math:`\lambda = 0` the cosine itself, both
without feedback. docs/research.md says how the constants were chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from psif.runtime.threads import map_ranges
from psif.search.query import Query
from psif.search.segment import Part
from psif.search.space import Rows
from psif.types import CountVector, DoubleMatrix, DoubleVector, FloatMatrix, FloatVector

LEXICAL = 0.5
N_FEEDBACK = 5
SHARPNESS = 2.0
# Best documents by the first score that get the second; docs/research.md: 100 are as good as all.
N_CANDIDATES = 200
# Rows that stay in a core's second cache while several queries pass over them.
_ROWS = 2_048
# Below this many numbers per query a thread costs more than it gains.
_SMALL = 1 << 22
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Scale:
    """What the parts of a score are multiplied with.

    Attributes
    ----------
    lexical, dense : float
        Factors of BM25 and of the inner product.
    feedback : ndarray of shape (n_dims,)
        f, to be added to the query's vector; zero without feedback.
    sources : list of (int, float)
        The documents that f is made of, and their shares p.
    """

    lexical: float
    dense: float
    feedback: DoubleVector = field(repr=False)
    sources: list[tuple[int, float]] = field(default_factory=list)


@dataclass(frozen=True)
class Ranking:
    """Documents of a query, best first.

    Attributes
    ----------
    docs : ndarray of int64
        Positions in the index.
    scores, lexical, dense : ndarray of float64
        The score and its two parts, which sum to it.
    """

    docs: CountVector
    scores: DoubleVector
    lexical: DoubleVector
    dense: DoubleVector


class Scorer:
    """Scores over the parts of an index."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        sizes = [len(part) for part in parts]
        self.offsets = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        self.n_docs = sum(part.n_live for part in parts)
        self.mean_length = max(1.0, sum(p.length_sum for p in parts) / max(1, self.n_docs))
        self.live: Mask = np.zeros(0, dtype=bool)
        if any(part.live is not None for part in parts):
            self.live = np.concatenate(
                [np.ones(len(p), dtype=bool) if p.live is None else p.live for p in parts]
            )

    def __len__(self) -> int:
        return int(self.offsets[-1])

    # All documents

    def lexical_scores(self, query: Query) -> DoubleVector:
        """BM25 of all documents, deleted ones too."""
        scores = np.zeros(len(self))
        for term in query.terms:
            for number, (part, place) in enumerate(zip(self.parts, term.places, strict=True)):
                if place >= 0:
                    here = scores[self.offsets[number] : self.offsets[number + 1]]
                    part.segment.postings.add_scores(place, term.weight, self.mean_length, here)
        return scores

    def dense_scores(self, queries: FloatMatrix, n_jobs: int | None = None) -> FloatMatrix:
        """Inner products of all documents with some queries, in one pass over the vectors."""
        from psif.compiled.ranking import score_rows

        out = np.zeros((len(queries), len(self)), dtype=np.float32)
        for number, part in enumerate(self.parts):
            rows = part.segment.rows
            if rows is None:
                continue
            target = out[:, self.offsets[number] : self.offsets[number + 1]]

            def work(
                start: int, stop: int, rows: Rows = rows, target: FloatMatrix = target
            ) -> None:
                for begin in range(start, stop, _ROWS):
                    here = slice(begin, min(begin + _ROWS, stop))
                    for query, scores in zip(queries, target, strict=True):
                        score_rows(rows.vectors[here], rows.scales[here], query, scores[here])

            size = max(_ROWS, _SMALL // (max(1, queries.size)))
            map_ranges(work, len(rows.vectors), size=size, n_jobs=n_jobs)
        return out

    # The best

    def rank(
        self,
        query: Query,
        lexical: DoubleVector,
        dense: FloatVector,
        *,
        number: int,
        weight: float = LEXICAL,
        allowed: Mask | None = None,
    ) -> tuple[Ranking, Scale]:
        """Find the best documents, of those that are allowed and not deleted."""
        scale = self.scale(query, lexical, dense, weight)
        free = (
            self.live if allowed is None else (allowed & self.live if len(self.live) else allowed)
        )
        n_candidates = number if not scale.sources else max(number, N_CANDIDATES)
        docs, _ = self._best(lexical, dense, scale, free, n_candidates)
        return self._final(query, docs, lexical, scale, number), scale

    def scale(
        self, query: Query, lexical: DoubleVector, dense: FloatVector, weight: float = LEXICAL
    ) -> Scale:
        """Factors and feedback of a query; filters do not change them."""
        none = np.zeros(len(query.vector))
        if weight in (0.0, 1.0):
            return Scale(weight, 1.0 - weight, none)
        by_words, by_vector = (self._unit(scores) for scores in (lexical, dense))
        first = Scale(weight * by_words, (1.0 - weight) * sqrt(query.coverage) * by_vector, none)
        if not first.dense:
            return first
        docs, scores = self._best(lexical, dense, first, self.live, N_FEEDBACK)
        if not len(docs):
            return first
        shares = np.exp(SHARPNESS * (scores - scores[0]))
        shares /= shares.sum()
        sources = list(zip(docs.tolist(), shares.tolist(), strict=True))
        return Scale(first.lexical, first.dense, shares @ self.vectors(docs), sources)

    def _unit(self, scores: DoubleVector | FloatVector) -> float:
        """Return one over the deviation; where all scores are equal, one over the score."""
        from psif.compiled.ranking import deviation

        spread = float(deviation(scores, self.live)) or float(scores.max(initial=0.0))
        return 1.0 / spread if spread > 0 else 0.0

    def _best(
        self, lexical: DoubleVector, dense: FloatVector, scale: Scale, free: Mask, number: int
    ) -> tuple[CountVector, DoubleVector]:
        from psif.compiled.ranking import best_sums

        number = min(number, len(self))
        scores, docs = np.empty(number), np.empty(number, dtype=np.int64)
        n = best_sums(lexical, scale.lexical, dense, scale.dense, free, scores, docs)
        return docs[:n], scores[:n]

    def _final(
        self, query: Query, docs: CountVector, lexical: DoubleVector, scale: Scale, number: int
    ) -> Ranking:
        by_words = scale.lexical * lexical[docs]
        by_vector = np.zeros(len(docs))
        if scale.dense:
            direction = query.vector.astype(np.float64) + scale.feedback
            by_vector = scale.dense * (self.vectors(docs) @ direction)
        scores = by_words + by_vector
        order = np.lexsort((docs, -scores))[:number]
        return Ranking(docs[order], scores[order], by_words[order], by_vector[order])

    # Single documents

    def place(self, doc: int) -> tuple[int, int]:
        """Part of a document, and its position there."""
        part = int(np.searchsorted(self.offsets, doc, side="right")) - 1
        return part, doc - int(self.offsets[part])

    def vectors(self, docs: CountVector) -> DoubleMatrix:
        """Return the stored vectors of some documents."""
        numbers = np.searchsorted(self.offsets, docs, side="right") - 1
        out = np.zeros((len(docs), self.n_dims))
        for number in np.unique(numbers).tolist():
            rows = self.parts[number].segment.rows
            assert rows is not None
            here = numbers == number
            places = docs[here] - self.offsets[number]
            out[here] = rows.vectors[places] * rows.scales[places].astype(np.float64)[:, None]
        return out

    @property
    def n_dims(self) -> int:
        """Numbers per vector; 0 without vectors."""
        rows = self.parts[0].segment.rows if self.parts else None
        return 0 if rows is None else int(rows.vectors.shape[1])
