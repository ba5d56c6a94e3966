"""Questions to one state of an index; the state never changes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from psif.errors import InputError
from psif.runtime.threads import map_items, resolve_jobs
from psif.search.conditions import check_fields
from psif.search.explaining import N_PAIRS, Explainer
from psif.search.explanation import SearchExplanation
from psif.search.hits import Hit
from psif.search.metadata import Column
from psif.search.query import Query, read_query
from psif.search.scoring import LEXICAL, Ranking, Scale, Scorer
from psif.search.storage import Content
from psif.search.texts import Stored
from psif.search.where import parse_where


class Searcher:
    """Searches the documents of an index as they were when it was made."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._scorer = Scorer(content.parts)

    @property
    def n_docs(self) -> int:
        """Documents that are not deleted."""
        return self._scorer.n_docs

    def read(self, text: str) -> Query:
        """Read a query; one without words is refused."""
        content = self._content
        query = read_query(text, content.parts, self.n_docs, content.language, content.space)
        if not query.terms and not query.unknown and not len(query.ids):
            shown = f"the query {text[:60]!r}" if text.strip() else "the query: it is empty"
            raise InputError(f"there is no word in {shown}. Give at least one.")
        return query

    def search(
        self,
        queries: Sequence[Query],
        k: int,
        where: str | None,
        lexical: float = LEXICAL,
        n_jobs: int | None = None,
        *,
        exact: bool = False,
    ) -> list[list[Hit]]:
        """Return the best documents of each query."""
        allowed = None if where is None else self._allowed(where)
        # Few queries share the threads for each; many have a thread each.
        alone = len(queries) < resolve_jobs(n_jobs)

        def answer(query: Query) -> list[Hit]:
            ranking, scale = self._scorer.rank(
                query, number=k, weight=lexical, allowed=allowed,
                n_jobs=n_jobs if alone else 1, exact=exact,
            )  # fmt: skip
            return self._hits(query, ranking, scale)

        return map_items(answer, queries, n_jobs=1 if alone else n_jobs)

    def explain(
        self, query: Query, doc: int, lexical: float = LEXICAL, n_pairs: int = N_PAIRS
    ) -> SearchExplanation:
        """Split the score of a document, given by its position."""
        by_words = self._scorer.lexical_scores(query)
        scale = self._scorer.scale(query, by_words, lexical)
        return self._explainer(query, scale).explain(doc, n_pairs)

    def find(self, key: str) -> int | None:
        """Position of the document with an id, or None."""
        for number, part in enumerate(self._content.parts):
            doc = part.find(key)
            if doc >= 0:
                return int(self._scorer.offsets[number]) + doc
        return None

    def stored(self, doc: int) -> Stored:
        """Text and metadata of the document at a position."""
        number, row = self._scorer.place(doc)
        return self._content.parts[number].segment.texts[row]

    def _allowed(self, where: str) -> NDArray[np.bool_]:
        condition = parse_where(where)
        columns: dict[str, list[Column]] = {}
        for part in self._content.parts:
            for name, column in part.segment.columns.items():
                columns.setdefault(name, []).append(column)
        check_fields(condition, columns)
        masks = [condition.mask(p.segment.columns, len(p)) for p in self._content.parts]
        return np.concatenate([np.zeros(0, dtype=bool), *masks])

    def _hits(self, query: Query, ranking: Ranking, scale: Scale) -> list[Hit]:
        explainer = self._explainer(query, scale)
        hits = []
        for rank, doc in enumerate(ranking.docs.tolist(), start=1):
            number, row = self._scorer.place(doc)
            hits.append(
                Hit(
                    self._content.parts[number].segment.id_of(row),
                    rank,
                    float(ranking.scores[rank - 1]),
                    float(ranking.lexical[rank - 1]),
                    float(ranking.dense[rank - 1]),
                    partial(self.stored, doc),
                    partial(explainer.explain, doc),
                )
            )
        return hits

    def _explainer(self, query: Query, scale: Scale) -> Explainer:
        content = self._content
        return Explainer(self._scorer, content.space, content.language, query, scale)
