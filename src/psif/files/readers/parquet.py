"""Parquet tables."""

from __future__ import annotations

import gzip
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any

from psif.errors import FormatError, InputError
from psif.files.parquet_library import need_pyarrow
from psif.files.readers.columns import id_column, text_column
from psif.files.readers.damage import damage_named
from psif.files.readers.opening import open_bytes, shown
from psif.files.readers.options import ReadOptions, ReadReport
from psif.files.readers.streams import is_stream

# A batch has at most so many rows, and so many bytes of text.
_ROWS = 4096
_BYTES = 1 << 26
_MAGIC = b"PAR1"


def read_parquet(
    path: str, options: ReadOptions, report: ReadReport
) -> Iterator[tuple[str | None, str]]:
    """Yield the rows of the text and id columns, read in batches."""
    place = shown(path)
    need_pyarrow(place)
    from pyarrow import parquet

    with open_bytes(path, report) as source, tempfile.TemporaryFile() as copy:
        if not source.peek(1):
            return
        if source.peek(len(_MAGIC))[: len(_MAGIC)] != _MAGIC:
            raise FormatError(f"{place}: not a readable parquet file: it does not begin with PAR1")
        file: Any = path
        if is_stream(path) or isinstance(source.raw, gzip.GzipFile):
            # Parquet is read from its end, so that a stream has to be copied first.
            shutil.copyfileobj(source, copy)
            file = copy
        problem = "not a readable parquet file"
        with damage_named(place, problem), parquet.ParquetFile(file) as table:
            yield from _rows(table, place, options, report)


def _rows(
    table: Any, place: str, options: ReadOptions, report: ReadReport
) -> Iterator[tuple[str | None, str]]:
    import pyarrow as pa

    schema = table.schema_arrow
    kinds = {field.name: _value_type(field.type) for field in schema}
    strings = [field.name for field in schema if _is_string(kinds[field.name])]
    text = text_column(schema.names, strings, options, place)
    if not (_is_string(kinds[text]) or _is_binary(kinds[text])):
        raise InputError(f"{place}: column {text!r} holds {schema.field(text).type}, not strings")
    key = id_column(schema.names, options, place)
    if key is not None and pa.types.is_nested(kinds[key]):
        raise InputError(f"{place}: column {key!r} holds {schema.field(key).type}, not ids")
    columns = list(dict.fromkeys([text] if key is None else [text, key]))
    others: list[str] = []
    if options.other_columns or options.whole_rows:
        others = [name for name in dict.fromkeys(schema.names) if name not in columns]
        others = [name for name in others if schema.names.count(name) == 1]
        columns += others
    number = 0
    for batch in table.iter_batches(_batch_rows(table.metadata), columns=columns):
        texts = _values(batch.column(text), report)
        keys = [None] * len(texts) if key is None else _values(batch.column(key), report)
        other_values = [_values(batch.column(name), report) for name in others]
        for row, (one_key, one_text) in enumerate(zip(keys, texts, strict=True)):
            number += 1
            problem = _problem(text, one_text, key, one_key)
            if problem is not None:
                report.bad(f"{place}, row {number}", problem, options)
            else:
                values = (column[row] for column in other_values)
                record = dict(zip(others, values, strict=True))
                if options.other_columns:
                    options.other_columns(record)
                if options.whole_rows:
                    record |= {text: one_text} if key is None else {text: one_text, key: one_key}
                    options.whole_rows(
                        {name: record[name] for name in schema.names if name in record}
                    )
                yield None if one_key is None else str(one_key), str(one_text)


def _problem(text: str, one_text: Any, key: str | None, one_key: Any) -> str | None:
    if one_text is None:
        return f"{text!r} is null"
    if isinstance(one_text, bytes):
        return f"{text!r} holds bytes that are not UTF-8"
    if isinstance(one_key, bytes):
        return f"{key!r} holds bytes that are not UTF-8, expected a string or a number"
    return None


def _values(column: Any, report: ReadReport) -> list[Any]:
    """Python values of a column; bytes become text where they are UTF-8."""
    import pyarrow as pa
    from pyarrow import compute

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        # As in other files, undecodable bytes of text are replaced and counted.
        values = [
            value if value is None else value.decode("utf-8", "replace")
            for value in compute.cast(column, pa.large_binary()).to_pylist()
        ]
        report.n_replaced += sum(value.count("\ufffd") for value in values if value is not None)
    return [_decoded(value) if isinstance(value, bytes) else value for value in values]


def _decoded(value: bytes) -> str | bytes:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def _batch_rows(metadata: Any) -> int:
    """Rows whose values, all columns together, have a bounded size."""
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    per_row = max(1, size // max(1, metadata.num_rows))
    return max(1, min(_ROWS, int(_BYTES // per_row)))


def _value_type(kind: Any) -> Any:
    import pyarrow as pa

    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_string(kind: Any) -> bool:
    import pyarrow as pa

    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def _is_binary(kind: Any) -> bool:
    import pyarrow as pa

    return bool(
        pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind)
    )
