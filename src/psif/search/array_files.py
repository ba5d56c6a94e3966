"""Arrays in safetensors files, each block of bytes with a checksum.

A block is 16 MiB, so that several threads check a large file. The checksum is CRC-32: it finds
damage, it is no protection against people who can write to the index.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from psif.errors import FormatError
from psif.runtime.atomic import flush
from psif.runtime.threads import map_items
from psif.vectors.readers.safetensors_map import map_tensors

_BLOCK = 1 << 24
_NAMES = {
    "float64": "F64", "float32": "F32", "int64": "I64", "int32": "I32", "int8": "I8", "uint8": "U8",
}  # fmt: skip


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Write a new file and bring it to disk; return what :func:`read_arrays` checks it by."""
    header, place = {}, 0
    # Large numbers first, so that each begins at a multiple of its size.
    ordered = sorted(arrays.items(), key=lambda pair: -pair[1].itemsize)
    for name, array in ordered:
        end = place + array.nbytes
        header[name] = {
            "dtype": _NAMES[str(array.dtype)],
            "shape": list(array.shape),
            "data_offsets": [place, end],
        }
        place = end
    head = json.dumps(header, ensure_ascii=False).encode()
    head += b" " * (-len(head) % 8)
    with path.open("xb") as file:
        file.write(len(head).to_bytes(8, "little") + head)
        for _, array in ordered:
            # In pieces: mapped arrays of any size pass through little memory.
            flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
            for start in range(0, len(flat), _BLOCK):
                _put(file, flat[start : start + _BLOCK])
    flush(path)
    return describe(path)


def _put(file: IO[bytes], data: NDArray[np.uint8]) -> None:
    file.write(data.data)


def describe(path: Path) -> dict[str, Any]:
    """Name, size and checksums of a file."""
    size = path.stat().st_size
    blocks = list(range(0, size, _BLOCK))
    return {
        "name": path.name,
        "size": size,
        "crc32": map_items(lambda start: _checksum(path, start), blocks),
    }


def check_file(path: Path, expected: Mapping[str, Any]) -> None:
    """Raise if a file is not the one that was described."""
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing; the index is incomplete.")
    size = path.stat().st_size
    if size != expected["size"]:
        raise FormatError(
            f"{path} has {size} bytes, expected {expected['size']}: truncated or changed."
        )
    if describe(path)["crc32"] != expected["crc32"]:
        raise FormatError(f"{path} does not match its checksum: damaged or changed.")


def read_arrays(
    folder: Path, expected: Mapping[str, Any], *, mapped: bool
) -> dict[str, np.ndarray]:
    """Arrays of a file that was described; ``mapped`` ones stay in it."""
    path = folder / plain_name(expected["name"])
    check_file(path, expected)
    try:
        # "c": arrays that count as writable; compiled code exists for such.
        arrays = map_tensors(path, "c")
    except (FormatError, KeyError, TypeError, ValueError) as error:
        raise FormatError(f"{path} is not a file of arrays ({error}).") from error
    return {name: np.asarray(a) if mapped else np.array(a) for name, a in arrays.items()}


def plain_name(name: Any) -> str:
    """Return the name of a file in the index itself; anything else is refused."""
    if not isinstance(name, str) or Path(name).name != name:
        raise FormatError(f"the manifest names a file outside the index: {name!r}.")
    return name


def _checksum(path: Path, start: int) -> int:
    with path.open("rb") as file:
        file.seek(start)
        return zlib.crc32(file.read(_BLOCK))
