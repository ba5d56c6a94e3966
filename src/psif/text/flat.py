"""Many documents as one flat array of word ids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from psif.runtime.threads import ranges
from psif.text.id_store import IdStore
from psif.types import CountVector, IdVector

# Ids handled at a time where a whole copy would be too large.
_BLOCK = 1 << 22


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
        return self.offsets[1:] - self.offsets[:-1]

    @property
    def coverage(self) -> float:
        """Share of all words that are known (1.0 when there are no words)."""
        total = int(self.n_tokens.sum())
        return len(self.ids) / total if total else 1.0

    def part(self, start: int, stop: int) -> FlatDocs:
        """Documents ``start`` to ``stop``; the ids are a view, not a copy."""
        if stop - start == len(self) and len(self.ids) == self.offsets[-1] - self.offsets[0]:
            return self
        low, high = int(self.offsets[start]), int(self.offsets[stop])
        return FlatDocs(
            self.ids[low:high], self.offsets[start : stop + 1] - low, self.n_tokens[start:stop]
        )

    def take(self, rows: CountVector) -> FlatDocs:
        """Return some documents, in the given order."""
        lengths = self.lengths[rows]
        offsets = offsets_of(lengths)
        # Place j of the result lies in the document that begins at offsets[i] there, and at
        # self.offsets[rows[i]] here.
        places = np.arange(offsets[-1]) + np.repeat(self.offsets[rows] - offsets[:-1], lengths)
        return FlatDocs(self.ids[places], offsets, self.n_tokens[rows])

    def rename(self, new_ids: IdVector) -> None:
        """Rename word ``i`` to ``new_ids[i]``, in place; all new ids are real ones."""
        for start, stop in ranges(len(self.ids), _BLOCK):
            self.ids[start:stop] = new_ids[self.ids[start:stop]]

    def remap(self, new_ids: IdVector) -> FlatDocs:
        """Rename word ``i`` to ``new_ids[i]`` and skip those whose new id is negative."""
        kept = new_ids >= 0
        n_kept = np.zeros(len(self) + 1, dtype=np.int64)
        collected = IdStore()
        # In blocks of documents: a corpus may be far larger than what a copy of it may cost.
        for first, last in self.blocks():
            part = self.part(first, last)
            mask = kept[part.ids]
            before = np.concatenate([[0], np.cumsum(mask, dtype=np.int64)])
            n_kept[first + 1 : last + 1] = np.diff(before[part.offsets])
            collected.add(new_ids[part.ids[mask]])
        return FlatDocs(collected.ids(), np.cumsum(n_kept), self.n_tokens)

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Ranges of documents that together have a few million words (or are one document)."""
        first = 0
        if len(self.ids) <= _BLOCK and len(self):
            yield 0, len(self)
            return
        while first < len(self):
            limit = self.offsets[first] + _BLOCK
            last = max(first + 1, int(np.searchsorted(self.offsets, limit, side="right")) - 1)
            yield first, last
            first = last

    def __iter__(self) -> Iterator[IdVector]:
        for start, stop in zip(self.offsets[:-1], self.offsets[1:], strict=True):
            yield self.ids[start:stop]

    @classmethod
    def from_lists(cls, docs: list[list[int]]) -> FlatDocs:
        """Build from lists of ids, for small inputs."""
        lengths = np.array([len(doc) for doc in docs], dtype=np.int64)
        ids = np.array([word for doc in docs for word in doc], dtype=np.int32)
        return cls(ids, offsets_of(lengths), lengths)

    @classmethod
    def from_arrays(cls, docs: list[IdVector]) -> FlatDocs:
        """Build from one array of ids per document."""
        lengths = np.array([len(doc) for doc in docs], dtype=np.int64)
        ids = np.concatenate([np.empty(0, dtype=np.int32), *docs])
        return cls(ids, offsets_of(lengths), lengths)

    @classmethod
    def concatenate(cls, parts: list[FlatDocs]) -> FlatDocs:
        """Join parts, document order kept."""
        if not parts:
            return cls.from_lists([])
        if len(parts) == 1:
            return parts[0]
        lengths = np.concatenate([part.lengths for part in parts])
        return cls(
            np.concatenate([part.ids for part in parts]),
            offsets_of(lengths),
            np.concatenate([part.n_tokens for part in parts]),
        )


def offsets_of(lengths: CountVector) -> CountVector:
    """Where documents of such lengths begin, and where the last one ends."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


class IdCollector:
    """Documents that arrive in parts and are joined once, at the end."""

    def __init__(self) -> None:
        self._ids = IdStore()
        self._lengths: list[CountVector] = []
        self._n_tokens: list[CountVector] = []

    def add(self, part: FlatDocs) -> None:
        """Append documents."""
        self._ids.add(part.ids)
        self._lengths.append(part.lengths)
        self._n_tokens.append(part.n_tokens)

    def docs(self) -> FlatDocs:
        """All documents in order; the collector must not be used afterwards."""
        lengths = np.concatenate([np.zeros(1, dtype=np.int64), *self._lengths])
        n_tokens = np.concatenate([np.zeros(0, dtype=np.int64), *self._n_tokens])
        return FlatDocs(self._ids.ids(), np.cumsum(lengths), n_tokens)
