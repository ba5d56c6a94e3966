"""DuckDB: a table in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from psif.errors import InputError
from psif.integrations.stores.base import Rows
from psif.integrations.stores.database_file import DatabaseFile
from psif.types import FloatVector

_MAGIC = slice(8, 12)  # behind a checksum of the first block


def _check_database(path: Path) -> None:
    """Raise for a file of another kind: DuckDB reads many, and would then write to memory alone."""
    try:
        with path.open("rb") as file:
            start = file.read(_MAGIC.stop)
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"{path} cannot be opened: {error.strerror}.") from error
    if start[_MAGIC] != b"DUCK":
        raise InputError(f"{path} exists and is no DuckDB database; give another file.")


class DuckStore(DatabaseFile):
    """A table with the columns id, vector (FLOAT[n]), text and metadata (JSON)."""

    most_dims = 100_000
    _connection: Any = None

    def connect(self, path: Path) -> None:
        """Open a file, and make the table where there is none."""
        import duckdb

        _check_database(path)
        self._connection = duckdb.connect(str(path))
        self._table = '"' + self.target.table.replace('"', '""') + '"'
        self._connection.execute(
            f"CREATE TABLE IF NOT EXISTS {self._table} (id VARCHAR PRIMARY KEY, "
            f"vector FLOAT[{self.target.n_dims}] NOT NULL, text VARCHAR, metadata VARCHAR)"
        ).fetchall()

    def known(self, ids: list[str]) -> set[str]:
        """Which of these ids are there already."""
        query = f"SELECT id FROM {self._table} WHERE list_contains(?, id)"
        return {row[0] for row in self._connection.execute(query, [ids]).fetchall()}

    def write(self, rows: Rows) -> None:
        """Write documents in one statement; those that are there are replaced."""
        import pyarrow as pa

        flat = pa.array(np.ascontiguousarray(rows.vectors, dtype=np.float32).reshape(-1))
        table = pa.table(
            {
                "id": pa.array(rows.ids, pa.string()),
                "vector": pa.FixedSizeListArray.from_arrays(flat, self.target.n_dims),
                "text": pa.array(rows.texts, pa.string()),
                "metadata": pa.array(rows.metadata_json(), pa.string()),
            }
        )
        self._connection.register("psif_rows", table)
        try:
            query = f"INSERT OR REPLACE INTO {self._table} FROM psif_rows"
            self._connection.execute(query).fetchall()
        finally:
            self._connection.unregister("psif_rows")

    def count(self) -> int:
        """Return the number of documents there."""
        found = self._connection.execute(f"SELECT count(*) FROM {self._table}").fetchall()
        return int(found[0][0])

    def read(self, ids: list[str]) -> dict[str, FloatVector]:
        """Vectors of some documents."""
        query = f"SELECT id, vector FROM {self._table} WHERE list_contains(?, id)"
        found = self._connection.execute(query, [ids]).fetchall()
        return {key: np.array(vector, dtype=np.float32) for key, vector in found}

    def disconnect(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
