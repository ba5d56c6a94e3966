"""LanceDB: tables in a folder, with full-text and vector search."""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.integrations.stores.base import Rows, Store
from psif.types import FloatVector


class LanceStore(Store):
    """A table with the columns id, vector, text and metadata (JSON)."""

    _table: Any

    def open(self) -> None:
        """Open the table, or make it."""
        import lancedb
        import pyarrow as pa

        database = lancedb.connect(self.target.place)
        schema = pa.schema(
            [
                pa.field("id", pa.string(), nullable=False),
                pa.field("vector", pa.list_(pa.float32(), self.target.n_dims)),
                pa.field("text", pa.string()),
                pa.field("metadata", pa.string()),
            ]
        )
        self._schema = schema
        self._table = database.create_table(self.target.table, schema=schema, exist_ok=True)

    def known(self, ids: list[str]) -> set[str]:
        """Which of these ids are there already."""
        found = self._where(ids).select(["id"]).to_list()
        return {row["id"] for row in found}

    def write(self, rows: Rows) -> None:
        """Write documents; those that are there are replaced."""
        import pyarrow as pa

        flat = pa.array(np.ascontiguousarray(rows.vectors, dtype=np.float32).reshape(-1))
        table = pa.table(
            [
                pa.array(rows.ids, pa.string()),
                pa.FixedSizeListArray.from_arrays(flat, self.target.n_dims),
                pa.array(rows.texts, pa.string()),
                pa.array(rows.metadata_json(), pa.string()),
            ],
            schema=self._schema,
        )
        if self.known(rows.ids):
            merging = self._table.merge_insert("id").when_matched_update_all()
            merging.when_not_matched_insert_all().execute(table)
        else:
            self._table.add(table)

    def count(self) -> int:
        """Return the number of documents there."""
        return int(self._table.count_rows())

    def read(self, ids: list[str]) -> dict[str, FloatVector]:
        """Vectors of some documents."""
        found = self._where(ids).select(["id", "vector"]).to_list()
        return {row["id"]: np.array(row["vector"], dtype=np.float32) for row in found}

    def finish(self) -> list[str]:
        """Index the texts for full-text search; vectors are scanned, which is exact."""
        if self.target.has_texts:
            from lancedb.index import FTS

            self._table.create_index("text", config=FTS())
        if self.count() > 100_000:
            return ["for more than 100,000 vectors, table.create_index(metric='cosine') is faster"]
        return []

    def close(self) -> None:
        """Do nothing: the folder needs no closing."""

    def _where(self, ids: list[str]) -> Any:
        quoted = ", ".join("'" + key.replace("'", "''") + "'" for key in ids)
        return self._table.search().where(f"id IN ({quoted})").limit(len(ids))
