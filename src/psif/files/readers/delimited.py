"""CSV and TSV with a header row."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import replace

from psif.files.readers.columns import id_column, text_column
from psif.files.readers.decoding import read_lines
from psif.files.readers.opening import open_bytes, shown
from psif.files.readers.options import ReadOptions, ReadReport
from psif.files.readers.quotes import open_quote


def read_csv(
    path: str, options: ReadOptions, report: ReadReport
) -> Iterator[tuple[str | None, str]]:
    """Yield rows of fields between commas."""
    return _read(path, options, report, ",")


def read_tsv(
    path: str, options: ReadOptions, report: ReadReport
) -> Iterator[tuple[str | None, str]]:
    """Yield rows of fields between tabs."""
    return _read(path, options, report, "\t")


def _read(
    path: str, options: ReadOptions, report: ReadReport, delimiter: str
) -> Iterator[tuple[str | None, str]]:
    # Documents are longer than the module's limit of 131,072 characters per field.
    csv.field_size_limit(sys.maxsize)
    place = shown(path)
    with open_bytes(path, report) as file:
        lines = _Lines(read_lines(file, path, options, report))
        # Without its header no row can be understood: it is never skipped.
        never_skip = replace(options, on_error="fail")
        header = next(_rows(lines, delimiter, place, never_skip, report), None)
        if header is None:
            return
        lines.end_row()
        text = header.index(text_column(header, header, options, place))
        name = id_column(header, options, place)
        key = None if name is None else header.index(name)
        for row in _rows(lines, delimiter, place, options, report):
            if len(row) == len(header):
                if options.whole_rows:
                    options.whole_rows(dict(zip(header, row, strict=True)))
                if options.other_columns:
                    columns = zip(header, row, strict=True)
                    others = {k: v for i, (k, v) in enumerate(columns) if i not in (text, key)}
                    options.other_columns(others)
                yield None if key is None else row[key], row[text]
            elif row:
                problem = f"{len(row)} fields, expected {len(header)} as in the header"
                report.bad(f"{place}, {lines.span}", problem, options)


class _Lines:
    """Lines on their way to the parser; those of the current row can be put back."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._source = lines
        self._back: list[str] = []
        self.row: list[str] = []  # lines of the current row
        self.first = 1  # number of the first of them

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._back.pop() if self._back else next(self._source)
        self.row.append(line)
        return line

    @property
    def span(self) -> str:
        """Where the current row is."""
        last = self.first + len(self.row) - 1
        return f"line {self.first}" if last == self.first else f"lines {self.first} to {last}"

    def end_row(self, n_lines: int | None = None) -> None:
        """Begin the next row; after the first ``n_lines`` of this one, or after all."""
        n_lines = len(self.row) if n_lines is None else n_lines
        self._back += reversed(self.row[n_lines:])
        self.first += n_lines
        self.row = []


def _rows(
    lines: _Lines, delimiter: str, place: str, options: ReadOptions, report: ReadReport
) -> Iterator[list[str]]:
    """Yield rows; an unclosed quote costs its own row, not those after it."""
    # Strict: else a quote that is closed by chance, far below, would hide all rows between.
    parser = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        try:
            row = next(parser)
        except StopIteration:
            return
        except csv.Error as error:
            # Rows of one line may have text after a closing quote: nothing gets lost in them.
            if len(lines.row) == 1 and open_quote(lines.row, delimiter) is None:
                try:
                    row = next(csv.reader(lines.row, delimiter=delimiter))
                except csv.Error:
                    report.bad(f"{place}, {lines.span}", str(error), options)
                    lines.end_row()
                    continue
            else:
                n_lines = _report_quote(lines, delimiter, place, options, report)
                lines.end_row(n_lines)
                continue
        yield row
        lines.end_row()


def _report_quote(
    lines: _Lines, delimiter: str, place: str, options: ReadOptions, report: ReadReport
) -> int:
    """Tell where a quote was opened; return how many lines of the row are lost by it."""
    before_last = open_quote(lines.row[:-1], delimiter)
    opened = open_quote(lines.row, delimiter) if before_last is None else before_last
    opened = 0 if opened is None else opened
    report.bad(
        f"{place}, line {lines.first + opened}",
        f"the quote that is opened here is not closed (read as far as "
        f"line {lines.first + len(lines.row) - 1}); double it, or quote the whole field",
        options,
    )
    return opened + 1
