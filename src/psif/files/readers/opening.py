"""Bytes of a file, plain or gzip'd, and their lines as text."""

from __future__ import annotations

import codecs
import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from psif.errors import FormatError, InputError
from psif.files.readers.options import ReadOptions, ReadReport

# Also the size of the sample from which the encoding is found.
_BUFFER = 1 << 18
_GZIP_MAGIC = b"\x1f\x8b"
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Bytes that text files do not hold: control characters but tab, newlines, form feed, escape.
_CONTROLS = bytes(set(range(32)) - {7, 8, 9, 10, 11, 12, 13, 27})


class _Counted(io.RawIOBase):
    """A raw file that adds up what was read, so that progress can be shown."""

    def __init__(self, raw: IO[bytes], report: ReadReport) -> None:
        self._raw = raw
        self._report = report

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._raw.read(len(buffer))
        buffer[: len(data)] = data
        self._report.bytes_read += len(data)
        return len(data)


@contextmanager
def open_bytes(path: str, report: ReadReport) -> Iterator[io.BufferedReader[Any]]:
    """Open a file or ``-``, unzipped if it is gzip'd, whatever its name."""
    with _raw(path) as raw:
        plain = io.BufferedReader(_Counted(raw, report), _BUFFER)
        if plain.peek(2)[:2] != _GZIP_MAGIC:
            yield plain
            return
        try:
            with gzip.GzipFile(fileobj=plain) as unzipped:
                yield io.BufferedReader(unzipped, _BUFFER)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise FormatError(f"{path}: damaged or cut gzip file: {error}") from error


@contextmanager
def _raw(path: str) -> Iterator[IO[bytes]]:
    if path == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed; there is nothing to read from it")
        yield sys.stdin.buffer
        return
    try:
        file = Path(path).open("rb", buffering=0)  # noqa: SIM115
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    with file:
        yield file


def detect_encoding(sample: bytes, path: str) -> str:
    """Find the encoding of a file's first bytes; binary files are refused.

    A byte order mark decides; then UTF-8, if the sample is valid; else Windows-1252, the
    superset of Latin-1 that old Western files are mostly in.
    """
    for mark, encoding in _MARKS.items():
        if sample.startswith(mark):
            return encoding
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if b"\0" in sample or controls > len(sample) / 100:
        raise FormatError(f"{path}: looks like a binary file, expected text")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample, final=False)
    except UnicodeDecodeError:
        return "utf-8" if _mostly_utf8(sample) else "cp1252"
    return "utf-8"


def _mostly_utf8(sample: bytes) -> bool:
    """Tell a UTF-8 file with a few broken bytes from one in another encoding."""
    decoded = sample.decode("utf-8", "replace")
    good = sum(character > "\x7f" for character in decoded) - decoded.count("\ufffd")
    return good > decoded.count("\ufffd")


def read_lines(
    file: io.BufferedReader[Any], path: str, options: ReadOptions, report: ReadReport
) -> Iterator[str]:
    """Lines with their newlines; undecodable bytes become U+FFFD and are counted."""
    encoding = options.encoding or detect_encoding(file.peek(_BUFFER), path)
    try:
        codecs.lookup(encoding)
    except LookupError as error:
        raise InputError(f"unknown encoding {encoding!r}; try utf-8, latin-1, cp1252") from error
    if encoding not in ("utf-8", "utf-8-sig"):
        report.notes.append(f"{path}: read as {encoding}")
    if encoding == "utf-8":
        yield from _utf8_lines(file, report)
        return
    with io.TextIOWrapper(file, encoding=encoding, errors="replace", newline="\n") as lines:
        for line in lines:
            report.n_replaced += line.count("\ufffd")
            yield line


def _utf8_lines(file: io.BufferedReader[Any], report: ReadReport) -> Iterator[str]:
    for line in file:
        try:
            yield line.decode()
        except UnicodeDecodeError:
            text = line.decode("utf-8", "replace")
            report.n_replaced += text.count("\ufffd")
            yield text
