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
        return _single(options.text_column, present, place)
    if "text" in present:
        return _single("text", present, place)
    candidates = [c for c in string_columns if c != (options.id_column or "id")]
    if len(candidates) == 1:
        return _single(candidates[0], present, place)
    raise InputError(f"{place}: no column 'text'; {_listed(present)}; choose with --text-column")


def id_column(columns: Iterable[str], options: ReadOptions, place: str) -> str | None:
    """Name of the id column: asked for, "id" if there is one, else None."""
    present = list(columns)
    if options.id_column is not None:
        return _single(options.id_column, present, place)
    return _single("id", present, place) if "id" in present else None


def _single(name: str, present: list[str], place: str) -> str:
    """Return a name that exactly one column has."""
    if name not in present:
        raise InputError(f"{place}: no column {name!r}; {_listed(present)}")
    if (n := present.count(name)) > 1:
        raise InputError(f"{place}: {n} columns are called {name!r}; rename all but one")
    return name


def _listed(present: list[str]) -> str:
    return f"its columns are {', '.join(present)}" if present else "it has no columns"
