"""Output formats by the ending of the file's name."""

from __future__ import annotations

from pathlib import Path

from psif.errors import InputError
from psif.text.writers.jsonl import JsonlLayout
from psif.text.writers.layout import Layout
from psif.text.writers.npy import NpyLayout
from psif.text.writers.parquet import ParquetLayout
from psif.text.writers.safetensors import SafetensorsLayout

FORMATS: dict[str, type[NpyLayout | ParquetLayout | JsonlLayout | SafetensorsLayout]] = {
    ".npy": NpyLayout,
    ".parquet": ParquetLayout,
    ".jsonl": JsonlLayout,
    ".safetensors": SafetensorsLayout,
}


def output_format(path: str | Path) -> str:
    """Return the ending of an output file, if it is one we write."""
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise InputError(
            f"{path}: cannot write {ending or 'a file without an ending'}; "
            f"the name must end in {', '.join(FORMATS)}"
        )
    return ending


def make_layout(path: str | Path, dim: int, dtype: str) -> Layout:
    """Return the layout of an output file."""
    return FORMATS[output_format(path)](dim, dtype)
