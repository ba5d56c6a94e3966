"""Parquet: columns ``id``, ``vector`` (a fixed-size list) and, with int8, ``scale``.

Written by hand because no library can continue a half-written file, and because vectors need
nothing of what makes Parquet writers slow: no nulls, no statistics, no compression. The bytes of
the numbers go to the file as they lie in memory. Format: https://parquet.apache.org/docs/file-format/
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from psif.files.writers import parquet_footer as footer
from psif.files.writers.chunk import Chunk
from psif.files.writers.layout import Bytes, Note, Notes
from psif.files.writers.thrift import i32, struct, varint

# Numbers in a page: large enough to make its header nothing, small enough to read piecewise.
_PAGE_NUMBERS = 1 << 20

_DATA_PAGE, _DICTIONARY_PAGE = 0, 2


class ParquetLayout:
    """A row group a chunk; the footer is made from the notes."""

    def __init__(self, dim: int, dtype: str, model: str = "") -> None:
        self._dim, self._dtype, self._model = dim, dtype, model

    def blank_head(self) -> bytes:
        """Return the magic, which is the whole head."""
        return footer.MAGIC

    def head(self, notes: Notes) -> bytes:
        """Return the magic, which is the whole head."""
        return footer.MAGIC

    def body(self, chunk: Chunk, position: int) -> tuple[list[Bytes], Note]:
        """Pages of a row group, column by column; the note has their places and sizes."""
        columns = [("id", _id_pages(chunk), len(chunk.ids))]
        columns.append(("vector", self._vector_pages(chunk), chunk.vectors.size))
        if chunk.scales is not None:
            page = _page(_DATA_PAGE, len(chunk.ids), [chunk.scales.astype("<f4").tobytes()])
            columns.append(("scale", page, len(chunk.ids)))
        out: list[Bytes] = []
        note: dict[str, Any] = {"rows": len(chunk.ids), "columns": {}}
        for name, pages, n_values in columns:
            size = sum(len(part) for part in pages)
            dictionary = len(pages[0]) + len(pages[1]) if self._is_coded(name) else 0
            note["columns"][name] = [position, size, n_values, dictionary]
            position += size
            out += pages
        return out, note

    def tail(self, notes: Notes, position: int) -> Iterator[Bytes]:
        """Return the footer."""
        yield footer.footer(self._dim, self._dtype, list(notes()), self._model)

    def sidecar(self, notes: Notes) -> Iterator[Bytes] | None:
        """None: ids are a column."""
        return None

    def _is_coded(self, name: str) -> bool:
        return name == "vector" and self._dtype == "int8"

    def _vector_pages(self, chunk: Chunk) -> list[Bytes]:
        out: list[Bytes] = []
        if self._dtype == "int8":
            # Parquet has no type of one byte. Indices into a dictionary of all 256 values have.
            values = np.arange(-128, 128, dtype="<i4").tobytes()
            out += _page(_DICTIONARY_PAGE, 256, [values])
        rows = max(1, _PAGE_NUMBERS // max(1, self._dim))
        for start in range(0, len(chunk.ids), rows):
            page = chunk.vectors[start : start + rows]
            levels = _levels(len(page), self._dim)
            if self._dtype == "int8":
                out += _page(_DATA_PAGE, page.size, [levels, *_indices(page)], coded=True)
            else:
                out += _page(_DATA_PAGE, page.size, [levels, page.data.cast("B")])
        return out


def _id_pages(chunk: Chunk) -> list[Bytes]:
    keys = [key.encode() for key in chunk.ids]
    values = b"".join(len(key).to_bytes(4, "little") + key for key in keys)
    return _page(_DATA_PAGE, len(keys), [values])


def _levels(n_rows: int, dim: int) -> bytes:
    """Return repetition levels (0 opens a row) and definition levels (all there), run-length."""
    row = varint(1 << 1) + b"\0"
    if dim > 1:
        row += varint((dim - 1) << 1) + b"\1"
    repetition = row * n_rows
    definition = varint((n_rows * dim) << 1) + b"\1"
    sized = [len(part).to_bytes(4, "little") + part for part in (repetition, definition)]
    return b"".join(sized)


def _indices(page: Any) -> list[Bytes]:
    """Return dictionary indices of eight bits: one bit-packed run, filled up to eights."""
    shifted = (page.view(np.uint8) ^ np.uint8(128)).ravel()
    groups = -(-shifted.size // 8)
    padding = bytes(groups * 8 - shifted.size)
    return [b"\x08" + varint(groups << 1 | 1), shifted.data, padding]


def _page(kind: int, n_values: int, parts: list[Bytes], *, coded: bool = False) -> list[Bytes]:
    size = sum(len(part) for part in parts)
    encoding = footer.DICTIONARY_INDICES if coded else footer.PLAIN
    data = struct(
        {1: i32(n_values), 2: i32(encoding), 3: i32(footer.RUN_LENGTH), 4: i32(footer.RUN_LENGTH)}
    )
    dictionary = struct({1: i32(n_values), 2: i32(footer.PLAIN)})
    is_data = kind == _DATA_PAGE
    header = struct(
        {
            1: i32(kind),
            2: i32(size),
            3: i32(size),
            5: data if is_data else None,
            7: None if is_data else dictionary,
        }
    )
    return [header.data, *parts]
