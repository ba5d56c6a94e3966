"""A document that a search found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from psif.search.texts import Stored

if TYPE_CHECKING:
    from psif.search.explanation import SearchExplanation


@dataclass(frozen=True)
class Hit:
    """One found document.

    Attributes
    ----------
    id : str
    rank : int
        From 1.
    score : float
    lexical, dense : float
        What exact words and what topics add to the score; they sum to it.
    """

    id: str
    rank: int
    score: float
    lexical: float
    dense: float
    _read: Callable[[], Stored] = field(repr=False, compare=False)
    _explain: Callable[[], SearchExplanation] = field(repr=False, compare=False)

    @cached_property
    def _stored(self) -> Stored:
        return self._read()

    @property
    def text(self) -> str:
        """The document."""
        return self._stored.text

    @property
    def metadata(self) -> dict[str, Any]:
        """What was stored beside the document."""
        return dict(self._stored.metadata)

    @cached_property
    def explanation(self) -> SearchExplanation:
        """Why it was found: the score split over words, topics and word pairs."""
        return self._explain()

    @property
    def snippet(self) -> str:
        """The piece of the document that says most about the query, its words between ``**``."""
        return self.explanation.snippet()

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "id": self.id,
            "rank": self.rank,
            "score": self.score,
            "lexical": self.lexical,
            "dense": self.dense,
            "snippet": self.snippet,
            "metadata": self.metadata,
        }
