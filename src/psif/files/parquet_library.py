"""pyarrow, which reads and writes Parquet. It is large, and nothing else needs it."""

from __future__ import annotations

from pathlib import Path

from psif.errors import MissingExtraError


def has_pyarrow() -> bool:
    """Say whether Parquet files can be read and written here."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        return False
    return True


def need_pyarrow(path: str | Path) -> None:
    """Refuse a Parquet file that cannot be read or written here, before any work is done."""
    if not has_pyarrow():
        raise MissingExtraError("pyarrow", "parquet", f"{path}: a Parquet file")
