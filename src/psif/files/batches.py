"""A stream of documents in batches that fit in memory."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

import numpy as np

from psif.files.readers.options import Document

D = TypeVar("D")

# A batch is at most this many bytes of float32 vectors, rows and characters of text. All three
# depend on the input alone: batches, and so the bytes of a file, are the same in every run.
_MOST_BYTES = 1 << 25
_MOST_ROWS = 1 << 14
_MOST_CHARACTERS = 1 << 24


class Record(NamedTuple):
    """What is kept of a document whose words are already known: no text."""

    id: str
    n_characters: int
    checksum: int


def record_of(document: Document) -> Record:
    """Return the record of a document; its checksum covers id and text."""
    checksum = zlib.crc32(document.id.encode("utf-8", "surrogatepass"))
    checksum = zlib.crc32(document.text.encode("utf-8", "surrogatepass"), checksum)
    return Record(document.id, len(document.text), checksum)


def batch_checksum(records: Iterable[Record]) -> int:
    """Return one checksum of all documents of a batch."""
    checksums = np.fromiter((record.checksum for record in records), dtype="<u4")
    return zlib.crc32(checksums.tobytes())


def in_batches(documents: Iterable[Document], dim: int) -> Iterator[list[Document]]:
    """Cut a stream of documents, whose vectors have ``dim`` numbers, into batches."""
    return _cut(documents, dim, lambda document: len(document.text))


def records_in_batches(records: Iterable[Record], dim: int) -> Iterator[list[Record]]:
    """Cut records exactly as :func:`in_batches` cuts the documents they come from."""
    return _cut(records, dim, lambda record: record.n_characters)


def _cut(items: Iterable[D], dim: int, n_characters: Callable[[D], int]) -> Iterator[list[D]]:
    rows = max(1, min(_MOST_ROWS, _MOST_BYTES // (4 * dim)))
    batch: list[D] = []
    total = 0
    for item in items:
        batch.append(item)
        total += n_characters(item)
        if len(batch) >= rows or total >= _MOST_CHARACTERS:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch
