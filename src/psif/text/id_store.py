"""Word ids that arrive in pieces: in memory while few, in a temporary file when many."""

from __future__ import annotations

import tempfile
from typing import IO

import numpy as np

from psif.types import IdVector

# 256 MB of ids: above this they are written out, and the system keeps in memory what it can.
SPILL_IDS = 1 << 26


class IdStore:
    """Collect int32 ids; :meth:`ids` gives one array, memory-mapped if it is a large one.

    The temporary file has no name and vanishes with the array, however the process ends.
    """

    def __init__(self, spill_ids: int | None = None) -> None:
        self._spill_ids = SPILL_IDS if spill_ids is None else spill_ids
        self._pieces: list[IdVector] = []
        self._held = 0
        self._total = 0
        self._file: IO[bytes] | None = None

    def add(self, ids: IdVector) -> None:
        """Append a piece."""
        self._pieces.append(ids)
        self._held += len(ids)
        self._total += len(ids)
        if self._held > self._spill_ids:
            self._spill()

    def ids(self) -> IdVector:
        """All pieces as one array; the store must not be used afterwards."""
        if self._file is None:
            # The result is filled piece by piece, each freed at once: never two copies of all.
            joined = np.empty(self._total, dtype=np.int32)
            position = 0
            self._pieces.reverse()
            while self._pieces:
                piece = self._pieces.pop()
                joined[position : position + len(piece)] = piece
                position += len(piece)
            return joined
        self._spill()
        self._file.flush()
        mapped = np.memmap(self._file, dtype=np.int32, mode="r+", shape=(self._total,))
        self._file.close()
        return mapped

    def _spill(self) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="psif-ids-")  # noqa: SIM115
        for piece in self._pieces:
            self._file.write(np.ascontiguousarray(piece).data)
        self._pieces.clear()
        self._held = 0
