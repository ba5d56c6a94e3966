"""Rows of a table, read with all their columns and written in another order or number.

What a column holds is found in a first pass, so that a second one can write any format row by row.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from psif.errors import InputError
from psif.files.parquet_library import need_pyarrow
from psif.files.readers import ReadOptions, ReadReport, read_documents
from psif.files.readers.options import Document
from psif.runtime.atomic import atomic_path

Row = dict[str, Any]
Write = Callable[[Row], None]
_BATCH = 4096
_INT64 = 1 << 63


class Record(NamedTuple):
    """A document and all columns of its row."""

    document: Document
    row: Row


def read_rows(
    inputs: Sequence[str | Path], options: ReadOptions, report: ReadReport
) -> Iterator[Record]:
    """Yield documents with all columns of their rows.

    A document of a format without columns gets a row of its id and text.
    """
    latest: list[Row] = []
    for document in read_documents(inputs, replace(options, whole_rows=latest.append), report):
        row = latest.pop() if latest else {"id": document.id, "text": document.text}
        latest.clear()
        yield Record(document, row)


class Columns:
    """Names and kinds of the columns of rows, collected row by row."""

    def __init__(self) -> None:
        self._kinds: dict[str, set[Any]] = {}

    def add(self, row: Row) -> None:
        """Take note of a row."""
        for name, value in row.items():
            kinds = self._kinds.get(name)
            if kinds is None:
                kinds = self._kinds[name] = set()
            if value is not None:
                kinds.add(_kind(value))

    @property
    def names(self) -> list[str]:
        """All columns, in the order in which they came."""
        return list(self._kinds)

    def schema(self) -> Any:
        """Return an Arrow schema that holds all values; columns of mixed kinds become JSON."""
        import pyarrow as pa

        types = {
            bool: pa.bool_(),
            int: pa.int64(),
            float: pa.float64(),
            date: pa.date32(),
            datetime: pa.timestamp("us"),
            "zoned": pa.timestamp("us", tz="UTC"),
            bytes: pa.binary(),
        }
        fields = []
        for name, kinds in self._kinds.items():
            whole = frozenset([float]) if kinds == {int, float} else kinds
            kind = next(iter(whole)) if len(whole) == 1 else None
            fields.append(pa.field(name, types.get(kind, pa.string())))
        return pa.schema(fields)


def _kind(value: Any) -> Any:
    if isinstance(value, bool):
        return bool
    if isinstance(value, int):
        return int if -_INT64 <= value < _INT64 else "large"
    if isinstance(value, datetime):
        return datetime if value.tzinfo is None else "zoned"
    for kind in (str, float, date, bytes):
        if isinstance(value, kind):
            return kind
    return "nested"


def check_output(path: Path) -> None:
    """Refuse an output whose ending is of no known format."""
    if path.suffix.lower() not in _WRITERS:
        raise InputError(f"{path}: the ending must be one of {', '.join(_WRITERS)}.")
    if path.is_dir():
        raise InputError(f"{path} is a folder; give a file.")
    if path.suffix.lower() == ".parquet":
        need_pyarrow(path)


@contextmanager
def row_writer(path: Path, columns: Columns) -> Iterator[Write]:
    """Yield a function that writes one row; the file appears when it is complete.

    Parameters
    ----------
    path : Path
        Its ending is the format: ``.jsonl``, ``.csv``, ``.tsv``, ``.parquet`` or ``.txt``, which
        has the column ``text`` only.
    columns : Columns
        Of all rows to come.
    """
    check_output(path)
    with atomic_path(path) as part:
        yield from _WRITERS[path.suffix.lower()](part, columns)


def _write_jsonl(path: Path, columns: Columns) -> Iterator[Write]:
    # A lone surrogate is written as its escape.
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:

        def write(row: Row) -> None:
            file.write(json.dumps(row, ensure_ascii=False, default=_plain) + "\n")

        yield write


def _write_delimited(delimiter: str) -> Callable[[Path, Columns], Iterator[Write]]:
    def writer_of(path: Path, columns: Columns) -> Iterator[Write]:
        with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            writer = csv.DictWriter(file, columns.names, delimiter=delimiter, lineterminator="\n")
            writer.writeheader()

            def write(row: Row) -> None:
                writer.writerow({name: _cell(value) for name, value in row.items()})

            yield write

    return writer_of


def _write_txt(path: Path, columns: Columns) -> Iterator[Write]:
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:

        def write(row: Row) -> None:
            # One document per line: what would end a line becomes a blank.
            file.write(" ".join(str(row.get("text", "")).splitlines()) + "\n")

        yield write


def _write_parquet(path: Path, columns: Columns) -> Iterator[Write]:
    import pyarrow as pa
    from pyarrow import parquet

    schema = columns.schema()
    strings = {field.name for field in schema if pa.types.is_string(field.type)}
    batch: list[Row] = []
    with parquet.ParquetWriter(path, schema) as writer:

        def flush() -> None:
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            batch.clear()

        def write(row: Row) -> None:
            batch.append({k: _string(v) if k in strings else v for k, v in row.items()})
            if len(batch) == _BATCH:
                flush()

        yield write
        if batch:
            flush()


_WRITERS: dict[str, Callable[[Path, Columns], Iterator[Write]]] = {
    ".jsonl": _write_jsonl,
    ".csv": _write_delimited(","),
    ".tsv": _write_delimited("\t"),
    ".parquet": _write_parquet,
    ".txt": _write_txt,
}


def _plain(value: Any) -> Any:
    """Return what JSON can hold of a value of another format."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return value.isoformat() if isinstance(value, date) else str(value)


def _cell(value: Any) -> Any:
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, ensure_ascii=False, default=_plain)
    return _plain(value) if isinstance(value, bytes | date) else value


def _string(value: Any) -> str | None:
    """Return a value of a column of strings, or of mixed kinds."""
    if value is None:
        return None
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, default=_plain)
    return str(value).encode("utf-8", "backslashreplace").decode()


def write_table(path: Path, rows: Iterable[Row], columns: Columns) -> None:
    """Write all rows."""
    with row_writer(path, columns) as write:
        for row in rows:
            write(row)
