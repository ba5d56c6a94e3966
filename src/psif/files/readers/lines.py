"""Plain text: one document per line."""

from __future__ import annotations

from collections.abc import Iterator

from psif.files.readers.decoding import read_lines
from psif.files.readers.opening import open_bytes
from psif.files.readers.options import ReadOptions, ReadReport


def read_txt(
    path: str, options: ReadOptions, report: ReadReport
) -> Iterator[tuple[str | None, str]]:
    """Yield every line, empty ones too, so that line n is document n."""
    with open_bytes(path, report) as file:
        for line in read_lines(file, path, options, report):
            yield None, line.rstrip("\r\n")
