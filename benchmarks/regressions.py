"""Ratios that are worse than in an earlier run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.results import Run
from psif.errors import InputError

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


def check_comparable(before: Run, now: Run, path: Path) -> None:
    """Refuse to compare ratios measured on different documents."""
    for what in ("size", "corpus"):
        old, new = getattr(before, what), getattr(now, what)
        if old != new:
            raise InputError(
                f"{path} was measured with {what} {old!r}, this run with {new!r}; "
                "compare a quick run with a quick run, on the same documents."
            )


def regressions(
    before: Mapping[str, float], now: Mapping[str, float], tolerance: float = TOLERANCE
) -> list[Regression]:
    """Return the ratios in both that are worse by ``tolerance`` or more, the worst first."""
    fallen = [
        Regression(name, value, now[name])
        for name, value in before.items()
        if name in now and now[name] <= (1 - tolerance) * value
    ]
    return sorted(fallen, key=lambda found: found.now / found.before)
