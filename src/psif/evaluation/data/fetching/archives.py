"""Look into archives without unpacking them to disk, and never further than a limit."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, TypeAlias

from psif.errors import FormatError

# Far more than any set has. A file of a few megabytes can hold gigabytes of zeros.
MOST_BYTES = 1 << 29
MOST_MEMBERS = 200_000

Wanted: TypeAlias = Callable[[str], bool]
_BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError,
    # An encrypted member; a compression that Python does not have; a nonsensical size or name.
    RuntimeError, NotImplementedError, OverflowError, ValueError, MemoryError,
)  # fmt: skip


def members(path: Path, wanted: Wanted = lambda name: True) -> Iterator[tuple[str, bytes]]:
    """Names and contents of files in a zip or tar archive; for another file its own content.

    Parameters
    ----------
    path : Path
        A zip file, a tar file or a gzip-compressed one, a gzip-compressed file, or any other.
    wanted : callable
        Which names to read; the others are passed over.

    Raises
    ------
    FormatError
        A damaged archive, or one that holds more than :data:`MOST_BYTES`.
    """
    try:
        if zipfile.is_zipfile(path):
            yield from _zip_members(path, wanted)
        elif path.suffix == ".tar" or _is_gzip(path):
            yield from _tar_members(path, wanted)
        elif wanted(path.name):
            with path.open("rb") as file:
                yield path.name, _Limited(file, path).read()
    except FormatError:
        raise
    except _BROKEN as error:
        raise FormatError(
            f"{path.name}: a damaged archive ({error or type(error).__name__}); fetch it again."
        ) from error


def lines_of(
    paths: Iterable[Path], wanted: Wanted = lambda name: True
) -> Iterator[tuple[str, list[str]]]:
    """Names and lines of text files, as they are or in archives."""
    for path in paths:
        for name, content in members(path, wanted):
            try:
                yield name, content.decode("utf-8").splitlines()
            except UnicodeDecodeError as error:
                raise FormatError(f"{path.name}: {name} is not UTF-8 text ({error}).") from error


def ending(name: str, n_parts: int) -> tuple[str, ...]:
    """Return the last parts of a member's path: archives put the files at different depths."""
    return tuple(name.split("/")[-n_parts:])


def _zip_members(path: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    left = MOST_BYTES
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        if len(entries) > MOST_MEMBERS:
            raise FormatError(_too_many(path))
        for entry in entries:
            if not entry.filename or entry.is_dir() or not wanted(entry.filename):
                continue
            # The size that an archive claims is not trusted.
            with archive.open(entry) as file:
                content = file.read(left + 1)
            left -= len(content)
            if left < 0:
                raise FormatError(_too_large(path))
            yield entry.filename, content


def _tar_members(path: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    try:
        with _unzipped(path) as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
            for number, entry in enumerate(archive):
                if number >= MOST_MEMBERS:
                    raise FormatError(_too_many(path))
                file = archive.extractfile(entry) if entry.isfile() else None
                if file is not None and wanted(entry.name):
                    yield entry.name, file.read()
    except tarfile.ReadError:
        if ".tar" in path.suffixes or path.suffix == ".tgz":
            raise
        # Not an archive: one file.
        if wanted(path.stem):
            with _unzipped(path) as stream:
                yield path.stem, stream.read()


class _Limited(io.RawIOBase):
    """A stream that breaks off with an error where it gives more than the limit."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        super().__init__()
        self._file, self._path, self._left = file, path, MOST_BYTES

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        asked = self._left + 1 if size < 0 else min(size, self._left + 1)
        content = self._file.read(asked)
        self._left -= len(content)
        if self._left < 0:
            raise FormatError(_too_large(self._path))
        return content

    def close(self) -> None:
        self._file.close()
        super().close()


def _is_gzip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def _unzipped(path: Path) -> _Limited:
    opened: Any = gzip.open(path) if _is_gzip(path) else path.open("rb")  # noqa: SIM115
    return _Limited(opened, path)


def _too_large(path: Path) -> str:
    return (
        f"{path.name} holds more than {MOST_BYTES >> 20} MB, which no evaluation set does; it was "
        "not unpacked further."
    )


def _too_many(path: Path) -> str:
    return f"{path.name} holds more than {MOST_MEMBERS:,} files, which no evaluation set does."
