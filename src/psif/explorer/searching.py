"""Search among the texts of a collection: the hits of :class:`psif.Index`, with their reasons."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import NamedTuple

from psif.errors import InputError, PsifWarning
from psif.model.embedder import Embedder
from psif.search.index import Index


class Found(NamedTuple):
    """A document, its score and, for the first ones, the reason in one line."""

    number: int
    score: float
    reason: str | None


class TextSearch:
    """Finds texts by their words and by the model of the collection.

    The index is made when it is first asked; pages that nobody searches need none.
    """

    def __init__(self, texts: Sequence[str | None], model: Embedder) -> None:
        self._texts = texts
        self._model = model
        self._lock = Lock()

    @cached_property
    def _index(self) -> Index:
        return Index.build([text or "" for text in self._texts], model=self._model)

    def find(self, text: str, number: int, n_reasons: int) -> tuple[list[Found], set[str]]:
        """Return the best documents, and the words of the query that no document has."""
        with self._lock:
            index = self._index
        with warnings.catch_warnings():
            # The page says itself which words are unknown.
            warnings.simplefilter("ignore", PsifWarning)
            try:
                hits = index.search(text, number)
            except InputError:
                return [], set()  # there is no word in it
        found = [
            Found(
                int(hit.id),
                round(hit.score, 5),
                hit.explanation.reason() if hit.rank <= n_reasons else None,
            )
            for hit in hits
        ]
        return found, set(index.unknown_words(text))
