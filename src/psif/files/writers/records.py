"""Records, such as predicted labels, as lines of JSON, a table of CSV, or Parquet.

The chunks of a job are written as they come. A Parquet file cannot grow that way, so its chunks
are small Parquet files, which
:meth:`RecordLayout.finish` puts together at the end.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from psif.errors import InputError
from psif.files.parquet_library import need_pyarrow
from psif.files.writers.layout import Bytes, Note, Notes
from psif.runtime.atomic import atomic_path

ENDINGS = (".csv", ".jsonl", ".parquet")
Row = dict[str, Any]


@dataclass(frozen=True)
class RecordChunk:
    """Some records, with the ids of their documents."""

    ids: Sequence[str]
    rows: list[Row]


def record_ending(output: str | Path) -> str:
    """Return the ending of an output of records; others are refused."""
    ending = Path(output).suffix.lower()
    if ending not in ENDINGS:
        raise InputError(f"{output}: the ending must be one of {', '.join(ENDINGS)}.")
    if ending == ".parquet":
        need_pyarrow(output)
    return ending


class RecordLayout:
    """One output format of records.

    Parameters
    ----------
    ending : {".csv", ".jsonl", ".parquet"}
    columns : sequence of str
    kinds : sequence of {"text", "number", "integer", "boolean"}
        Of the columns, for Parquet.
    """

    def __init__(self, ending: str, columns: Sequence[str], kinds: Sequence[str]) -> None:
        self._ending, self._columns, self._kinds = ending, list(columns), list(kinds)

    def blank_head(self) -> bytes:
        """Names of the columns, in CSV."""
        return self._lines([], header=True) if self._ending == ".csv" else b""

    def body(self, chunk: Any, position: int) -> tuple[list[Bytes], Note]:
        """Return the bytes of a chunk, and for Parquet where they are."""
        if self._ending == ".csv":
            return [self._lines(chunk.rows, header=False)], {}
        if self._ending == ".jsonl":
            lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in chunk.rows]
            return ["".join(lines).encode("utf-8", "backslashreplace")], {}
        data = self._parquet(chunk.rows)
        return [data], {"begin": position, "end": position + len(data)}

    def head(self, notes: Notes) -> bytes:
        """Return what it was from the start."""
        return self.blank_head()

    def tail(self, notes: Notes, position: int) -> Iterator[Bytes]:
        """Nothing."""
        return iter(())

    def sidecar(self, notes: Notes) -> Iterator[Bytes] | None:
        """None: ids stand in the records."""
        return None

    def finish(self, path: Path, notes: Notes) -> None:
        """Put the chunks of a Parquet file together; other files are complete as they are."""
        if self._ending != ".parquet":
            return
        import pyarrow as pa
        from pyarrow import parquet

        with (
            atomic_path(path) as part,
            path.open("rb") as file,
            parquet.ParquetWriter(part, self._schema()) as writer,
        ):
            for note in notes():
                file.seek(note["begin"])
                data = pa.BufferReader(file.read(note["end"] - note["begin"]))
                writer.write_table(parquet.read_table(data))

    def _lines(self, rows: list[Row], *, header: bool) -> bytes:
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, self._columns, lineterminator="\n")
        if header:
            writer.writeheader()
        writer.writerows(rows)
        # A lone surrogate of an id is written as its escape.
        return text.getvalue().encode("utf-8", "backslashreplace")

    def _parquet(self, rows: list[Row]) -> bytes:
        import pyarrow as pa
        from pyarrow import parquet

        for row in rows:
            for name, value in row.items():
                if isinstance(value, str):
                    row[name] = value.encode("utf-8", "backslashreplace").decode()
        sink = pa.BufferOutputStream()
        parquet.write_table(pa.Table.from_pylist(rows, schema=self._schema()), sink)
        return bytes(sink.getvalue())

    def _schema(self) -> Any:
        import pyarrow as pa

        types = {
            "text": pa.string(),
            "number": pa.float64(),
            "integer": pa.int64(),
            "boolean": pa.bool_(),
        }
        return pa.schema(
            [(name, types[kind]) for name, kind in zip(self._columns, self._kinds, strict=True)]
        )
