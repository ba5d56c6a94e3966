"""What every partition of the word-vector space offers."""

from __future__ import annotations

from typing import Protocol, Self

from psif.errors import InputError
from psif.types import FloatMatrix


class Partition(Protocol):
    """Words to topic codes; see :mod:`psif.partitions`."""

    atoms_: FloatMatrix
    losses_: list[float]

    def fit(self, vectors: FloatMatrix) -> Self:
        """Learn the topics from word vectors of shape (n_words, dim)."""
        ...

    def encode(self, vectors: FloatMatrix) -> FloatMatrix:
        """Topic codes of words, shape (n_words, n_topics)."""
        ...


def check_sizes(n_words: int, n_topics: int, n_active: int | None) -> int:
    """Validate K and k against the vocabulary; return k (``None`` is K // 2, at least 1)."""
    if n_topics < 1:
        raise InputError(f"n_topics must be at least 1; got {n_topics}.")
    if n_topics > n_words:
        raise InputError(
            f"n_topics={n_topics} is more than the {n_words} words to partition. "
            f"Try n_topics={max(1, n_words // 10)}, n_topics='auto', or more documents."
        )
    if n_active is None:
        return max(1, n_topics // 2)
    if not 1 <= n_active <= n_topics:
        raise InputError(
            f"n_active={n_active} must lie between 1 and n_topics={n_topics}: "
            "it is how many topics one word may use."
        )
    return n_active
