"""Look into archives without unpacking them to disk."""

from __future__ import annotations

import gzip
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from psif.errors import FormatError


def members(path: Path) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the files of a zip or tar archive; of another file, itself."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for entry in archive.infolist():
                    if not entry.is_dir():
                        yield entry.filename, archive.read(entry)
        elif tarfile.is_tarfile(path):
            with tarfile.open(path) as archive:
                for found in archive:
                    file = archive.extractfile(found) if found.isfile() else None
                    if file is not None:
                        yield found.name, file.read()
        elif path.suffix == ".gz":
            yield path.stem, gzip.decompress(path.read_bytes())
        else:
            yield path.name, path.read_bytes()
    except (zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, EOFError) as error:
        raise FormatError(f"{path}: a damaged archive ({error}); fetch it again.") from error


def ending(name: str, n_parts: int) -> tuple[str, ...]:
    """Return the last parts of a member's path, for what lies at some depth of an archive."""
    return tuple(name.split("/")[-n_parts:])
