"""Many documents as one flat array of word ids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from psif.types import CountVector, IdVector


@dataclass(frozen=True)
class FlatDocs:
    """Documents as ids and offsets; document i is ``ids[offsets[i]:offsets[i + 1]]``.

    Attributes
    ----------
    ids : ndarray of int32
        The known words of all documents, one document after another, in reading order.
    offsets : ndarray of int64, shape (n_docs + 1,)
        Where each document begins.
    n_tokens : ndarray of int64, shape (n_docs,)
        Words of each document before unknown ones were skipped.
    """

    ids: IdVector
    offsets: CountVector
    n_tokens: CountVector

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> CountVector:
        """Known words of each document."""
        return np.diff(self.offsets)

    @property
    def coverage(self) -> float:
        """Share of all words that are known (1.0 when there are no words)."""
        total = int(self.n_tokens.sum())
        return len(self.ids) / total if total else 1.0

    def part(self, start: int, stop: int) -> FlatDocs:
        """Documents ``start`` to ``stop``; the ids are a view, not a copy."""
        low, high = int(self.offsets[start]), int(self.offsets[stop])
        return FlatDocs(
            self.ids[low:high], self.offsets[start : stop + 1] - low, self.n_tokens[start:stop]
        )

    def remap(self, new_ids: IdVector) -> FlatDocs:
        """Rename word ``i`` to ``new_ids[i]`` and skip those whose new id is negative."""
        ids = new_ids[self.ids]
        kept = ids >= 0
        before = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)])
        return FlatDocs(ids[kept], before[self.offsets], self.n_tokens)

    def __iter__(self) -> Iterator[IdVector]:
        for start, stop in zip(self.offsets[:-1], self.offsets[1:], strict=True):
            yield self.ids[start:stop]

    @classmethod
    def from_lists(cls, docs: list[list[int]]) -> FlatDocs:
        """Build from lists of ids, for small inputs."""
        lengths = np.array([len(doc) for doc in docs], dtype=np.int64)
        ids = np.array([word for doc in docs for word in doc], dtype=np.int32)
        return cls(ids, np.concatenate([[0], np.cumsum(lengths)]), lengths)

    @classmethod
    def concatenate(cls, parts: list[FlatDocs]) -> FlatDocs:
        """Join parts, document order kept."""
        if not parts:
            return cls.from_lists([])
        lengths = np.concatenate([part.lengths for part in parts])
        return cls(
            np.concatenate([part.ids for part in parts]),
            np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            np.concatenate([part.n_tokens for part in parts]),
        )
