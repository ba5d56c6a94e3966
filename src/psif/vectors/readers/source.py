"""Open a file of vectors as bytes, whether plain, gzip'd or inside a zip."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from psif.errors import FormatError, InputError


@contextmanager
def open_bytes(path: Path) -> Iterator[BinaryIO]:
    """Yield the uncompressed bytes of ``path``.

    A zip with one file is read as that file; one of several is named as ``all.zip/one.txt``.
    """
    try:
        with _open(path) as stream:
            yield stream
    except (EOFError, zipfile.BadZipFile, gzip.BadGzipFile) as error:
        raise FormatError(
            f"{path} is damaged or cut short: {error} Copy or download it again."
        ) from error


def locate(path: str | Path) -> Path:
    """Return ``path`` if something can be opened there, else say what is missing."""
    path = Path(path).expanduser()
    if path.exists() and not (path.is_file() or path.is_dir()):
        # What a first look takes from a pipe would be missing in the table.
        raise InputError(f"{path} is a pipe or a device; word vectors are read from files.")
    if path.exists() or (path.parent.is_file() and zipfile.is_zipfile(path.parent)):
        return path
    near = sorted(p.name for p in path.parent.glob("*"))[:8] if path.parent.is_dir() else []
    beside = f" Beside it are: {', '.join(near)}." if near else " Its folder does not exist either."
    raise InputError(f"there is no file or folder {path}.{beside if path.parent != path else ''}")


def is_plain(path: Path) -> bool:
    """Whether the bytes on disk are the content itself, so that they can be memory-mapped."""
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(4) not in (b"PK\x03\x04",) and not _is_gzip(path)


def _is_gzip(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(2) == b"\x1f\x8b"


@contextmanager
def _open(path: Path) -> Iterator[BinaryIO]:
    archive, member = (path, None) if path.exists() else (path.parent, path.name)
    if zipfile.is_zipfile(archive) and not _is_gzip(archive):
        with zipfile.ZipFile(archive) as files, files.open(_member(files, member, path)) as stream:
            yield io.BufferedReader(cast("io.RawIOBase", stream), 1 << 20)
    elif _is_gzip(path):
        with gzip.open(path, "rb") as stream:
            yield io.BufferedReader(cast("io.RawIOBase", stream), 1 << 20)
    else:
        with path.open("rb") as stream:
            yield stream


def _member(files: zipfile.ZipFile, member: str | None, path: Path) -> str:
    names = [name for name in files.namelist() if not name.endswith("/")]
    if member is None and len(names) == 1:
        return names[0]
    if member in names:
        return member
    raise InputError(
        f"{path} {'holds no such file' if member else 'holds several files'}; "
        f"name one, for example {Path(files.filename or path) / (names or ['?'])[0]}. "
        f"It holds: {', '.join(names[:10])}."
    )
