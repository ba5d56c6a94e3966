"""safetensors: the tensors ``vectors``, ``ids``, ``id_offsets`` and, with int8, ``scales``.

A header of JSON padded with spaces, then the tensors; see
https://github.com/huggingface/safetensors for the format. Id i is the UTF-8 text
``ids[id_offsets[i]:id_offsets[i + 1]]``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from psif.files.writers.chunk import Chunk
from psif.files.writers.layout import Bytes, Note, Notes
from psif.files.writers.npy import id_note

_HEAD_BYTES = 1024
_CODES = {"float32": ("F32", 4), "float16": ("F16", 2), "int8": ("I8", 1)}


class SafetensorsLayout:
    """Vectors first, as they come; ids at the end, when they are known."""

    def __init__(self, dim: int, dtype: str, model: str = "") -> None:
        self._dim, self._dtype, self._model = dim, dtype, model

    def blank_head(self) -> bytes:
        """Bytes in the place of the head until it is known."""
        return bytes(_HEAD_BYTES)

    def body(self, chunk: Chunk, position: int) -> tuple[list[Bytes], Note]:
        """Rows as they are."""
        return [chunk.vectors.data.cast("B")], id_note(chunk)

    def head(self, notes: Notes) -> bytes:
        """Names, types, shapes and places of the tensors."""
        n_rows = sum(len(note["ids"]) for note in notes())
        id_bytes = sum(len(_utf8(key)) for note in notes() for key in note["ids"])
        code, width = _CODES[self._dtype]
        row_bytes = n_rows * self._dim * width
        plan = [("vectors", code, [n_rows, self._dim], row_bytes)]
        plan += [("padding", "U8", [-row_bytes % 8], -row_bytes % 8)] if row_bytes % 8 else []
        plan += [("id_offsets", "I64", [n_rows + 1], 8 * (n_rows + 1))]
        plan += [("scales", "F32", [n_rows], 4 * n_rows)] if self._dtype == "int8" else []
        plan += [("ids", "U8", [id_bytes], id_bytes)]
        entries: dict[str, object] = {
            "__metadata__": {"format": "psif-vectors", "model": self._model}
        }
        place = 0
        for name, kind, shape, size in plan:
            entries[name] = {"dtype": kind, "shape": shape, "data_offsets": [place, place + size]}
            place += size
        text = json.dumps(entries).ljust(_HEAD_BYTES - 8).encode()
        return len(text).to_bytes(8, "little") + text

    def tail(self, notes: Notes, position: int) -> Iterator[Bytes]:
        """Offsets of the ids, the scales, and the ids."""
        # The offsets are eight bytes wide and must begin at a multiple of eight.
        yield bytes(-position % 8)
        end = 0
        yield end.to_bytes(8, "little")
        for note in notes():
            lengths = np.array([len(_utf8(key)) for key in note["ids"]], dtype="<i8")
            yield (np.cumsum(lengths) + end).astype("<i8").tobytes()
            end += int(lengths.sum())
        for note in notes():
            yield np.array(note.get("scales", []), dtype="<f4").tobytes()
        for note in notes():
            yield b"".join(map(_utf8, note["ids"]))

    def sidecar(self, notes: Notes) -> Iterator[Bytes] | None:
        """None: ids are a tensor."""
        return None


def _utf8(key: str) -> bytes:
    return key.encode()
