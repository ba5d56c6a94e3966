"""Match texts with the documents of a file of vectors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from psif.errors import InputError

_NAMED = 3


def match_texts(
    ids: Sequence[str],
    documents: Iterable[tuple[str, str]],
    *,
    whole: bool,
    seen: Callable[[int | None], None] = lambda row: None,
) -> tuple[list[str | None], list[str]]:
    """Return texts in the order of ``ids``, and notes on what did not match.

    Parameters
    ----------
    ids : sequence of str
        Ids of the vectors. An id that occurs twice takes two texts, in order.
    documents : iterable of (id, text)
        Read once; only texts that are wanted are kept.
    whole : bool
        Whether ``ids`` are all ids of the file, so that a text without a vector is reported.
    seen : callable, optional
        Called for each document with the row that took its text, or None.

    Raises
    ------
    InputError
        If no text belongs to a vector.
    """
    wanted: dict[str, list[int]] = defaultdict(list)
    for position, key in enumerate(ids):
        wanted[key].append(position)
    for rows in wanted.values():
        rows.reverse()
    texts: list[str | None] = [None] * len(ids)
    n_read, stray = 0, []
    for key, text in documents:
        n_read += 1
        rows = wanted.get(key, [])
        row = rows.pop() if rows else None
        seen(row)
        if row is not None:
            texts[row] = text
        elif whole:
            stray.append(key)
    missing = [key for key, text in zip(ids, texts, strict=True) if text is None]
    if len(missing) == len(ids):
        others = f" (ids of texts: {named(stray)})" if stray else ""
        raise InputError(
            f"none of the {n_read:,} texts has the id of a vector: the vectors' ids are "
            f"{named(missing)}{others}. Give the file that was embedded, and its --id-column"
        )
    notes = []
    if missing:
        notes.append(f"{len(missing):,} of {len(ids):,} documents have no text: {named(missing)}")
    if stray:
        notes.append(f"{len(stray):,} of {n_read:,} texts have no vector: {named(stray)}")
    return texts, notes


def named(keys: Sequence[str]) -> str:
    """List the first few ids, shortened."""
    shown = ", ".join(repr(key if len(key) <= 40 else key[:37] + "...") for key in keys[:_NAMED])
    return f"{shown} and {len(keys) - _NAMED:,} more" if len(keys) > _NAMED else shown
