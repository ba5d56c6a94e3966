"""Tensors of a safetensors file as memory-mapped arrays."""

from __future__ import annotations

import json
import struct
from math import prod
from pathlib import Path
from typing import Any, Literal

import numpy as np

from psif.errors import FormatError

_DTYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2",
    "I64": "<i8", "I32": "<i4", "I8": "<i1", "U8": "<u1",
}  # fmt: skip


def map_tensors(path: Path, mode: Literal["r", "c"] = "r") -> dict[str, np.ndarray]:
    """Every tensor by name, read from disk only when used (bfloat16 is converted at once).

    Mode "c" gives arrays that count as writable, what is written staying in memory: compiled
    code would be compiled once more for read-only ones.

    The package ``safetensors`` reads whole tensors; a table of vectors is better mapped. The
    layout is its published one: 8 bytes of length, a JSON header, then the data.
    """
    with path.open("rb") as stream:
        raw = stream.read(8)
        length = struct.unpack("<Q", raw)[0] if len(raw) == 8 else 0
        size = path.stat().st_size
        if not 2 <= length <= min(size - 8, 100_000_000):
            raise FormatError(f"{path} is no safetensors file: its header is missing or too long.")
        try:
            header = json.loads(stream.read(length))
        except ValueError as error:
            raise FormatError(f"{path}: the safetensors header is damaged: {error}") from error
    return {
        name: _map(path, name, entry, 8 + length, size, mode)
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] in _DTYPES
    }


def _map(
    path: Path, name: str, entry: dict[str, Any], base: int, size: int, mode: Literal["r", "c"]
) -> np.ndarray:
    begin, end = entry["data_offsets"]
    shape = tuple(entry["shape"])
    if not all(type(number) is int and number >= 0 for number in (begin, end, *shape)):
        raise FormatError(f"{path}: the header of the tensor {name!r} is damaged.")
    dtype = np.dtype(_DTYPES[entry["dtype"]])
    if base + end > size or end - begin != dtype.itemsize * prod(shape):
        raise FormatError(
            f"{path} is cut short or damaged: the tensor {name!r} of shape {shape} needs bytes "
            f"{base + begin} to {base + end}, the file has {size}."
        )
    if end == begin:
        return np.zeros(shape, dtype=dtype)
    array = np.memmap(path, dtype=dtype, mode=mode, offset=base + begin, shape=shape or (1,))
    if entry["dtype"] == "BF16":
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array
