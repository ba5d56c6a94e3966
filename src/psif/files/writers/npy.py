"""NumPy's .npy, with ids (and the scales of int8) in a second file beside it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from psif.files.writers.chunk import Chunk
from psif.files.writers.layout import Bytes, Note, Notes

_HEAD_BYTES = 256
# Marks what follows the rows.
TRAILER = "psif-vectors"
_CODES = {"float32": "<f4", "float16": "<f2", "int8": "|i1"}


class NpyLayout:
    """A 2-D array, readable with ``numpy.load(path, mmap_mode="r")``."""

    def __init__(self, dim: int, dtype: str, model: str = "") -> None:
        self._dim, self._dtype, self._model = dim, dtype, model

    def blank_head(self) -> bytes:
        """Bytes in the place of the head until it is known."""
        return bytes(_HEAD_BYTES)

    def body(self, chunk: Chunk, position: int) -> tuple[list[Bytes], Note]:
        """Rows as they are."""
        return [chunk.vectors.data.cast("B")], id_note(chunk)

    def head(self, notes: Notes) -> bytes:
        """Magic, version 1.0, and a Python literal padded with spaces; see numpy.lib.format."""
        n_rows = sum(len(note["ids"]) for note in notes())
        shape = f"({n_rows}, {self._dim})"
        text = f"{{'descr': {_CODES[self._dtype]!r}, 'fortran_order': False, 'shape': {shape}, }}"
        padded = text.ljust(_HEAD_BYTES - 11) + "\n"
        return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded.encode()

    def tail(self, notes: Notes, position: int) -> Iterator[Bytes]:
        """One line of JSON, which NumPy passes over: the model, and the checksum of the ids."""
        digest = hashlib.sha256()
        for line in _sidecar_lines(notes):
            digest.update(line)
        trailer = {"format": TRAILER, "model": self._model, "ids": digest.hexdigest()}
        yield b"\n" + json.dumps(trailer).encode() + b"\n"

    def sidecar(self, notes: Notes) -> Iterator[Bytes] | None:
        """One JSON object per row: its id and, with int8, its scale."""
        return _sidecar_lines(notes)


def id_note(chunk: Chunk) -> Note:
    """Ids and scales, for formats that write them at the end."""
    note: dict[str, Any] = {"ids": list(chunk.ids)}
    if chunk.scales is not None:
        note["scales"] = chunk.scales.tolist()
    return note


def _sidecar_lines(notes: Notes) -> Iterator[Bytes]:
    for note in notes():
        scales = note.get("scales") or [None] * len(note["ids"])
        for key, scale in zip(note["ids"], scales, strict=True):
            record = {"id": key} if scale is None else {"id": key, "scale": scale}
            yield json.dumps(record, ensure_ascii=False).encode() + b"\n"
