"""Read files of vectors back, in blocks of rows with their ids."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from psif.errors import FormatError, InputError
from psif.files.readers.damage import damage_named
from psif.files.readers.streams import is_stream
from psif.files.sparse_files import npz_shape, read_npz
from psif.files.vector_origin import check_sidecar, npy_trailer
from psif.files.writers.formats import output_format
from psif.files.writers.sidecar import sidecar_path
from psif.types import FloatMatrix

Blocks = Iterator[tuple[list[str], FloatMatrix]]
_AnyBlocks = Iterator[tuple[list[str], NDArray[Any]]]

# Numbers in a block: enough for a fast product, few enough for any machine.
_NUMBERS = 1 << 23
_PROBLEM = "not a file of vectors that psif wrote"


def read_vectors(path: str | Path) -> Blocks:
    """Yield ids and float32 rows of a .npy, .npz, .parquet, .jsonl or .safetensors file.

    int8 rows come without their scale, which no cosine needs. Every row has as many numbers as the
    first, and all of them are finite: anything else is a FormatError.
    """
    path = Path(path)
    blocks = _reader(path)(path)
    with damage_named(path, _PROBLEM):
        dim: int | None = None
        n_rows = 0
        for ids, numbers in blocks:
            dim = _check_block(numbers, len(ids), dim)
            with np.errstate(over="ignore"):
                rows = numbers.astype(np.float32, copy=False)
            finite = np.isfinite(rows).all(axis=1)
            if not finite.all():
                row = n_rows + int(np.argmin(finite))
                raise FormatError(f"{path}: row {row} has a number that is not finite")
            yield ids, rows
            n_rows += len(rows)


def _reader(path: Path) -> Any:
    if not path.exists():
        raise InputError(f"{path}: no such file")
    if path.is_dir() or is_stream(path):
        raise InputError(f"{path}: vectors are read from a file, not from a folder or a pipe")
    readers = {
        ".npy": _npy,
        ".npz": lambda sparse: read_npz(sparse, _NUMBERS),
        ".parquet": _parquet,
        ".jsonl": _jsonl,
        ".safetensors": _safetensors,
    }
    return readers[output_format(path)]


def _check_block(numbers: Any, n_ids: int, dim: int | None) -> int:
    """Refuse rows that are no numbers, or not as many or as long as they should be."""
    if numbers.ndim != 2 or numbers.dtype.kind not in "fi":
        raise ValueError(f"expected rows of numbers, found {numbers.dtype} {numbers.shape}")
    if len(numbers) != n_ids:
        raise ValueError(f"{len(numbers)} rows have {n_ids} ids")
    if dim is not None and numbers.shape[1] != dim:
        raise ValueError(f"rows of {dim} and of {numbers.shape[1]} numbers")
    return int(numbers.shape[1])


def _npy(path: Path) -> _AnyBlocks:
    matrix = open_memmap(path, mode="r")
    check_sidecar(path, npy_trailer(path, matrix))
    ids: Iterator[str]
    if sidecar_path(path).exists():
        ids = _sidecar_ids(sidecar_path(path))
    else:
        ids = map(str, range(len(matrix)))
    yield from _blocks(matrix, ids)
    if next(ids, None) is not None:
        raise FormatError(f"{sidecar_path(path)} has more ids than {path} has rows")


def _sidecar_ids(path: Path) -> Iterator[str]:
    with (
        damage_named(path, "not a file of ids that psif wrote"),
        path.open(encoding="utf-8", errors="surrogatepass", newline="\n") as lines,
    ):
        for line in lines:
            yield _id(json.loads(line)["id"])


def _safetensors(path: Path) -> _AnyBlocks:
    from safetensors import safe_open

    # Slices of the file, so that only the rows in use are in memory.
    with safe_open(path, framework="numpy") as file:
        offsets = file.get_tensor("id_offsets")
        keys = file.get_tensor("ids").tobytes()
        if not len(offsets) or offsets[0] != 0 or offsets[-1] != len(keys):
            raise ValueError("the offsets of its ids do not fit them")
        if (np.diff(offsets) < 0).any():
            raise ValueError("the offsets of its ids are not in order")
        ids = (keys[a:b].decode("utf-8", "surrogatepass") for a, b in itertools.pairwise(offsets))
        yield from _blocks(file.get_slice("vectors"), ids)
        if next(ids, None) is not None:
            raise ValueError("it has more ids than rows")


def _blocks(matrix: Any, ids: Iterator[str]) -> _AnyBlocks:
    n_rows, dim = matrix.get_shape() if hasattr(matrix, "get_shape") else matrix.shape
    step = max(1, _NUMBERS // max(1, dim))
    for start in range(0, n_rows, step):
        rows = np.asarray(matrix[start : min(n_rows, start + step)])
        yield list(itertools.islice(ids, len(rows))), rows


def _parquet(path: Path) -> _AnyBlocks:
    from pyarrow import compute, parquet

    with parquet.ParquetFile(path) as file:
        dim = getattr(file.schema_arrow.field("vector").type, "list_size", 1 << 10)
        for batch in file.iter_batches(max(1, _NUMBERS // dim), columns=["id", "vector"]):
            column = batch.column("vector")
            sizes = compute.unique(compute.list_value_length(column)).to_pylist()
            if None in sizes or len(sizes) != 1:
                raise ValueError("its vectors have different numbers of entries, or are missing")
            # Not to_numpy, which imports pandas where there is one.
            rows = np.from_dlpack(column.flatten()).reshape(len(column), sizes[0])
            yield [_id(key) for key in batch.column("id").to_pylist()], rows


def _jsonl(path: Path) -> _AnyBlocks:
    ids: list[str] = []
    rows: list[list[float]] = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            with damage_named(f"{path}, line {number}", _PROBLEM):
                record = json.loads(line)
                ids.append(_id(record["id"]))
                rows.append(record["vector"])
                if len(rows[-1]) != len(rows[0]):
                    raise ValueError(f"rows of {len(rows[0])} and of {len(rows[-1])} numbers")
            if len(rows) * len(rows[0]) >= _NUMBERS // 4:
                yield ids, np.array(rows)
                ids, rows = [], []
    if rows:
        yield ids, np.array(rows)


def _id(value: object) -> str:
    if not isinstance(value, str | int):
        raise TypeError(f"expected a string as id, found {type(value).__name__}")
    return str(value)


def vector_shape(path: str | Path) -> tuple[int, int]:
    """Rows, and numbers per row, of a file of vectors; where possible without reading the rows."""
    path = Path(path)
    if _reader(path) is _npy:
        with damage_named(path, _PROBLEM):
            matrix = open_memmap(path, mode="r")
            n_rows, dim = matrix.shape
            return int(n_rows), int(dim)
    if output_format(path) == ".npz":
        with damage_named(path, _PROBLEM):
            return npz_shape(path)
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
