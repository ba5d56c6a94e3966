"""Explanations: a similarity split exactly over topics and word pairs; topics and senses."""

from __future__ import annotations

from psif.explain.explanation import Explanation, PairShare, TopicShare
from psif.explain.split import explain_pair

__all__ = ["Explanation", "PairShare", "TopicShare", "explain_pair"]
