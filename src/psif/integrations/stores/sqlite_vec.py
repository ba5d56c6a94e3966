"""SQLite with the extension sqlite-vec.

Through the package apsw: the sqlite3 of many Pythons is built without loading of extensions.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from psif.integrations.stores.base import Rows
from psif.integrations.stores.database_file import DatabaseFile
from psif.types import FloatVector


class SqliteStore(DatabaseFile):
    """A virtual table vec0 with the columns id, vector, text and metadata (JSON)."""

    most_dims = 8_192
    _connection: Any = None

    def connect(self, path: Path) -> None:
        """Open a file, and make the table where there is none."""
        import apsw
        import sqlite_vec

        self._connection = apsw.Connection(str(path))
        self._connection.enable_load_extension(True)
        self._connection.load_extension(sqlite_vec.loadable_path())
        self._connection.enable_load_extension(False)
        self._table = '"' + self.target.table.replace('"', '""') + '"'
        self._connection.execute(
            f"CREATE VIRTUAL TABLE IF NOT EXISTS {self._table} USING vec0(id text primary key, "
            f"vector float[{self.target.n_dims}] distance_metric=cosine, +text text, "
            "+metadata text)"
        )

    def known(self, ids: list[str]) -> set[str]:
        """Which of these ids are there already."""
        query = f"SELECT id FROM {self._table} WHERE id = ?"
        return {key for key in ids if self._connection.execute(query, [key]).fetchone()}

    def write(self, rows: Rows) -> None:
        """Write documents in one transaction; those that are there are replaced."""
        vectors = np.ascontiguousarray(rows.vectors, dtype=np.float32)
        values = zip(
            rows.ids, [row.tobytes() for row in vectors], rows.texts, rows.metadata_json(),
            strict=True,
        )  # fmt: skip
        with self._connection:
            known = [[key] for key in self.known(rows.ids)]
            self._connection.executemany(f"DELETE FROM {self._table} WHERE id = ?", known)
            self._connection.executemany(f"INSERT INTO {self._table} VALUES (?, ?, ?, ?)", values)

    def count(self) -> int:
        """Return the number of documents there."""
        return int(self._connection.execute(f"SELECT count(*) FROM {self._table}").fetchone()[0])

    def read(self, ids: list[str]) -> dict[str, FloatVector]:
        """Vectors of some documents."""
        query = f"SELECT vector FROM {self._table} WHERE id = ?"
        found = {key: self._connection.execute(query, [key]).fetchone() for key in ids}
        return {key: np.frombuffer(row[0], np.float32) for key, row in found.items() if row}

    def disconnect(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
