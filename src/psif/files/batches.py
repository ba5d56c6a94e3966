"""A stream of documents in batches that fit in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from psif.files.readers.options import Document

# A batch is at most this many bytes of float32 vectors, rows and characters of text. All three
# depend on the input alone: batches, and so the bytes of a file, are the same in every run.
_MOST_BYTES = 1 << 25
_MOST_ROWS = 1 << 14
_MOST_CHARACTERS = 1 << 24


def in_batches(documents: Iterable[Document], dim: int) -> Iterator[list[Document]]:
    """Cut a stream of documents, whose vectors have ``dim`` numbers, into batches for memory."""
    rows = max(1, min(_MOST_ROWS, _MOST_BYTES // (4 * dim)))
    batch: list[Document] = []
    n_characters = 0
    for document in documents:
        batch.append(document)
        n_characters += len(document.text)
        if len(batch) >= rows or n_characters >= _MOST_CHARACTERS:
            yield batch
            batch, n_characters = [], 0
    if batch:
        yield batch
