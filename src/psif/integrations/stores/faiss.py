"""FAISS: a flat index of unit vectors, whose inner products are cosines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from psif.integrations.stores.index_file import IndexFile
from psif.runtime.norms import unit_rows
from psif.types import FloatMatrix, FloatVector


class FaissStore(IndexFile):
    """``faiss.read_index`` opens the file."""

    _index: Any

    def make(self) -> None:
        """Begin an empty index."""
        import faiss

        self._index = faiss.IndexFlatIP(self.target.n_dims)

    def add(self, vectors: FloatMatrix) -> None:
        """Add rows."""
        self._index.add(np.ascontiguousarray(unit_rows(vectors), dtype=np.float32))

    def save(self, path: Path) -> None:
        """Write the index."""
        import faiss

        faiss.write_index(self._index, str(path))

    def reload(self, path: Path) -> None:
        """Read it back."""
        import faiss

        self._index = faiss.read_index(str(path))

    def row(self, place: int) -> FloatVector:
        """Return the vector of a row."""
        return np.asarray(self._index.reconstruct(place), dtype=np.float32)
