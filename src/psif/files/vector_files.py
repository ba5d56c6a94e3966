"""Read files of vectors back, in blocks of rows with their ids."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from psif.errors import FormatError, InputError
from psif.files.vector_origin import check_sidecar, npy_trailer
from psif.files.writers.formats import output_format
from psif.files.writers.sidecar import sidecar_path
from psif.types import FloatMatrix

Blocks = Iterator[tuple[list[str], FloatMatrix]]

# Numbers in a block: enough for a fast product, little enough for any machine.
_NUMBERS = 1 << 23


def read_vectors(path: str | Path) -> Blocks:
    """Ids and float32 rows of a .npy, .parquet, .jsonl or .safetensors file.

    int8 rows come without their scale, which no cosine needs.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"{path}: no such file")
    reader = {
        ".npy": _npy,
        ".parquet": _parquet,
        ".jsonl": _jsonl,
        ".safetensors": _safetensors,
    }[output_format(path)]
    try:
        yield from reader(path)
    except (InputError, FormatError, OSError):
        raise
    except (ValueError, KeyError, TypeError, StopIteration) as error:
        raise FormatError(f"{path}: not a file of vectors that psif wrote: {error}") from error


def _npy(path: Path) -> Blocks:
    matrix = np.load(path, mmap_mode="r", allow_pickle=False)
    check_sidecar(path, npy_trailer(path, matrix))
    ids: Iterator[str]
    if sidecar_path(path).exists():
        ids = _sidecar_ids(sidecar_path(path))
    else:
        ids = map(str, range(len(matrix)))
    yield from _blocks(matrix, ids)


def _sidecar_ids(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", errors="surrogatepass", newline="\n") as lines:
        for line in lines:
            yield json.loads(line)["id"]


def _safetensors(path: Path) -> Blocks:
    from safetensors import safe_open

    # Slices of the file, so that only the rows in use are in memory.
    with safe_open(path, framework="numpy") as file:
        offsets = file.get_tensor("id_offsets")
        keys = file.get_tensor("ids").tobytes()
        ids = (keys[a:b].decode("utf-8", "surrogatepass") for a, b in itertools.pairwise(offsets))
        yield from _blocks(file.get_slice("vectors"), ids)


def _blocks(matrix: Any, ids: Iterator[str]) -> Blocks:
    shape = matrix.get_shape() if hasattr(matrix, "get_shape") else matrix.shape
    n_rows, dim = shape
    step = max(1, _NUMBERS // max(1, dim))
    for start in range(0, n_rows, step):
        rows = np.asarray(matrix[start : min(n_rows, start + step)], dtype=np.float32)
        yield [next(ids) for _ in range(len(rows))], rows


def _parquet(path: Path) -> Blocks:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            kind = file.schema_arrow.field("vector").type
            dim = getattr(kind, "list_size", 1 << 10)
            for batch in file.iter_batches(max(1, _NUMBERS // dim), columns=["id", "vector"]):
                column = batch.column("vector")
                # Not to_numpy, which imports pandas where there is one.
                rows = np.from_dlpack(column.flatten()).reshape(len(column), -1)
                yield [str(key) for key in batch.column("id").to_pylist()], rows.astype(np.float32)
    except pa.ArrowException as error:
        raise FormatError(f"{path}: not a readable parquet file: {error}") from error


def _jsonl(path: Path) -> Blocks:
    ids: list[str] = []
    rows: list[list[float]] = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            ids.append(str(record["id"]))
            rows.append(record["vector"])
            if len(rows) * len(rows[0]) >= _NUMBERS // 4:
                yield ids, np.array(rows, dtype=np.float32)
                ids, rows = [], []
    if rows:
        yield ids, np.array(rows, dtype=np.float32)


def vector_shape(path: str | Path) -> tuple[int, int]:
    """Rows and numbers a row of a file of vectors, where possible without reading the rows."""
    path = Path(path)
    if path.exists() and output_format(path) == ".npy":
        matrix = np.load(path, mmap_mode="r", allow_pickle=False)
        return int(matrix.shape[0]), int(matrix.shape[1])
    blocks = read_vectors(path)
    ids, rows = next(blocks, ([], np.zeros((0, 0), dtype=np.float32)))
    n_rows, dim = len(ids), int(rows.shape[1])
    # The first block has shown that the file is sound; its own count spares reading the others.
    if path.suffix == ".parquet":
        from pyarrow import parquet

        n_rows = int(parquet.read_metadata(path).num_rows)
    else:
        n_rows += sum(len(more) for more, _ in blocks)
    return n_rows, dim
