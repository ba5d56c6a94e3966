"""PostgreSQL with the extension pgvector."""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.integrations.stores.base import Rows, Store
from psif.types import FloatVector

# What pgvector can index: 4-byte numbers up to 2,000 dimensions, 2-byte numbers up to 4,000.
_FULL, _HALF = 2_000, 4_000


class PostgresStore(Store):
    """A table with the columns id, vector, text and metadata (jsonb)."""

    most_dims = 16_000
    _connection: Any = None

    _has_halves = False

    @property
    def _type(self) -> str:
        halves = self._has_halves and _FULL < self.target.n_dims <= _HALF
        return "halfvec" if halves else "vector"

    def open(self) -> None:
        """Connect, and make the table where there is none."""
        import psycopg
        from psycopg import sql

        self._connection = psycopg.connect(self.target.place, connect_timeout=15)
        self._sql = sql
        self._table = sql.Identifier(self.target.table)
        self._run("CREATE EXTENSION IF NOT EXISTS vector")
        # Since pgvector 0.7.
        self._has_halves = bool(
            self._run("SELECT 1 FROM pg_type WHERE typname = 'halfvec'").fetchall()
        )
        self._run(
            f"CREATE TABLE IF NOT EXISTS {{}} (id text PRIMARY KEY, "
            f"vector {self._type}({self.target.n_dims}) NOT NULL, text text, metadata jsonb)"
        )
        self._connection.commit()

    def known(self, ids: list[str]) -> set[str]:
        """Which of these ids are there already."""
        return {row[0] for row in self._run("SELECT id FROM {} WHERE id = ANY(%s)", [ids])}

    def write(self, rows: Rows) -> None:
        """Write documents in one transaction; those that are there are replaced."""
        query = self._sql.SQL(
            "INSERT INTO {} VALUES (%s, %s, %s, %s) ON CONFLICT (id) DO UPDATE SET "
            "vector = EXCLUDED.vector, text = EXCLUDED.text, metadata = EXCLUDED.metadata"
        ).format(self._table)
        values = [
            # PostgreSQL's texts cannot hold the character NUL.
            (key, str(vector), None if text is None else text.replace("\0", ""), metadata)
            for key, vector, text, metadata in zip(
                rows.ids, rows.vectors.tolist(), rows.texts, rows.metadata_json(), strict=True
            )
        ]
        with self._connection.cursor() as cursor:
            cursor.executemany(query, values)
        self._connection.commit()

    def count(self) -> int:
        """Return the number of documents there."""
        return int(next(self._run("SELECT count(*) FROM {}"))[0])

    def read(self, ids: list[str]) -> dict[str, FloatVector]:
        """Vectors of some documents."""
        found = self._run("SELECT id, vector::text FROM {} WHERE id = ANY(%s)", [ids])
        return {
            key: np.array(numbers.strip("[]").split(","), dtype=np.float32)
            for key, numbers in found
        }

    def finish(self) -> list[str]:
        """Build an HNSW index of the vectors, and a full-text index of the texts."""
        notes = []
        most = _HALF if self._has_halves else _FULL
        if self.target.n_dims <= most:
            self._run(f"CREATE INDEX ON {{}} USING hnsw (vector {self._type}_cosine_ops)")
        else:
            notes.append(
                f"this pgvector indexes at most {most:,} dimensions: these vectors are scanned. A "
                "compact model (psif fit --dims 512) can be indexed"
            )
        if self._type == "halfvec":
            notes.append("numbers are stored in two bytes (halfvec), which pgvector can index")
        if self.target.has_texts:
            self._run("CREATE INDEX ON {} USING gin (to_tsvector('simple', text))")
        self._connection.commit()
        return notes

    def close(self) -> None:
        """Disconnect."""
        if self._connection is not None:
            self._connection.close()

    def _run(self, query: str, values: list[Any] | None = None) -> Any:
        return self._connection.execute(self._sql.SQL(query).format(self._table), values)
