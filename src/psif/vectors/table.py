"""A table of words and their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from psif.errors import InputError
from psif.types import FloatMatrix, FloatVector


class WordVectors:
    """Words and their vectors, row for row.

    Parameters
    ----------
    words : sequence of str
        No word twice.
    matrix : array-like of shape (n_words, dim)
        Finite numbers. Kept as it is when it is a float32 or float16 array (also memory-mapped).
    """

    def __init__(self, words: Sequence[str], matrix: ArrayLike) -> None:
        self.words: list[str] = list(words)
        self.matrix: FloatMatrix = _as_float_matrix(matrix)
        self._check()

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self.index

    def __getitem__(self, word: str) -> FloatVector:
        row: FloatVector = self.matrix[self.index[word]]
        return row

    def __repr__(self) -> str:
        return f"WordVectors({len(self):,} words, {self.dim} dimensions)"

    @property
    def dim(self) -> int:
        """Numbers in one vector."""
        return int(self.matrix.shape[1])

    @cached_property
    def index(self) -> dict[str, int]:
        """Word to row."""
        return {word: i for i, word in enumerate(self.words)}

    def _check(self) -> None:
        if len(self.words) != self.matrix.shape[0]:
            raise InputError(
                f"{len(self.words)} words but {self.matrix.shape[0]} vectors; "
                "each word needs exactly one vector."
            )
        if not self.words or not self.dim:
            raise InputError("a table of word vectors needs at least one word and one dimension.")
        for position, word in enumerate(self.words):
            if not isinstance(word, str) or not word:
                raise InputError(f"word {position} is {word!r}, expected a non-empty string.")
        if len(self.index) != len(self.words):
            raise InputError(_describe_duplicates(self.words))
        finite = np.isfinite(self.matrix).all(axis=1)
        if not finite.all():
            bad = np.flatnonzero(~finite)
            raise InputError(
                f"{len(bad)} word vectors hold NaN or infinity, the first is that of "
                f"{self.words[bad[0]]!r} (row {bad[0]}). Remove or repair those rows."
            )


def _as_float_matrix(matrix: ArrayLike) -> FloatMatrix:
    array = np.asanyarray(matrix)
    if array.ndim != 2:
        raise InputError(
            f"word vectors must be a 2-D table (words x dimensions); got shape {array.shape}."
        )
    if array.dtype not in (np.float32, np.float16):
        try:
            array = array.astype(np.float32)
        except (TypeError, ValueError) as error:
            raise InputError(f"word vectors must be numbers: {error}") from error
    return array


def _describe_duplicates(words: list[str]) -> str:
    seen: dict[str, int] = {}
    for position, word in enumerate(words):
        if word in seen:
            return (
                f"the word {word!r} stands twice, in rows {seen[word]} and {position}; "
                "keep one row a word."
            )
        seen[word] = position
    raise AssertionError("called without duplicates")
