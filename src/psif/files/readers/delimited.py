"""CSV and TSV with a header row."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator

from psif.errors import FormatError
from psif.files.readers.columns import id_column, text_column
from psif.files.readers.opening import open_bytes, read_lines
from psif.files.readers.options import ReadOptions, ReadReport


def read_csv(
    path: str, options: ReadOptions, report: ReadReport
) -> Iterator[tuple[str | None, str]]:
    """Rows between commas."""
    return _read(path, options, report, ",")


def read_tsv(
    path: str, options: ReadOptions, report: ReadReport
) -> Iterator[tuple[str | None, str]]:
    """Rows between tabs."""
    return _read(path, options, report, "\t")


def _read(
    path: str, options: ReadOptions, report: ReadReport, delimiter: str
) -> Iterator[tuple[str | None, str]]:
    # Documents are longer than the module's limit of 131,072 characters a field.
    csv.field_size_limit(sys.maxsize)
    with open_bytes(path, report) as file:
        rows = csv.reader(read_lines(file, path, options, report), delimiter=delimiter)
        header = next(rows, None)
        if header is None:
            return
        text = header.index(text_column(header, header, options, path))
        name = id_column(header, options, path)
        key = None if name is None else header.index(name)
        while True:
            try:
                row = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                raise FormatError(f"{path}, line {rows.line_num}: {error}") from error
            if len(row) == len(header):
                yield None if key is None else row[key], row[text]
            elif row:
                problem = f"{len(row)} fields, expected {len(header)} as in the header"
                report.bad(f"{path}, line {rows.line_num}", problem, options)
