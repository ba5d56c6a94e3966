"""Read sparse matrices in SciPy's .npz, without holding a whole file in memory."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

_LOCAL_HEADER = 30
# A sparse file can say any width, whatever its size; full rows of it have to fit into memory.
_MOST_COLUMNS = 1 << 24


def read_npz(path: Path, most_numbers: int) -> Iterator[tuple[list[str], NDArray[Any]]]:
    """Yield ids and full rows of a .npz of a sparse matrix, so many numbers at a time."""
    with zipfile.ZipFile(path) as archive:
        if bytes(_array(path, archive, "format").item()) != b"csr":
            raise ValueError("expected a matrix in compressed sparse row form")
        n_rows, dim = _shape(path, archive)
        ends = np.asarray(_array(path, archive, "indptr"))
        columns, values = _array(path, archive, "indices"), _array(path, archive, "data")
        if len(ends) != n_rows + 1 or ends[0] != 0 or (np.diff(ends) < 0).any():
            raise ValueError("its rows are not in order")
        if not ends[-1] == len(columns) == len(values):
            raise ValueError("it has not as many numbers as its rows say")
        ids = _array(path, archive, "ids") if "ids.npy" in archive.namelist() else None
        if ids is not None and len(ids) != n_rows:
            raise ValueError(f"{n_rows} rows have {len(ids)} ids")
        step = max(1, most_numbers // max(1, dim))
        for start in range(0, n_rows, step):
            stop = min(n_rows, start + step)
            part = slice(int(ends[start]), int(ends[stop]))
            place = np.asarray(columns[part])
            if len(place) and not 0 <= int(place.min()) <= int(place.max()) < dim:
                raise ValueError("a number has no column")
            rows = np.zeros((stop - start, dim), dtype=values.dtype)
            rows[np.repeat(np.arange(stop - start), np.diff(ends[start : stop + 1])), place] = (
                values[part]
            )
            names = range(start, stop) if ids is None else ids[start:stop]
            yield [str(name) for name in names], rows


def npz_model(path: Path) -> str | None:
    """Return the checksum of the model that a file carries."""
    with zipfile.ZipFile(path) as archive:
        if "model.npy" not in archive.namelist():
            return None
        return str(_array(path, archive, "model").item()).strip()


def npz_shape(path: Path) -> tuple[int, int]:
    """Rows, and numbers per row, of a matrix in a file."""
    with zipfile.ZipFile(path) as archive:
        return _shape(path, archive)


def _shape(path: Path, archive: zipfile.ZipFile) -> tuple[int, int]:
    n_rows, dim = (int(n) for n in _array(path, archive, "shape"))
    if n_rows < 0 or not 0 <= dim <= _MOST_COLUMNS:
        raise ValueError(f"a matrix of {n_rows} x {dim} numbers")
    return n_rows, dim


def _array(path: Path, archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """Return an array of an archive, mapped where it is not compressed."""
    entry = archive.getinfo(f"{name}.npy")
    with archive.open(entry) as file:
        version = npy_format.read_magic(file)
        read = npy_format.read_array_header_1_0 if version == (1, 0) else None
        if read is None:
            raise ValueError(f"{name} is of another version of .npy")
        shape, _, dtype = read(file)
        if dtype.hasobject:
            raise ValueError(f"{name} has Python objects")
        begins = file.tell()
    size = math.prod(shape) * dtype.itemsize
    if begins + size != entry.file_size:
        raise ValueError(f"{name} has not the size that it says")
    if not size or not shape or entry.compress_type != zipfile.ZIP_STORED:
        with archive.open(entry) as file:
            return np.asarray(npy_format.read_array(file, allow_pickle=False))
    with path.open("rb") as raw:
        raw.seek(entry.header_offset)
        head = raw.read(_LOCAL_HEADER)
        names = int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    offset = entry.header_offset + _LOCAL_HEADER + names + begins
    return np.memmap(path, dtype=dtype, mode="r", offset=offset, shape=shape)
