"""The lines of a text file as strings."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from psif.errors import FormatError, InputError
from psif.files.readers.encodings import check_encoding, detect_encoding, line_end
from psif.files.readers.opening import BUFFER, shown
from psif.files.readers.options import ReadOptions, ReadReport

_BYTE_ORDER_MARK = "\ufeff"


def read_lines(
    file: io.BufferedReader[Any], path: str, options: ReadOptions, report: ReadReport
) -> Iterator[str]:
    """Yield lines with their line ends; undecodable bytes become U+FFFD and are counted."""
    number = 0
    try:
        for line in _lines(file, shown(path), options, report):
            yield line
            number += 1
    except UnicodeError as error:  # from codecs that know no replacement
        place = f"{shown(path)}, line {number + 1}"
        raise FormatError(f"{place}: cannot be decoded: {error}; try --encoding") from error
    except (MemoryError, OverflowError) as error:
        place = f"{shown(path)}, line {number + 1}"
        raise InputError(f"{place}: too long for the memory of this machine") from error


def _lines(
    file: io.BufferedReader[Any], path: str, options: ReadOptions, report: ReadReport
) -> Iterator[str]:
    sample = file.peek(BUFFER)
    if options.encoding is not None:
        check_encoding(options.encoding)
    encoding = options.encoding or detect_encoding(sample, path)
    if encoding not in ("utf-8", "utf-8-sig"):
        report.notes.append(f"{path}: read as {encoding}")
    end = line_end(sample.decode(encoding, "replace"))
    if end == "\r":
        report.notes.append(f"{path}: its lines end in a carriage return")
    lines = (
        _utf8_lines(file, report)
        if encoding == "utf-8" and end == "\n"
        else _other_lines(file, encoding, end, report)
    )
    for first in lines:
        yield first.removeprefix(_BYTE_ORDER_MARK)
        break
    yield from lines


def _utf8_lines(file: io.BufferedReader[Any], report: ReadReport) -> Iterator[str]:
    for line in file:
        try:
            yield line.decode()
        except UnicodeDecodeError:
            text = line.decode("utf-8", "replace")
            report.n_replaced += text.count("\ufffd")
            yield text


def _other_lines(
    file: io.BufferedReader[Any], encoding: str, end: str, report: ReadReport
) -> Iterator[str]:
    with io.TextIOWrapper(file, encoding=encoding, errors="replace", newline=end) as lines:
        for line in lines:
            report.n_replaced += line.count("\ufffd")
            yield line
