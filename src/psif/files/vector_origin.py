"""Which model a file of vectors comes from.

Every file of vectors carries the checksum of its model, so that a query is never compared with
vectors of another model.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.lib.format import open_memmap

from psif.errors import FormatError, InputError
from psif.files.parquet_library import need_pyarrow
from psif.files.readers.damage import damage_named
from psif.files.sparse_files import npz_model
from psif.files.writers.npy import TRAILER
from psif.files.writers.parquet_footer import MODEL_KEY
from psif.files.writers.sidecar import sidecar_path

_LONGEST_TRAILER = 4096


def vector_model(path: str | Path) -> str | None:
    """Return the checksum of the model that made a file of vectors; None if it carries none."""
    path = Path(path)
    reader = {
        ".npy": _npy,
        ".npz": npz_model,
        ".parquet": _parquet,
        ".jsonl": _jsonl,
        ".safetensors": _safetensors,
    }
    found = reader.get(path.suffix.lower())
    if found is None or not path.is_file():
        return None
    with damage_named(path, "not a file of vectors that psif wrote"):
        return found(path) or None


def check_origin(path: str | Path, model: str | None, name: str | Path) -> None:
    """Refuse vectors that another model made; ``model`` is the checksum of the one at hand."""
    made_by = vector_model(path)
    if made_by and model and made_by != model:
        raise InputError(
            f"{path} was made by another model than {name}; their vectors are not comparable. "
            "Embed the documents again with this model, or give the model they were made with."
        )


def npy_trailer(path: Path, matrix: np.ndarray) -> dict[str, str] | None:
    """Read what stands after the rows of a .npy file; None in files of other programs."""
    end_of_rows = int(getattr(matrix, "offset", 0)) + matrix.nbytes
    if not 0 < path.stat().st_size - end_of_rows <= _LONGEST_TRAILER:
        return None
    with path.open("rb") as file:
        file.seek(end_of_rows)
        rest = file.read(_LONGEST_TRAILER)
    try:
        trailer = json.loads(rest)
    except (ValueError, RecursionError):
        return None
    ours = isinstance(trailer, dict) and trailer.get("format") == TRAILER
    return trailer if ours else None


def check_sidecar(path: Path, trailer: dict[str, str] | None) -> None:
    """Refuse ids of another run beside the rows of this one."""
    if trailer is None:
        return
    import hashlib

    side = sidecar_path(path)
    if not side.exists():
        raise FormatError(f"{side} with the ids of {path} is missing; run psif embed again.")
    with side.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != trailer.get("ids"):
        raise FormatError(f"{side} does not belong to {path}; run psif embed again.")


def _npy(path: Path) -> str | None:
    matrix = open_memmap(path, mode="r")
    trailer = npy_trailer(path, matrix)
    return None if trailer is None else str(trailer.get("model") or "")


def _parquet(path: Path) -> str | None:
    need_pyarrow(path)
    from pyarrow import parquet

    with damage_named(path, "not a readable parquet file"):
        metadata = parquet.read_metadata(path).metadata or {}
    found = metadata.get(MODEL_KEY.encode())
    return None if found is None else found.decode()


def _safetensors(path: Path) -> str | None:
    from safetensors import safe_open

    with (
        damage_named(path, "not a readable safetensors file"),
        safe_open(path, framework="numpy") as file,
    ):
        metadata = file.metadata() or {}
    return metadata.get("model")


def _jsonl(path: Path) -> str | None:
    with path.open(encoding="utf-8") as lines:
        first = next(lines, "{}")
    record = json.loads(first)
    found = record.get("model") if isinstance(record, dict) else None
    return found if isinstance(found, str) else None
