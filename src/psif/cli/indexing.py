"""Files of documents as the records of an index: text, id and metadata."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from psif.cli.messages import Messages
from psif.files.readers import ReadOptions, ReadReport, read_documents
from psif.files.readers.documents import input_bytes
from psif.files.readers.formats import format_of

TITLE = "title"
# The name of the id in collections of BEIR, and in exports of MongoDB.
_OTHER_ID = "_id"
# Formats whose values have no types.
_UNTYPED = ("csv", "tsv")
# Numbers as programs write them. Codes such as 007 or 1e5 stay strings.
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?")


class Documents:
    """Documents of files, as three streams that are read in step.

    Parameters
    ----------
    inputs : sequence of str
    reading : ReadOptions
    title_column : str or None
        A column that is searched like the text, before it; None: "title" where it exists.
    first_number : int
        Number of the first document without an id of its own.
    """

    def __init__(
        self,
        inputs: Sequence[str],
        reading: ReadOptions,
        title_column: str | None = None,
        first_number: int = 0,
    ) -> None:
        self.report = ReadReport()
        self._title = TITLE if title_column is None else title_column
        self._next = first_number
        self._fields: dict[str, Any] = {}
        self._untyped = all(format_of(path, reading) in _UNTYPED for path in inputs)
        reading = replace(reading, other_columns=self._keep)
        self._documents = read_documents(inputs, reading, self.report)
        self._ids: deque[str] = deque()
        self._metadata: deque[dict[str, Any]] = deque()

    def texts(self) -> Iterator[str]:
        """Yield texts, each after its title."""
        n_numbered = 0
        for document in self._documents:
            fields, self._fields = self._fields, {}
            key = document.id
            if self.report.n_numbered > n_numbered:
                n_numbered = self.report.n_numbered
                key = str(fields.pop(_OTHER_ID, ""))
                if not key:
                    key, self._next = str(self._next), self._next + 1
            self._ids.append(key)
            self._metadata.append(fields)
            title = fields.get(self._title)
            yield f"{title}\n{document.text}" if isinstance(title, str) and title else document.text

    def ids(self) -> Iterator[str]:
        """Yield the ids of the texts that were yielded."""
        while self._ids:
            yield self._ids.popleft()

    def metadata(self) -> Iterator[dict[str, Any]]:
        """Yield the other columns of the texts that were yielded."""
        while self._metadata:
            yield self._metadata.popleft()

    def _keep(self, columns: dict[str, Any]) -> None:
        fields = {name: self._value(name, value) for name, value in columns.items()}
        self._fields = {name: value for name, value in fields.items() if value is not None}

    def _value(self, name: str, value: Any) -> Any:
        if value is None or value == "":
            return None
        if self._untyped and name != self._title and _NUMBER.fullmatch(value):
            return float(value) if "." in value else int(value)
        if isinstance(value, bool | int | float | str | list | dict):
            return value
        return str(value)  # a date of a Parquet file, for example: ISO form, which sorts


def shown_progress(documents: Documents, inputs: Sequence[str], messages: Messages) -> Any:
    """Return a function that shows how many documents were read."""
    line = messages.progress("reading", input_bytes(inputs))

    def show(n_docs: int) -> None:
        line.update(n_docs, documents.report.bytes_read)

    return show
