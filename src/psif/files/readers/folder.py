"""A folder of text files, each one document."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from psif.errors import FormatError, InputError
from psif.files.readers.decoding import read_lines
from psif.files.readers.opening import cannot_read, open_bytes
from psif.files.readers.options import ReadOptions, ReadReport

_DATA_ENDINGS = {".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".pq"}


def folder_files(path: str) -> list[Path]:
    """Return the files below a folder, without hidden ones, in order of their names."""
    root = Path(path)
    files = sorted(_visible_files(root), key=lambda file: file.relative_to(root).parts)
    for file in files:
        if _DATA_ENDINGS.intersection(file.suffixes):
            raise InputError(
                f"{path}: a folder is read as one document per file, but it holds {file.name}; "
                "give such files themselves"
            )
    return files


def _visible_files(root: Path) -> Iterator[Path]:
    def refuse(error: OSError) -> None:
        raise cannot_read(str(error.filename), error) from error

    # Links to folders are not followed. A folder that cannot be read is an error, not empty.
    for parent, folders, names in os.walk(root, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            file = Path(parent, name)
            if not name.startswith(".") and file.is_file():
                yield file


def read_folder(
    path: str, options: ReadOptions, report: ReadReport
) -> Iterator[tuple[str | None, str]]:
    """Yield every file as a document, with its path below the folder as its id."""
    for file in folder_files(path):
        try:
            with open_bytes(str(file), report) as opened:
                text = "".join(read_lines(opened, str(file), options, report))
        except FormatError as error:
            report.bad(str(file), str(error).removeprefix(f"{file}: "), options)
        else:
            yield file.relative_to(path).as_posix(), text
