"""Parse dates in the many formats that people use."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import numpy as np

from psif.types import DoubleVector

# Formats other than ISO 8601 and that of mail headers.
_FORMATS = (
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d.%m.%Y",
    "%d %b %Y",
    "%d %B %Y",
    "%b %d, %Y",
    "%B %d, %Y",
    "%d-%b-%Y",
    "%Y/%m/%d %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y %H:%M:%S",
)
_SLASHES = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})((?: \d{1,2}:\d{2}(?::\d{2})?)?)")
# A column holds dates if this share of its values are dates.
_MOST = 0.95


def parse_dates(values: Sequence[Any], least: float = _MOST) -> DoubleVector | None:
    """Return seconds since 1970 per value, NaN for a missing value or one that is not a date.

    Return None if the values are not dates. A date without a time zone is read as UTC. In
    ``1/2/2024`` the first number is the month, unless a value of the column shows that it is the
    day.

    Parameters
    ----------
    values : sequence
        Strings, dates or None.
    least : float, default=0.95
        Share of the values that must be dates.
    """
    present = [i for i, value in enumerate(values) if value is not None]
    first = next((values[i] for i in present), None)
    if not isinstance(first, str | date):
        return None
    slashed = _slash_reader([values[i] for i in present])
    seconds = np.full(len(values), np.nan)
    n_bad, known = 0, dict[str, float]()
    for i in present:
        value = values[i]
        found = known.get(value) if isinstance(value, str) else None
        if found is None:
            found = _seconds(value, slashed)
            if isinstance(value, str):
                known[value] = found
        seconds[i] = found
        n_bad += found != found
        # Give up early on a column of texts.
        if n_bad > 20 and n_bad > (1 - least) * len(present):
            return None
    return seconds if present and n_bad <= (1 - least) * len(present) else None


def _seconds(value: Any, slashed: Callable[[str], datetime | None]) -> float:
    when = value if isinstance(value, date) else _read(value, slashed)
    if when is None:
        return float("nan")
    if not isinstance(when, datetime):
        when = datetime(when.year, when.month, when.day, tzinfo=UTC)
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    try:
        return when.timestamp()
    except (OverflowError, ValueError, OSError):
        return float("nan")


def _read(value: Any, slashed: Callable[[str], datetime | None]) -> datetime | None:
    # Longer texts are not dates.
    if not isinstance(value, str) or len(value) > 60 or not re.search(r"\d", value):
        return None
    text = value.strip()
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    if "/" in text and (found := slashed(text)):
        return found
    for pattern in _FORMATS:
        try:
            return datetime.strptime(text, pattern)
        except ValueError:
            continue
    try:
        return parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _slash_reader(values: Sequence[Any]) -> Callable[[str], datetime | None]:
    """Return a parser for ``1/2/2024`` with the order of day and month that fits all values."""
    texts = (value for value in values if isinstance(value, str) and "/" in value)
    parts = [found for text in texts if (found := _SLASHES.fullmatch(text.strip()))]
    day_first = any(int(found[1]) > 12 for found in parts)

    def read(text: str) -> datetime | None:
        found = _SLASHES.fullmatch(text)
        if not found:
            return None
        month, day = (int(found[2]), int(found[1])) if day_first else (int(found[1]), int(found[2]))
        hour, minute, second, *_ = [*map(int, found[4].split(":") if found[4] else ()), 0, 0, 0]
        try:
            return datetime(int(found[3]), month, day, hour, minute, second)
        except ValueError:
            return None

    return read
