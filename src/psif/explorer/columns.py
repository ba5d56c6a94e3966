"""The columns of the texts file: labels, numbers, dates and other texts of each document."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from psif.explorer.matching import named
from psif.explorer.packing import packed
from psif.files.dates import parse_dates

# Stands for a missing value.
MISSING = 65_535
_MOST_COLUMNS = 40
_MOST_LABELS = 1_000
_FEW_NUMBERS = 12
_MOST_NAME, _MOST_LABEL, _MOST_TEXT = 80, 120, 300
# The largest number of characters in all text columns together.
_MOST_CHARACTERS = 16 << 20
_NUMBER = re.compile(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,3})?\s*")


class Fields:
    """The other columns of documents, collected while their file is read."""

    def __init__(self) -> None:
        self._latest: dict[str, Any] = {}
        self._columns: dict[str, list[Any]] = {}
        self._n_rows = 0
        self._left_out: dict[str, None] = {}

    def __call__(self, fields: dict[str, Any]) -> None:
        """Take the columns of the record of the next document."""
        self._latest = fields

    def start(self, n_rows: int) -> None:
        """Prepare for a number of documents."""
        self._n_rows = n_rows

    def keep(self, row: int | None) -> None:
        """Assign the columns taken last to a document, or drop them."""
        fields, self._latest = self._latest, {}
        if row is None:
            return
        for name, value in fields.items():
            column = self._columns.get(name)
            if column is None:
                if len(self._columns) == _MOST_COLUMNS:
                    self._left_out[name] = None
                    continue
                column = self._columns[name] = [None] * self._n_rows
            column[row] = value

    def columns(self) -> tuple[list[Column], list[str]]:
        """Return all columns with content, in the order of the file, and notes on the others."""
        found = (describe(name, values) for name, values in self._columns.items())
        columns = [column for column in found if column is not None]
        long = _too_long(columns)
        notes = []
        if self._left_out:
            notes.append(f"only the first {_MOST_COLUMNS} columns of the texts are shown")
        if long:
            notes.append(f"columns with too much text are left out: {named(long)}")
        return [column for column in columns if column.name not in long], notes


@dataclass(frozen=True)
class Column:
    """One column of all documents.

    Attributes
    ----------
    name : str
    kind : {"label", "number", "date", "text"}
    data : dict
        Ready for JSON: ``names`` and ``codes`` of labels, ``values`` of numbers and of dates
        (seconds since 1970, NaN where missing), ``texts``.
    """

    name: str
    kind: str
    data: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
        return {"name": self.name, "kind": self.kind, **self.data}


def describe(name: str, raw: Sequence[Any]) -> Column | None:
    """Find the kind of a column; None if it is empty."""
    name = str(name)[:_MOST_NAME] or "(no name)"
    values = [_present(value) for value in raw]
    present = [value for value in values if value is not None]
    if not present:
        return None
    numbers = _numbers(values)
    if numbers is not None:
        whole = bool((numbers[~np.isnan(numbers)] % 1 == 0).all())
        distinct = np.unique(numbers[~np.isnan(numbers)])
        if whole and len(distinct) <= _FEW_NUMBERS:
            return _labels(name, [None if math.isnan(x) else f"{x:.0f}" for x in numbers.tolist()])
        return Column(name, "number", {"values": packed(numbers), "whole": whole})
    seconds = parse_dates(values)
    if seconds is not None:
        days = bool((seconds[~np.isnan(seconds)] % 86_400 == 0).all())
        return Column(name, "date", {"values": packed(seconds), "days": days})
    texts = [_text(value) for value in values]
    n_distinct = len({text for text in texts if text is not None})
    if n_distinct <= min(_MOST_LABELS, max(20, len(present) // 2)):
        return _labels(name, texts)
    return Column(name, "text", {"texts": [text and text[:_MOST_TEXT] for text in texts]})


def _present(value: Any) -> Any:
    """Return a value, or None if it is empty."""
    if isinstance(value, str):
        return value if value.strip() else None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _numbers(values: Sequence[Any]) -> np.ndarray | None:
    """Return all values as numbers, or None if one is not; true and false are labels."""
    result = np.full(len(values), np.nan)
    for i, value in enumerate(values):
        if value is None:
            continue
        if isinstance(value, bool) or not (
            isinstance(value, int | float)
            or (isinstance(value, str) and len(value) < 40 and _NUMBER.fullmatch(value))
        ):
            return None
        try:
            result[i] = float(value)
        except OverflowError:
            return None
    return result


def _labels(name: str, texts: Sequence[str | None]) -> Column:
    """Return labels, by decreasing count or by value, and one code per document."""
    counts = Counter(text[:_MOST_LABEL] for text in texts if text is not None)
    names = sorted(counts, key=lambda label: (-counts[label], label))
    if all(_NUMBER.fullmatch(label) for label in names):
        names.sort(key=float)
    index = {label: code for code, label in enumerate(names)}
    codes = [MISSING if text is None else index[text[:_MOST_LABEL]] for text in texts]
    return Column(
        name, "label", {"names": names, "codes": packed(np.array(codes, dtype=np.uint16))}
    )


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def _too_long(columns: list[Column]) -> list[str]:
    """Return the text columns that would make the page too large, the longest first."""
    sizes = {
        column.name: sum(len(text or "") for text in column.data["texts"])
        for column in columns
        if column.kind == "text"
    }
    left_out = []
    while sum(sizes.values()) > _MOST_CHARACTERS:
        longest = max(sizes, key=lambda name: sizes[name])
        left_out.append(longest)
        del sizes[longest]
    return left_out
