"""One part of a report, before it is laid out."""

from __future__ import annotations

from dataclasses import dataclass, field

from psif.evaluation.paper.grids import Grid


@dataclass(frozen=True)
class Section:
    """One part of a report.

    Attributes
    ----------
    title : str
    text : str
        A paragraph.
    grid : list of list of str
        A table, its header first.
    figure : str
        Name of a picture, if there is one.
    notes : list of str
        A list below the table.
    numbers : bool
        Whether the columns after the first hold numbers.
    """

    title: str
    text: str
    grid: Grid = field(default_factory=list)
    figure: str = ""
    notes: list[str] = field(default_factory=list)
    numbers: bool = True

    @property
    def empty(self) -> bool:
        """Whether its measurements are missing."""
        return len(self.grid) < 2 and not self.notes


def number(value: float | None, form: str) -> str:
    """Format a number, or a dash for one that was not measured."""
    return "–" if value is None else format(value, form)
