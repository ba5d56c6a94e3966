"""The bytes of an input: a file, a pipe or standard input, unpacked if it is gzip-compressed."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from psif.errors import FormatError, InputError
from psif.files.readers.options import ReadReport

# Bytes read at a time, and the size of the sample from which the encoding is found.
BUFFER = 1 << 18
_GZIP_MAGIC = b"\x1f\x8b"


class _Counted(io.RawIOBase):
    """A raw file that counts the bytes read, for progress, and names itself in errors."""

    def __init__(self, raw: IO[bytes], path: str, report: ReadReport) -> None:
        self._raw = raw
        self._path = path
        self._report = report
        self._first = True

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = self._read(buffer)
        # The first read is the sample that shows the encoding: a pipe gives it in pieces.
        while self._first and 0 < size < len(buffer) and (more := self._read(buffer[size:])):
            size += more
        self._first = False
        self._report.bytes_read += size
        return size

    def _read(self, buffer: Any) -> int:
        try:
            data = self._raw.read(len(buffer))
        except (OSError, ValueError) as error:  # ValueError: it was closed
            raise cannot_read(self._path, error) from error
        if data is None:
            raise InputError(
                f"{shown(self._path)}: it is in non-blocking mode and has no data yet; "
                "write it to a file first"
            )
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def open_bytes(path: str, report: ReadReport) -> Iterator[io.BufferedReader[Any]]:
    """Open a file or ``-``; what is gzip-compressed is unpacked, whatever its name."""
    with open_raw(path) as raw:
        plain = io.BufferedReader(_Counted(raw, path, report), BUFFER)
        if plain.peek(2)[:2] != _GZIP_MAGIC:
            yield plain
            return
        try:
            with gzip.GzipFile(fileobj=plain) as unpacked:
                yield io.BufferedReader(unpacked, BUFFER)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise FormatError(f"{shown(path)}: damaged or cut gzip file: {error}") from error


@contextmanager
def open_raw(path: str) -> Iterator[IO[bytes]]:
    """Open a file or ``-`` for its bytes as they are."""
    if path == "-":
        source = getattr(sys.stdin, "buffer", None)
        if source is None:
            raise InputError("standard input is closed; there is nothing to read from it")
        yield source
        return
    try:
        file = Path(path).open("rb", buffering=0)  # noqa: SIM115
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise cannot_read(path, error) from error
    with file:
        yield file


def file_state(path: str | Path) -> os.stat_result:
    """Return size, type and time of a file; an InputError if it is missing or out of reach."""
    try:
        return Path(path).stat()
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file or folder") from error
    except (OSError, ValueError) as error:
        raise cannot_read(str(path), error) from error


def cannot_read(path: str, error: Exception) -> InputError:
    """Make the error for a file that the system does not let us read."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(f"{shown(path)}: cannot be read: {reason}")


def shown(path: str) -> str:
    """Return the name of an input for messages."""
    return "standard input" if path == "-" else path
