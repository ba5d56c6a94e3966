"""A folder of text files, each one document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from psif.errors import FormatError, InputError
from psif.files.readers.opening import open_bytes, read_lines
from psif.files.readers.options import ReadOptions, ReadReport

_DATA_ENDINGS = {".jsonl", ".csv", ".tsv", ".parquet"}


def folder_files(path: str) -> list[Path]:
    """Return the files below a folder, hidden ones left out, in order of their names."""
    root = Path(path)
    found = (file for file in root.rglob("*") if file.is_file())
    visible = (f for f in found if not any(p.startswith(".") for p in f.relative_to(root).parts))
    files = sorted(visible, key=lambda file: file.relative_to(root).parts)
    for file in files:
        if _DATA_ENDINGS.intersection(file.suffixes):
            raise InputError(
                f"{path}: a folder is read as one document a file, but it holds {file.name}; "
                "give such files themselves"
            )
    return files


def read_folder(
    path: str, options: ReadOptions, report: ReadReport
) -> Iterator[tuple[str | None, str]]:
    """Every file as a document with its path below the folder as id."""
    for file in folder_files(path):
        try:
            with open_bytes(str(file), report) as opened:
                text = "".join(read_lines(opened, str(file), options, report))
        except FormatError as error:
            report.bad(str(file), str(error).removeprefix(f"{file}: "), options)
        else:
            yield file.relative_to(path).as_posix(), text
