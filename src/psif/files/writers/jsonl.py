"""JSON Lines: one object per line, {"id": ..., "model": ..., "vector": [...]}."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from psif.files.writers.chunk import Chunk
from psif.files.writers.layout import Bytes, Note, Notes


class JsonlLayout:
    """Text that anything can read; ten times the bytes of the others, and slower."""

    def __init__(self, dim: int, dtype: str, model: str = "") -> None:
        self._dim, self._dtype, self._model = dim, dtype, model

    def blank_head(self) -> bytes:
        """Nothing."""
        return b""

    def body(self, chunk: Chunk, position: int) -> tuple[list[Bytes], Note]:
        """Lines of the chunk; numbers are the shortest that read back as the same."""
        import orjson

        values = chunk.vectors if self._dtype == "int8" else chunk.vectors.astype(np.float32)
        rows = np.ascontiguousarray(values)
        model = f'"model": "{self._model}", ' if self._model else ""
        lines = []
        for i, (key, row) in enumerate(zip(chunk.ids, rows, strict=True)):
            scale = "" if chunk.scales is None else f'"scale": {chunk.scales[i]}, '
            opening = f'{{"id": {json.dumps(key)}, {model}{scale}"vector": '
            numbers = orjson.dumps(row, option=orjson.OPT_SERIALIZE_NUMPY)
            lines += [opening.encode(), numbers, b"}\n"]
        return [b"".join(lines)], {}

    def head(self, notes: Notes) -> bytes:
        """Nothing."""
        return b""

    def tail(self, notes: Notes, position: int) -> Iterator[Bytes]:
        """Nothing."""
        return iter(())

    def sidecar(self, notes: Notes) -> Iterator[Bytes] | None:
        """None: ids stand in the lines."""
        return None
