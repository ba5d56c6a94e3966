"""SciPy's .npz of a sparse matrix: only numbers that are not zero, with their columns.

For vectors with a column per word, which are mostly zeros. ``scipy.sparse.load_npz`` reads the
matrix; beside it are the arrays ``ids``, ``model`` and, with int8, ``scales``. A .npz is a zip of
.npy files, each of one piece, so it cannot grow a chunk at a time: chunks are written as they come
and put in order at the end, without holding more than one in memory.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.format import write_array_header_1_0

from psif.files.writers.chunk import Chunk
from psif.files.writers.layout import Bytes, Note, Notes
from psif.files.writers.npy import id_note
from psif.runtime.atomic import atomic_path

# SciPy has no sparse matrices of float16.
_TYPES = {"float32": "<f4", "float16": "<f4", "int8": "|i1"}
_INDEX = "<i4"


class NpzLayout:
    """Rows in compressed sparse row form."""

    def __init__(self, dim: int, dtype: str, model: str = "") -> None:
        self._dim, self._type, self._model = dim, np.dtype(_TYPES[dtype]), model

    def blank_head(self) -> bytes:
        """No head: chunks come first."""
        return b""

    def body(self, chunk: Chunk, position: int) -> tuple[list[Bytes], Note]:
        """Numbers and columns of a chunk; the note says how many each row has."""
        rows, columns = np.nonzero(chunk.vectors)
        values = chunk.vectors[rows, columns].astype(self._type)
        note = id_note(chunk)
        note["begin"] = position
        note["n_stored"] = np.bincount(rows, minlength=len(chunk.ids)).tolist()
        return [values.tobytes(), columns.astype(_INDEX).tobytes()], note

    def head(self, notes: Notes) -> bytes:
        """No head."""
        return b""

    def tail(self, notes: Notes, position: int) -> Iterator[Bytes]:
        """Nothing: see :meth:`finish`."""
        return iter(())

    def sidecar(self, notes: Notes) -> Iterator[Bytes] | None:
        """None: ids are in the file."""
        return None

    def finish(self, path: Path, notes: Notes) -> None:
        """Put the pieces of all chunks in order."""
        n_rows = n_stored = 0
        longest, scaled = 1, False
        for note in notes():
            n_rows += len(note["ids"])
            n_stored += sum(note["n_stored"])
            longest = max(longest, *map(len, note["ids"])) if note["ids"] else longest
            scaled = scaled or "scales" in note
        text = np.dtype(f"<U{longest}")
        with (
            atomic_path(path) as part,
            path.open("rb") as chunks,
            zipfile.ZipFile(part, "w", allowZip64=True) as archive,
        ):
            _add(archive, "indices", _INDEX, n_stored, self._pieces(chunks, notes, columns=True))
            _add(archive, "indptr", "<i8", n_rows + 1, _row_ends(notes))
            _add(archive, "format", "|S3", None, [b"csr"])
            _add(archive, "shape", "<i8", 2, [np.array([n_rows, self._dim], "<i8").tobytes()])
            pieces = self._pieces(chunks, notes, columns=False)
            _add(archive, "data", self._type.str, n_stored, pieces)
            ids = (np.array(note["ids"], text).tobytes() for note in notes())
            _add(archive, "ids", text.str, n_rows, ids, compressed=True)
            model = np.array(self._model or " ", dtype=np.str_)
            _add(archive, "model", model.dtype.str, None, [model.tobytes()])
            if scaled:
                scales = (np.array(note["scales"], "<f4").tobytes() for note in notes())
                _add(archive, "scales", "<f4", n_rows, scales)

    def _pieces(self, chunks: Any, notes: Notes, *, columns: bool) -> Iterator[bytes]:
        for note in notes():
            n_stored = sum(note["n_stored"])
            place = note["begin"] + (n_stored * self._type.itemsize if columns else 0)
            chunks.seek(place)
            yield chunks.read(n_stored * (4 if columns else self._type.itemsize))


def _row_ends(notes: Notes) -> Iterator[bytes]:
    end = 0
    yield end.to_bytes(8, "little")
    for note in notes():
        ends = np.cumsum(np.array(note["n_stored"], dtype="<i8")) + end
        yield ends.astype("<i8").tobytes()
        end = int(ends[-1]) if len(ends) else end


def _add(
    archive: zipfile.ZipFile,
    name: str,
    dtype: str,
    length: int | None,
    pieces: Iterable[bytes],
    *,
    compressed: bool = False,
) -> None:
    """Write one .npy, of no dimension where there is no length, piece after piece."""
    # A date of its own would make two files with the same vectors differ.
    entry = zipfile.ZipInfo(f"{name}.npy")
    entry.compress_type = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    shape = () if length is None else (length,)
    with archive.open(entry, "w", force_zip64=True) as file:
        described = {"descr": dtype, "fortran_order": False, "shape": shape}
        write_array_header_1_0(file, described)
        for piece in pieces:
            file.write(piece)
