"""Means over seeds, and differences between methods with a paired test, as one CSV file."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import numpy as np

from psif.errors import FormatError
from psif.evaluation.metrics.paired import paired_bootstrap
from psif.evaluation.paper.grids import Grid
from psif.evaluation.runner.seeds import Decisions, by_method
from psif.runtime.atomic import atomic_path

SEEDS = "seeds.csv"
METHODS = ("sif", "tfidf", "psif-plain", "psif", "psif-hybrid")
# What is compared: P-SIF with what it extends, and with what a user would try first.
PAIRS = (
    ("psif-plain", "sif"),
    ("psif-plain", "tfidf"),
    ("psif", "sif"),
    ("psif", "tfidf"),
    ("psif-hybrid", "psif"),
    ("psif-hybrid", "tfidf"),
)
# Below this p-value a difference counts as found.
LEVEL = 0.05


@dataclass(frozen=True)
class SeedRow:
    """A mean over seeds, or the difference to another method.

    Attributes
    ----------
    task, protocol, method : str
    against : str
        The other method; "" for a mean.
    score : float
        Mean accuracy (P@1 of several labels) × 100, or the difference of two.
    deviation : float
        Standard deviation over seeds: of the score, or of the difference.
    low, high, p : float or None
        Of a difference: 95 % interval and two-sided p-value of the paired bootstrap.
    n_seeds, n_documents : int
    date : str
    """

    task: str
    protocol: str
    method: str
    against: str
    score: float
    deviation: float
    low: float | None
    high: float | None
    p: float | None
    n_seeds: int
    n_documents: int
    date: str


def seed_rows(task: str, protocol: str, decisions: Sequence[Decisions], date: str) -> list[SeedRow]:
    """Means of all methods, then differences of the pairs that were scored."""
    methods = list(dict.fromkeys(one.method for one in decisions))
    scores = {
        name: np.array([one.score for one in decisions if one.method == name]) for name in methods
    }
    rows = []
    for name in methods:
        n_documents = len(np.unique(by_method(decisions, name).documents))
        rows.append(
            SeedRow(
                task, protocol, name, "", float(scores[name].mean()), _deviation(scores[name]),
                None, None, None, len(scores[name]), n_documents, date,
            )
        )  # fmt: skip
    for name, other in PAIRS:
        if name in scores and other in scores:
            one, two = by_method(decisions, name), by_method(decisions, other)
            found = paired_bootstrap(one.correct, two.correct, one.documents)
            rows.append(
                SeedRow(
                    task, protocol, name, other, found.difference,
                    _deviation(scores[name] - scores[other]), found.low, found.high, found.p,
                    len(scores[name]), found.n_documents, date,
                )
            )  # fmt: skip
    return rows


def _deviation(values: np.ndarray) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0


def read_seeds(folder: str | Path) -> list[SeedRow]:
    """Read the table of a folder; nothing where there is none."""
    path = Path(folder) / SEEDS
    if not path.exists():
        return []
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [_row(cells) for cells in csv.DictReader(file)]
    except (csv.Error, ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{path}: not a table of seeds ({error}).") from error


def write_seeds(folder: str | Path, rows: Iterable[SeedRow]) -> Path:
    """Add rows to the table of a folder, in the place of those of the same comparison."""
    known = {_place(row): row for row in [*read_seeds(folder), *rows]}
    path = Path(folder) / SEEDS
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_path(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(field.name for field in fields(SeedRow))
        for row in known.values():
            writer.writerow(_cell(value) for value in astuple(row))
    return path


def seed_grid(rows: Sequence[SeedRow], protocol: str) -> Grid:
    """Header and cells: sets down; means ± deviations of all methods across."""
    shown = [row for row in rows if row.protocol == protocol and not row.against]
    methods = list(dict.fromkeys(row.method for row in shown))
    found = {(row.task, row.method): row for row in shown}
    grid = [["set", "seeds", *methods]]
    for task in dict.fromkeys(row.task for row in shown):
        own = [found.get((task, method)) for method in methods]
        cells = ["" if row is None else f"{row.score:.2f} ± {row.deviation:.2f}" for row in own]
        grid.append([task, str(max(row.n_seeds for row in own if row)), *cells])
    return grid


def pair_grid(rows: Sequence[SeedRow], protocol: str) -> Grid:
    """Header and cells: sets down, differences with their intervals across.

    A difference whose p-value is at least :data:`LEVEL` is in brackets.
    """
    shown = [row for row in rows if row.protocol == protocol and row.against]
    pairs = list(dict.fromkeys((row.method, row.against) for row in shown))
    found = {(row.task, row.method, row.against): row for row in shown}
    grid = [["set", *(f"{one} − {two}" for one, two in pairs)]]
    for task in dict.fromkeys(row.task for row in shown):
        own = [found.get((task, *pair)) for pair in pairs]
        grid.append([task, *("" if row is None else _difference(row) for row in own)])
    return grid


def _difference(row: SeedRow) -> str:
    text = f"{row.score:+.2f} [{row.low:+.2f}, {row.high:+.2f}]"
    return text if row.p is not None and row.p < LEVEL else f"({text})"


def _place(row: SeedRow) -> tuple[str, str, str, str]:
    return row.task, row.protocol, row.method, row.against


def _cell(value: object) -> object:
    if value is None:
        return ""
    return f"{value:.5g}" if isinstance(value, float) else value


def _row(cells: dict[str, str]) -> SeedRow:
    def number(name: str) -> float | None:
        return float(cells[name]) if cells[name] else None

    return SeedRow(
        cells["task"], cells["protocol"], cells["method"], cells["against"],
        float(cells["score"]), float(cells["deviation"]), number("low"), number("high"),
        number("p"), int(cells["n_seeds"]), int(cells["n_documents"]), cells["date"],
    )  # fmt: skip
