"""Texts and metadata of vectors, from the file that was embedded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from psif.errors import InputError
from psif.files.readers import ReadOptions, read_documents

# Documents in another order than the vectors are kept until their turn comes.
_MOST_PENDING = 200_000

Entry = tuple[str | None, dict[str, Any]]


class Joined:
    """Give the text and the other columns of each vector.

    Both files are read once, side by side: ``psif embed`` keeps the order of documents.
    """

    def __init__(
        self,
        inputs: Sequence[str],
        text_column: str | None = None,
        id_column: str | None = None,
    ) -> None:
        self._others: dict[str, Any] = {}
        options = ReadOptions(
            text_column=text_column, id_column=id_column, other_columns=self._keep
        )
        self._documents = self._read(inputs, options)
        self._pending: dict[str, Entry] = {}

    def _keep(self, columns: dict[str, Any]) -> None:
        self._others = columns

    def _read(self, inputs: Sequence[str], options: ReadOptions) -> Iterator[tuple[str, Entry]]:
        for document in read_documents(list(inputs), options):
            others, self._others = dict(self._others), {}
            yield document.id, (document.text, others)

    def of(self, ids: Sequence[str]) -> tuple[list[str | None], list[dict[str, Any]]]:
        """Return texts and metadata in the order of ``ids``."""
        entries = [self._find(key) for key in ids]
        return [text for text, _ in entries], [metadata for _, metadata in entries]

    def _find(self, key: str) -> Entry:
        if key in self._pending:
            return self._pending.pop(key)
        for other, entry in self._documents:
            if other == key:
                return entry
            self._pending[other] = entry
            if len(self._pending) > _MOST_PENDING:
                break
        raise InputError(
            f"no text has the id {key!r} of a vector. Give the file that was embedded, and its "
            "--id-column."
        )
