"""USearch: an HNSW index by cosine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from psif.integrations.stores.index_file import IndexFile
from psif.types import FloatMatrix, FloatVector


class UsearchStore(IndexFile):
    """``usearch.index.Index.restore`` opens the file; keys are row numbers."""

    _index: Any

    def make(self) -> None:
        """Begin an empty index."""
        from usearch.index import Index

        self._index = Index(ndim=self.target.n_dims, metric="cos", dtype="f32")

    def add(self, vectors: FloatMatrix) -> None:
        """Add rows."""
        start = len(self._index)
        keys = np.arange(start, start + len(vectors), dtype=np.uint64)
        self._index.add(keys, np.ascontiguousarray(vectors, dtype=np.float32))

    def save(self, path: Path) -> None:
        """Write the index."""
        self._index.save(str(path))

    def reload(self, path: Path) -> None:
        """Read it back."""
        from usearch.index import Index

        self._index = Index.restore(str(path))

    def row(self, place: int) -> FloatVector:
        """Return the vector of a row."""
        return np.asarray(self._index[place], dtype=np.float32).reshape(-1)
