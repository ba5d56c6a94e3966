"""Parquet tables."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from typing import Any

from psif.errors import FormatError, InputError
from psif.files.readers.columns import id_column, text_column
from psif.files.readers.opening import open_bytes
from psif.files.readers.options import ReadOptions, ReadReport

_ROWS = 4096


def read_parquet(
    path: str, options: ReadOptions, report: ReadReport
) -> Iterator[tuple[str | None, str]]:
    """Rows of the text and id columns, a few thousand at a time."""
    import pyarrow as pa
    from pyarrow import parquet

    with open_bytes(path, report) as source, tempfile.TemporaryFile() as copy:
        file: Any = path
        if path == "-" or source.peek(4)[:4] != b"PAR1" or path.endswith(".gz"):
            # Parquet is read from its end: what cannot be searched is copied out first.
            shutil.copyfileobj(source, copy)
            file = copy
        try:
            with parquet.ParquetFile(file) as table:
                yield from _rows(table, path, options, report)
        except pa.ArrowException as error:
            reason = str(error).splitlines()[0]
            raise FormatError(f"{path}: not a readable parquet file: {reason}") from error


def _rows(
    table: Any, path: str, options: ReadOptions, report: ReadReport
) -> Iterator[tuple[str | None, str]]:
    import pyarrow as pa

    schema = table.schema_arrow
    strings = [f.name for f in schema if pa.types.is_string(f.type) or _is_large(f.type)]
    text = text_column(schema.names, strings, options, path)
    if text not in strings:
        raise InputError(f"{path}: column {text!r} holds {schema.field(text).type}, not strings")
    key = id_column(schema.names, options, path)
    number = 0
    for batch in table.iter_batches(_ROWS, columns=[text] if key is None else [text, key]):
        texts = batch.column(text).to_pylist()
        keys = [None] * len(texts) if key is None else batch.column(key).to_pylist()
        for one_key, one_text in zip(keys, texts, strict=True):
            number += 1
            if one_text is None:
                report.bad(f"{path}, row {number}", f"{text!r} is null", options)
            else:
                yield None if one_key is None else str(one_key), one_text


def _is_large(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_large_string(kind) or pa.types.is_string_view(kind))
