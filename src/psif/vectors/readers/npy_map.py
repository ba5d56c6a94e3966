"""A matrix in numpy's ``.npy`` format as a memory-mapped array."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np

from psif.errors import FormatError
from psif.types import FloatMatrix
from psif.vectors.readers.damage import damage_named

_LONGEST_HEADER = 1 << 16


def map_rows(path: Path) -> FloatMatrix:
    """Map a matrix of numbers; the file must be exactly as long as its header says.

    A file that is cut short while it is mapped ends the process that reads it. So a folder of ours
    is always replaced as a whole, never changed in place.
    """
    with damage_named(path):
        header, offset = _read_header(path)
        kind, shape = header["descr"], header["shape"]
        if not isinstance(kind, str) or np.dtype(kind).kind not in "fiu" or len(shape) != 2:
            raise FormatError(
                f"{path} holds an array of type {kind!r} and shape {shape}; expected a matrix of "
                "numbers, one row per word."
            )
        expected = offset + np.dtype(kind).itemsize * shape[0] * shape[1]
        size = path.stat().st_size
        if size != expected:
            raise FormatError(
                f"{path} has {size} bytes, expected {expected} by its header: cut short or "
                "changed. Copy or convert the table again."
            )
        return np.memmap(
            path, np.dtype(kind), "r", offset, shape, "F" if header["fortran_order"] else "C"
        )


def _read_header(path: Path) -> tuple[dict[str, Any], int]:
    """Return the header and where the numbers begin.

    Not by numpy: its reader for headers of Python 2 warns, and fails in ways of its own.
    """
    with path.open("rb") as stream:
        major, _ = np.lib.format.read_magic(stream)
        length = int.from_bytes(stream.read(2 if major == 1 else 4), "little")
        if length > _LONGEST_HEADER:
            raise FormatError(f"{path}: the header has {length} bytes, the file is damaged.")
        header = ast.literal_eval(stream.read(length).decode("latin-1").strip())
        if (
            not isinstance(header, dict)
            or set(header) != {"descr", "fortran_order", "shape"}
            or not isinstance(header["shape"], tuple)
            or not all(isinstance(n, int) and n >= 0 for n in header["shape"])
        ):
            raise FormatError(f"{path}: the header is damaged: {str(header)[:80]}.")
        return header, stream.tell()
