"""Why two documents are alike: a score split exactly, and shown in several ways."""

from __future__ import annotations

from psif.explain.explanation import Explanation, PairShare, TopicShare
from psif.explain.split import explain_pair

__all__ = ["Explanation", "PairShare", "TopicShare", "explain_pair"]
