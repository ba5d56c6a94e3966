"""Which topic a document is about: the one that stands out against the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from psif.types import FloatMatrix, FloatVector, IdVector

NO_TOPIC = -1


class Assignment(NamedTuple):
    """The topic of a document.

    Attributes
    ----------
    topic : int
        The number of the topic; -1 for a document without a known word.
    strength : float
        How much larger the share of the topic is in this document than in the corpus, from 0 to 1.
    name : str
        What the topic is called.
    """

    topic: int
    strength: float
    name: str


def standing_out(shares: FloatMatrix, means: FloatVector) -> tuple[IdVector, FloatVector]:
    """Return, per document, the topic whose share is most above its mean, and by how much.

    The largest share itself would be that of topics whose words every document has. Documents
    without a share have the topic -1. Topics that all words share have no shares, so they are
    never an answer.

    Parameters
    ----------
    shares : ndarray of shape (n_docs, n_topics)
        Topic shares of documents; see :func:`psif.explain.topics.document_shares`.
    means : ndarray of shape (n_topics,)
        Mean shares in the corpus.
    """
    above = np.where(shares > 0, shares - means, -np.inf)
    best = above.argmax(axis=1) if above.shape[1] else np.zeros(len(above), dtype=np.int64)
    some = shares.max(axis=1, initial=0) > 0
    topics = np.where(some, best, NO_TOPIC).astype(np.int32)
    strength = np.where(some, above[np.arange(len(above)), best], 0).astype(np.float32)
    return topics, np.maximum(strength, 0)


def assign(shares: FloatMatrix, means: FloatVector, names: Sequence[str]) -> list[Assignment]:
    """Return the topic that stands out in each document, its strength and its name."""
    topics, strength = standing_out(shares, means)
    return [
        Assignment(topic, how_much, names[topic] if topic >= 0 else "")
        for topic, how_much in zip(topics.tolist(), strength.tolist(), strict=True)
    ]
