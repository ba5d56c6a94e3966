"""Stores that are one file of vectors by row number, and a file of documents beside it."""

from __future__ import annotations

import json
from abc import abstractmethod
from pathlib import Path

from psif.errors import InputError
from psif.integrations.stores.appearing import Appearing, complete_earlier
from psif.integrations.stores.base import ExportError, Rows, Store, as_json
from psif.types import FloatMatrix, FloatVector

_INDEX, _DOCUMENTS = "index", "documents.jsonl"


class IndexFile(Store):
    """An index in memory that is written at the end, whole or not at all.

    ``OUT.jsonl`` has the id, the text and the metadata of every row, in order.
    """

    keeps_batches = False
    _working: Appearing | None = None

    def open(self) -> None:
        """Refuse to write over a file; begin an empty index."""
        self._path = Path(self.target.place)
        complete_earlier(self._path)
        self._lines: list[str] = []
        self._rows: dict[str, int] = {}
        self._before = self._earlier_ids()
        self._working = Appearing(self._path, self.target.key, keep=False)
        self.make()

    @property
    def documents_path(self) -> Path:
        """The file beside the index."""
        return self._path.with_name(self._path.name + ".jsonl")

    def _earlier_ids(self) -> set[str]:
        if self._path.is_dir():
            raise InputError(f"{self._path} is a folder; give a file.")
        if not self._path.exists():
            return set()
        if not self.documents_path.exists():
            raise InputError(f"{self._path} exists and psif did not write it; give another file.")
        if not self.target.may_exist:
            raise InputError(f"{self._path} exists; --replace writes it again.")
        with self.documents_path.open(encoding="utf-8") as lines:
            return {str(json.loads(line)["id"]) for line in lines}

    def known(self, ids: list[str]) -> set[str]:
        """Which of these ids an earlier file of this name has."""
        return self._before.intersection(ids)

    def write(self, rows: Rows) -> None:
        """Add documents."""
        self.add(rows.vectors)
        for key, text, metadata in zip(rows.ids, rows.texts, rows.metadata, strict=True):
            self._rows[key] = len(self._lines)
            document = {"id": key, "text": text, "metadata": metadata}
            kept = {name: value for name, value in document.items() if value}
            self._lines.append(as_json({"id": key} | kept))

    def count(self) -> int:
        """Return the number of documents written."""
        return len(self._lines)

    def read(self, ids: list[str]) -> dict[str, FloatVector]:
        """Vectors of some documents, from the file."""
        found = {key: self._rows[key] for key in ids if key in self._rows}
        return {key: self.row(place) for key, place in found.items()}

    def finish(self) -> list[str]:
        """Write the two files where they are not seen yet."""
        assert self._working is not None
        text = "".join(f"{line}\n" for line in self._lines)
        (self._working.folder / _DOCUMENTS).write_text(text, encoding="utf-8")
        try:
            self.save(self._working.folder / _INDEX)
        except Exception as error:  # libraries tell less than the system
            raise ExportError(f"{self._path} cannot be written; is the disk full?") from error
        self.reload(self._working.folder / _INDEX)
        return [f"{self.documents_path} has the ids of the rows"]

    def appear(self) -> None:
        """Put both files in place."""
        assert self._working is not None
        self._working.appear([(_INDEX, self._path), (_DOCUMENTS, self.documents_path)])

    def close(self) -> None:
        """Remove what is not complete."""
        if self._working is not None:
            self._working.close(keep=False)

    @abstractmethod
    def make(self) -> None:
        """Begin an empty index."""

    @abstractmethod
    def add(self, vectors: FloatMatrix) -> None:
        """Add rows."""

    @abstractmethod
    def save(self, path: Path) -> None:
        """Write the index."""

    @abstractmethod
    def reload(self, path: Path) -> None:
        """Read it back."""

    @abstractmethod
    def row(self, place: int) -> FloatVector:
        """Return the vector of a row."""
