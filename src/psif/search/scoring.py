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
from functools import cached_property
from math import sqrt
from threading import local

import numpy as np

from psif.search.query import Query
from psif.search.rows import Moments
from psif.search.segment import Part
from psif.search.selecting import Mask, Selector, Sum
from psif.types import CountVector, DoubleVector

LEXICAL = 0.5
N_FEEDBACK = 5
SHARPNESS = 2.0
# Documents with the best words, from which the search for the best sums begins.
_SEEDS = 64


@dataclass(frozen=True)
class Scale:
    """What the parts of a score are multiplied with.

    Attributes
    ----------
    lexical, dense : float
        Factors of BM25 and of the inner product.
    feedback : ndarray of shape (n_dims,)
        f, to be added to the query's vector; zero without feedback.
    seeds : ndarray of int64
        Documents that are likely to be among the best.
    sources : list of (int, float)
        The documents that f is made of, and their shares p.
    """

    lexical: float
    dense: float
    feedback: DoubleVector = field(repr=False)
    seeds: CountVector = field(repr=False)
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
        self.selector = Selector(parts)
        self.offsets = self.selector.offsets
        self._room = local()
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
        """BM25 of all documents, deleted ones too; the array is valid until the next call."""
        scores = self._zeros()
        for term in query.terms:
            for number, (part, place) in enumerate(zip(self.parts, term.places, strict=True)):
                if place >= 0:
                    here = scores[self.offsets[number] : self.offsets[number + 1]]
                    part.segment.postings.add_scores(place, term.weight, self.mean_length, here)
        return scores

    def _zeros(self) -> DoubleVector:
        """Return zeros for all documents; valid until this thread asks again.

        Fresh memory for a million documents takes longer than adding up a word's scores.
        """
        scores: DoubleVector | None = getattr(self._room, "scores", None)
        if scores is None:
            scores = self._room.scores = np.zeros(len(self))
        scores.fill(0)
        return scores

    @cached_property
    def moments(self) -> Moments:
        """Sums over the vectors of all documents that are not deleted."""
        total = Moments.none(self.selector.n_dims)
        for part in self.parts:
            rows = part.segment.rows
            if rows is None:
                continue
            total += rows.moments
            if part.live is not None:
                gone = np.flatnonzero(~part.live)
                total -= Moments.of(rows.vectors[gone], rows.scales[gone])
        return total

    # The best

    def rank(
        self,
        query: Query,
        *,
        number: int,
        weight: float = LEXICAL,
        allowed: Mask | None = None,
        n_jobs: int | None = None,
        exact: bool = False,
    ) -> tuple[Ranking, Scale]:
        """Find the best documents, of those that are allowed and not deleted."""
        lexical = self.lexical_scores(query)
        scale = self.scale(query, lexical, weight, n_jobs, exact=exact)
        free = (
            self.live if allowed is None else (allowed & self.live if len(self.live) else allowed)
        )
        docs, scores = self.selector.best(
            self._sum(query, lexical, scale), free, number, scale.seeds, n_jobs, exact=exact
        )
        by_words = scale.lexical * lexical[docs]
        return Ranking(docs, scores, by_words, scores - by_words), scale

    def scale(
        self,
        query: Query,
        lexical: DoubleVector,
        weight: float = LEXICAL,
        n_jobs: int | None = None,
        *,
        exact: bool = False,
    ) -> Scale:
        """Factors and feedback of a query; filters do not change them."""
        none = np.zeros(len(query.vector))
        spread, seeds = self._survey(lexical)
        if weight in (0.0, 1.0):
            return Scale(weight, 1.0 - weight, none, seeds)
        by_words = weight / spread if spread else 0.0
        by_vector = 0.0
        if query.coverage:
            spread = self.moments.deviation(query.vector.astype(np.float64))
            by_vector = (1.0 - weight) * sqrt(query.coverage) / spread if spread else 0.0
        first = Scale(by_words, by_vector, none, seeds)
        if not first.dense:
            return first
        docs, scores = self.selector.best(
            self._sum(query, lexical, first), self.live, N_FEEDBACK, seeds, n_jobs, exact=exact
        )
        if not len(docs):
            return first
        shares = np.exp(SHARPNESS * (scores - scores[0]))
        shares /= shares.sum()
        sources = list(zip(docs.tolist(), shares.tolist(), strict=True))
        feedback = shares @ self.selector.vectors(docs)
        return Scale(first.lexical, first.dense, feedback, np.union1d(seeds, docs), sources)

    def _survey(self, scores: DoubleVector) -> tuple[float, CountVector]:
        """Return the deviation (where all scores are equal, the score), and the best documents."""
        from psif.compiled.ranking import survey

        best, docs = np.empty(_SEEDS), np.empty(_SEEDS, dtype=np.int64)
        spread, n = survey(scores, self.live, best, docs)
        return float(spread) or float(best[:n].max(initial=0.0)), docs[:n]

    @staticmethod
    def _sum(query: Query, lexical: DoubleVector, scale: Scale) -> Sum:
        direction = query.vector.astype(np.float64) + scale.feedback
        return Sum(lexical, scale.lexical, direction, scale.dense)

    # Single documents

    def place(self, doc: int) -> tuple[int, int]:
        """Part of a document, and its position there."""
        part = int(np.searchsorted(self.offsets, doc, side="right")) - 1
        return part, doc - int(self.offsets[part])
