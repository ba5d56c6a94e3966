"""Quotes that are opened in a CSV or TSV file and not closed."""

from __future__ import annotations

import re
from collections.abc import Sequence


def open_quote(lines: Sequence[str], delimiter: str) -> int | None:
    """Return the position of the line whose quote is still open after the last line, or None.

    A quote opens a field only at its beginning. Inside, two quotes are one character and a single
    one closes; after that the rest of the field is taken as it is, as Python's :mod:`csv` does.
    """
    opening = re.compile(f'(?:^|{re.escape(delimiter)})"')
    closing = re.compile('"("?)')
    opened: int | None = None
    for number, line in enumerate(lines):
        position = 0
        while True:
            found = (opening if opened is None else closing).search(line, position)
            if found is None:
                break
            position = found.end()
            if opened is None:
                opened = number
            elif not found.group(1):
                opened = None
    return opened
