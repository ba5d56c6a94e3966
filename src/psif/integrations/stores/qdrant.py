"""Qdrant: a server, or a folder in its local mode."""

from __future__ import annotations

import os
import uuid
from typing import Any

import numpy as np

from psif.integrations.stores.base import Rows, Store
from psif.types import FloatVector

# Points have numbers or UUIDs as ids; ours are made from the documents' ids, which are in the
# payload. The same document always has the same point.
_NAMESPACE = uuid.UUID("5a0d6b9e-8f3c-4f60-9a4f-6d1c1b0f5e11")


def point_id(key: str) -> str:
    """Return the id of a document's point."""
    return str(uuid.uuid5(_NAMESPACE, key))


class QdrantStore(Store):
    """A collection with cosine distance; payload: id, text and metadata."""

    most_dims = 65_536
    _client: Any = None

    def open(self) -> None:
        """Open the collection, or make it. QDRANT_API_KEY is the key of a server."""
        from qdrant_client import QdrantClient, models

        place, table = self.target.place, self.target.table
        if "://" in place:
            key = os.environ.get("QDRANT_API_KEY")
            self._client = QdrantClient(
                url=place, api_key=key, timeout=60, check_compatibility=False
            )
        else:
            self._client = QdrantClient(path=place)
        if not self._client.collection_exists(table):
            size = models.VectorParams(size=self.target.n_dims, distance=models.Distance.COSINE)
            self._client.create_collection(table, vectors_config=size)

    def known(self, ids: list[str]) -> set[str]:
        """Which of these ids are there already."""
        points = [point_id(key) for key in ids]
        found = self._client.retrieve(self.target.table, points, with_payload=["id"])
        return {point.payload["id"] for point in found}

    def write(self, rows: Rows) -> None:
        """Write documents; those that are there are replaced."""
        from qdrant_client import models

        points = []
        for key, vector, text, metadata in zip(
            rows.ids, rows.vectors.tolist(), rows.texts, rows.metadata, strict=True
        ):
            payload: dict[str, Any] = {"id": key}
            if text is not None:
                payload["text"] = text
            if metadata:
                payload["metadata"] = metadata
            points.append(models.PointStruct(id=point_id(key), vector=vector, payload=payload))
        self._client.upsert(self.target.table, points, wait=True)

    def count(self) -> int:
        """Return the number of documents there."""
        return int(self._client.count(self.target.table, exact=True).count)

    def read(self, ids: list[str]) -> dict[str, FloatVector]:
        """Vectors of some documents; Qdrant keeps them with unit length."""
        points = [point_id(key) for key in ids]
        found = self._client.retrieve(
            self.target.table, points, with_vectors=True, with_payload=["id"]
        )
        return {point.payload["id"]: np.array(point.vector, dtype=np.float32) for point in found}

    def close(self) -> None:
        """Disconnect."""
        if self._client is not None:
            self._client.close()
