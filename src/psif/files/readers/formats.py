"""Formats of inputs, by the ending of the file's name."""

from __future__ import annotations

import stat
from pathlib import Path

from psif.errors import InputError
from psif.files.readers.opening import file_state, shown
from psif.files.readers.options import ReadOptions

FORMAT_NAMES = ("txt", "jsonl", "csv", "tsv", "parquet")
_SYNONYMS = {"ndjson": "jsonl", "json": "jsonl", "text": "txt", "pq": "parquet"}


def format_of(path: str, options: ReadOptions) -> str:
    """Return the format of an input; ``folder`` for a folder."""
    mode = None if path == "-" else file_state(path).st_mode
    if mode is not None and stat.S_ISDIR(mode):
        return "folder"
    suffixes = [] if path == "-" else [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    ending = suffixes[-1].lstrip(".") if suffixes else ""
    name = options.format or ending
    if not name and (mode is None or not stat.S_ISREG(mode)):
        return "txt"  # the output of another program, which has no name
    name = _SYNONYMS.get(name, name)
    if name not in FORMAT_NAMES:
        raise InputError(
            f"{shown(path)}: cannot tell its format from {f'.{name}' if name else 'its name'}; "
            f"say it with --format ({', '.join(FORMAT_NAMES)})"
        )
    return name
