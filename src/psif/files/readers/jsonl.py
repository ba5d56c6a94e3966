"""JSON Lines: one object, or one string, per line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from psif.files.readers.columns import id_column, text_column
from psif.files.readers.decoding import read_lines
from psif.files.readers.opening import open_bytes, shown
from psif.files.readers.options import ReadOptions, ReadReport


def read_jsonl(
    path: str, options: ReadOptions, report: ReadReport
) -> Iterator[tuple[str | None, str]]:
    """Yield id and text of each object; blank lines are no documents."""
    columns: tuple[str, str | None] | None = None
    with open_bytes(path, report) as file:
        for number, line in enumerate(read_lines(file, path, options, report), start=1):
            if line.isspace():
                continue
            place = f"{shown(path)}, line {number}"
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                report.bad(place, f"not valid JSON: {error}", options)
                continue
            if isinstance(record, str):
                yield None, record
                continue
            if not isinstance(record, dict):
                kind = type(record).__name__
                report.bad(place, f"expected an object or a string, found a {kind}", options)
                continue
            if columns is None:
                columns = _columns(record, options, place)
            problem = _problem(record, *columns)
            if problem:
                report.bad(place, problem, options)
                continue
            text, key = columns
            if options.whole_rows:
                options.whole_rows(record)
            if options.other_columns:
                options.other_columns({k: v for k, v in record.items() if k not in (text, key)})
            yield None if key is None or record.get(key) is None else str(record[key]), record[text]


def _columns(record: dict[str, Any], options: ReadOptions, place: str) -> tuple[str, str | None]:
    strings = [key for key, value in record.items() if isinstance(value, str)]
    return text_column(record, strings, options, place), id_column(record, options, place)


def _problem(record: dict[str, Any], text: str, key: str | None) -> str | None:
    if text not in record:
        return f"no column {text!r}; its columns are {', '.join(record)}"
    if not isinstance(record[text], str):
        return f"{text!r} is of type {type(record[text]).__name__}, expected a string"
    if key is not None and not isinstance(record.get(key), str | int | None):
        return f"{key!r} is of type {type(record[key]).__name__}, expected a string or a number"
    return None
