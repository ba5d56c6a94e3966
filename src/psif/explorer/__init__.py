"""A web page about a collection of documents: map, topics, search, explained comparisons."""

from __future__ import annotations

from psif.explorer.notebook import explore

__all__ = ["explore"]
