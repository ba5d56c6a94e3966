"""Warn when a ratio has become worse than the one that was committed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from psif.errors import FormatError, InputError

TOLERANCE = 0.25


@dataclass(frozen=True)
class Regression:
    """A ratio that fell."""

    name: str
    before: float
    now: float

    @property
    def message(self) -> str:
        """One line."""
        return (
            f"{self.name}: {self.before:.3g} before, {self.now:.3g} now "
            f"({1 - self.now / self.before:.0%} worse)"
        )


def read_committed(path: Path) -> dict[str, Any]:
    """Read the ``bench.json`` of an earlier run."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from error
    except ValueError as error:
        raise FormatError(f"{path}: not JSON ({error}); expected a bench.json.") from error
    if not isinstance(kept, dict) or not {"ratios", "size", "corpus"} <= set(kept):
        raise FormatError(f"{path}: not the results of `psif bench`; expected a bench.json.")
    return kept


def check_comparable(kept: Mapping[str, Any], now: Mapping[str, Any], path: Path) -> None:
    """Refuse to compare ratios of different documents: they differ for good reasons."""
    for what in ("size", "corpus"):
        if kept[what] != now[what]:
            raise InputError(
                f"{path} was measured with {what} {kept[what]!r}, this run with {now[what]!r}; "
                "compare a quick run with a quick one, and on the same documents."
            )


def regressions(
    before: Mapping[str, float], now: Mapping[str, float], tolerance: float = TOLERANCE
) -> list[Regression]:
    """Ratios that are ``tolerance`` worse or more, the worst first; others are not compared."""
    fallen = [
        Regression(name, value, now[name])
        for name, value in before.items()
        if name in now and now[name] <= (1 - tolerance) * value
    ]
    return sorted(fallen, key=lambda found: found.now / found.before)
