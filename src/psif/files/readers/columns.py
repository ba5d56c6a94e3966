"""Which column holds the text, and which the id."""

from __future__ import annotations

from collections.abc import Iterable

from psif.errors import InputError
from psif.files.readers.options import ReadOptions


def text_column(
    columns: Iterable[str], string_columns: Iterable[str], options: ReadOptions, place: str
) -> str:
    """Name of the text column: asked for, "text", or the only one that holds strings."""
    present = list(columns)
    if options.text_column is not None:
        if options.text_column not in present:
            raise InputError(f"{place}: no column {options.text_column!r}; {_those(present)}")
        return options.text_column
    if "text" in present:
        return "text"
    candidates = [c for c in string_columns if c != (options.id_column or "id")]
    if len(candidates) == 1:
        return candidates[0]
    raise InputError(f"{place}: no column 'text'; {_those(present)}; choose with --text-column")


def id_column(columns: Iterable[str], options: ReadOptions, place: str) -> str | None:
    """Name of the id column: asked for, "id" if there is one, else None."""
    present = list(columns)
    if options.id_column is not None and options.id_column not in present:
        raise InputError(f"{place}: no column {options.id_column!r}; {_those(present)}")
    return options.id_column or ("id" if "id" in present else None)


def _those(present: list[str]) -> str:
    return f"its columns are {', '.join(present)}" if present else "it has no columns"
