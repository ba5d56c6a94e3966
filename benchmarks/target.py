"""One speed, size or score that we aim for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A bar, what was measured, and whether it is met (``None``: not measured)."""

    text: str
    bar: str
    measured: str
    met: bool | None

    @classmethod
    def missing(cls, text: str, bar: str) -> Target:
        """Return a target that was not measured."""
        return cls(text, bar, "not measured", None)
