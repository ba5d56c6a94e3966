"""Output formats by the ending of the file's name."""

from __future__ import annotations

from pathlib import Path

from psif.errors import InputError
from psif.files.parquet_library import need_pyarrow
from psif.files.writers.jsonl import JsonlLayout
from psif.files.writers.layout import Layout
from psif.files.writers.npy import NpyLayout
from psif.files.writers.npz import NpzLayout
from psif.files.writers.parquet import ParquetLayout
from psif.files.writers.safetensors import SafetensorsLayout

FORMATS: dict[
    str, type[NpyLayout | NpzLayout | ParquetLayout | JsonlLayout | SafetensorsLayout]
] = {
    ".npy": NpyLayout,
    ".npz": NpzLayout,
    ".parquet": ParquetLayout,
    ".jsonl": JsonlLayout,
    ".safetensors": SafetensorsLayout,
}


def output_format(path: str | Path) -> str:
    """Return the ending of an output file, if it is one we can write."""
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise InputError(
            f"{path}: cannot write {ending or 'a file without an ending'}; "
            f"the name must end in {', '.join(FORMATS)}"
        )
    if ending == ".parquet":
        need_pyarrow(path)
    return ending


def make_layout(path: str | Path, dim: int, dtype: str, model: str = "") -> Layout:
    """Return the layout of an output file; ``model`` is the checksum of the model."""
    return FORMATS[output_format(path)](dim, dtype, model)
