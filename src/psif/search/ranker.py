"""The index as a method to evaluate: documents in, rankings out."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from psif.errors import PsifWarning
from psif.search.building import collect, make_records, make_segment
from psif.search.index import Index
from psif.search.scoring import LEXICAL
from psif.search.segment import Part
from psif.search.stemming import AUTO, NO_LANGUAGE, check_language
from psif.search.storage import Content
from psif.text.checks import check_texts


@dataclass
class Ranker:
    """Ranks documents for queries with :class:`psif.Index`.

    Parameters
    ----------
    lexical : float
        As in :meth:`psif.Index.search`; with 1 no model is learned.
    language : str
        As in :meth:`psif.Index.build`.
    n_jobs : int or None
    """

    lexical: float = LEXICAL
    language: str = AUTO
    n_jobs: int | None = None
    _index: Index | None = field(default=None, repr=False)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the settings, as scikit-learn names this."""
        return {"lexical": self.lexical, "language": self.language, "n_jobs": self.n_jobs}

    def fit(self, texts: Iterable[str], y: Any = None) -> Self:
        """Index documents."""
        if self.lexical == 1:
            self._index = _words_alone(texts, self.language, self.n_jobs)
        else:
            self._index = Index.build(texts, language=self.language, n_jobs=self.n_jobs)
        return self

    def rank(self, queries: Sequence[str], k: int) -> list[list[int]]:
        """Positions of the best documents of each query, best first."""
        assert self._index is not None, "call fit first"
        with warnings.catch_warnings():
            # A query of unknown words has an empty ranking; the measures say what that costs.
            warnings.simplefilter("ignore", PsifWarning)
            found = self._index.search_many(queries, k, lexical=self.lexical, n_jobs=self.n_jobs)
        return [[int(hit.id) for hit in hits] for hits in found]


def bm25(*, n_jobs: int | None = None) -> Ranker:
    """BM25 over words as they are."""
    return Ranker(1.0, NO_LANGUAGE, n_jobs)


def bm25_stemmed(*, language: str = AUTO, n_jobs: int | None = None) -> Ranker:
    """BM25 over stems."""
    return Ranker(1.0, language, n_jobs)


def hybrid(*, lexical: float = LEXICAL, language: str = AUTO, n_jobs: int | None = None) -> Ranker:
    """BM25 over stems and P-SIF together: :class:`psif.Index` with its defaults."""
    return Ranker(lexical, language, n_jobs)


def _words_alone(texts: Iterable[str], language: str, n_jobs: int | None) -> Index:
    """Index words without learning a model, which BM25 does not need."""
    language = check_language(language)
    collected = collect(make_records(check_texts(texts), None, None, 0), n_jobs=n_jobs)
    if language == AUTO:
        language = collected.language()
    segment = make_segment(collected, language, None)
    return Index(Content((Part(segment),), None, language, len(segment)))
