"""Numbers about an index."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from psif.search.storage import Content, Saved

# From here on new documents are mostly about things that the model never saw.
MOST_UNKNOWN = 0.2


@dataclass(frozen=True)
class IndexInfo:
    """What an index is made of.

    Attributes
    ----------
    n_docs, n_deleted, n_segments : int
    n_bytes : int
        On disk, without the model; 0 for an index that was not saved.
    language : str
    n_dims : int
        Numbers per vector; 0 in an index of words alone.
    n_topics, n_model_words : int
        Of the model.
    unknown : float
        Share of the documents' words that the model does not know.
    refit_advised : bool
        Whether that is so much that the model should be learned anew.
    fields : list of str
        Metadata.
    """

    n_docs: int
    n_deleted: int
    n_segments: int
    n_bytes: int
    language: str
    n_dims: int
    n_topics: int
    n_model_words: int
    unknown: float
    refit_advised: bool
    fields: list[str]

    @classmethod
    def of(cls, content: Content, saved: Saved | None) -> IndexInfo:
        """Count."""
        parts, space = content.parts, content.space
        rows = [(p.segment, slice(None) if p.live is None else p.live) for p in parts]
        n_words = sum(int(s.n_words[live].sum()) for s, live in rows)
        n_known = sum(int(s.n_known[live].sum()) for s, live in rows)
        unknown = 1 - n_known / n_words if n_words else 0.0
        n_docs = sum(part.n_live for part in parts)
        return cls(
            n_docs=n_docs,
            n_deleted=sum(map(len, parts)) - n_docs,
            n_segments=len(parts),
            n_bytes=0 if saved is None else saved.n_bytes,
            language=content.language,
            n_dims=0 if space is None else space.n_dims,
            n_topics=0 if space is None else space.model.n_topics_,
            n_model_words=0 if space is None else space.model.vocabulary_.n_known,
            unknown=unknown,
            refit_advised=unknown > MOST_UNKNOWN or (space is None and n_docs > 1),
            fields=list(dict.fromkeys(name for part in parts for name in part.segment.columns)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self)
