"""The texts and metadata of documents, compressed in blocks."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from psif.errors import FormatError
from psif.runtime.threads import resolve_jobs
from psif.search.strings import Strings, to_bytes, to_text
from psif.types import CountVector, IdVector

# Bytes of text in a block: enough to be compressed well, few enough to be read for one document.
_BLOCK = 1 << 16
_LEVEL = 6


class Stored(NamedTuple):
    """What is kept of one document beside its words."""

    text: str
    metadata: dict[str, Any]


@dataclass(frozen=True)
class TextStore:
    """Blocks of documents.

    A block is zlib's compression of the lengths of all its texts and metadata (two uint32 per
    document), then of the texts, each followed by its metadata as JSON (nothing for none).

    Attributes
    ----------
    blocks : Strings
    first_docs : ndarray of int32, shape (n_blocks + 1,)
        First document of each block; the last number is that of all documents.
    """

    blocks: Strings
    first_docs: IdVector

    def __len__(self) -> int:
        return int(self.first_docs[-1])

    def __getitem__(self, doc: int) -> Stored:
        block = int(np.searchsorted(self.first_docs, doc, side="right")) - 1
        return self._documents(block)[doc - int(self.first_docs[block])]

    def __iter__(self) -> Iterator[Stored]:
        for block in range(len(self.blocks)):
            yield from self._documents(block)

    def _documents(self, block: int) -> list[Stored]:
        n_docs = int(self.first_docs[block + 1] - self.first_docs[block])
        return _unpack(self.blocks[block], n_docs)

    def check(self) -> None:
        """Raise if the arrays do not fit one another; a block is checked when it is read."""
        self.blocks.check("texts")
        steps = np.diff(self.first_docs)
        if len(self.first_docs) != len(self.blocks) + 1 or self.first_docs[0] or (steps <= 0).any():
            raise FormatError("the texts are damaged: their blocks do not fit.")


class TextPacker:
    """Documents to a :class:`TextStore`, compressed by threads while others are read."""

    def __init__(self, n_jobs: int | None = None) -> None:
        self._pool = ThreadPoolExecutor(resolve_jobs(n_jobs))
        self._blocks: list[Future[bytes]] = []
        self._first_docs = [0]
        self._waiting: list[bytes] = []
        self._size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def add(self, text: str, metadata: Mapping[str, Any] | None) -> None:
        """Append one document."""
        described = json.dumps(metadata, ensure_ascii=False) if metadata else ""
        self._waiting += [to_bytes(text), to_bytes(described)]
        self._size += len(self._waiting[-2]) + len(self._waiting[-1])
        if self._size >= _BLOCK:
            self._close()

    def extend(self, documents: Iterable[Stored]) -> None:
        """Append documents."""
        for text, metadata in documents:
            self.add(text, metadata)

    def store(self) -> TextStore:
        """All documents; the packer must not be used afterwards."""
        if self._waiting:
            self._close()
        blocks = Strings.of(block.result() for block in self._blocks)
        return TextStore(blocks, np.array(self._first_docs, dtype=np.int32))

    def _close(self) -> None:
        self._blocks.append(self._pool.submit(_pack, self._waiting))
        self._first_docs.append(self._first_docs[-1] + len(self._waiting) // 2)
        self._waiting, self._size = [], 0


def _pack(parts: list[bytes]) -> bytes:
    lengths = np.fromiter(map(len, parts), "<u4", len(parts))
    return zlib.compress(lengths.tobytes() + b"".join(parts), _LEVEL)


# Hits of one search often share blocks.
@lru_cache(maxsize=32)
def _unpack(block: bytes, n_docs: int) -> list[Stored]:
    try:
        data = zlib.decompress(block)
        lengths: CountVector = np.frombuffer(data, "<u4", 2 * n_docs).astype(np.int64)
    except (zlib.error, ValueError) as error:
        raise FormatError(f"a text of the index is damaged ({error}).") from error
    ends = (8 * n_docs + np.cumsum(lengths)).tolist()
    if ends[-1] != len(data):
        raise FormatError("a text of the index is damaged: its length does not fit.")
    begins = [8 * n_docs, *ends[:-1]]
    parts = [to_text(data[a:b]) for a, b in zip(begins, ends, strict=True)]
    return [
        Stored(text, json.loads(described) if described else {})
        for text, described in zip(parts[::2], parts[1::2], strict=True)
    ]


def texts_of(stores: Iterable[tuple[TextStore, NDArray[np.bool_] | None]]) -> Iterator[str]:
    """Yield the texts of some stores, without deleted documents."""
    for store, live in stores:
        for doc, stored in enumerate(store):
            if live is None or live[doc]:
                yield stored.text
