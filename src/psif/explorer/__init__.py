"""A web page that shows a collection of documents: its map, its topics, and why two are alike."""

from __future__ import annotations
