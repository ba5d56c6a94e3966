"""All scores of a reproduction in two CSV files, from which its pages are made.

``scores.csv`` has one score per row, ``runs.csv`` one row per task, method and protocol that was
scored: with which tokens and vectors, when, where, with which code and by which command.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeAlias

from psif.baselines import METHODS
from psif.errors import FormatError, InputError
from psif.evaluation.paper.examples import TASK as EXAMPLES
from psif.evaluation.paper.paper_tables import is_kept
from psif.evaluation.runner.protocols import ALIASES, PROTOCOLS
from psif.evaluation.runner.results import Result, Run
from psif.evaluation.tasks import TASKS
from psif.runtime.atomic import atomic_path

SCORES, RUNS = "scores.csv", "runs.csv"
_SCORE_COLUMNS = ("task", "method", "protocol", "metric", "score", "deviation")
_RUN_COLUMNS = tuple(column.name for column in fields(Run))
Place: TypeAlias = tuple[str, str, str]
"""Task, method and protocol."""


@dataclass
class ScoreTable:
    """Runs and their scores, in a fixed order."""

    runs: dict[Place, Run] = field(default_factory=dict)
    scores: dict[Place, list[Result]] = field(default_factory=dict)

    @property
    def results(self) -> list[Result]:
        """All scores, in order."""
        return [result for place in self.runs for result in self.scores[place]]

    def has(self, place: Place, measures: Iterable[str] = ()) -> bool:
        """Whether a task was scored with a method under a protocol, by all these measures."""
        run = self.runs.get(place)
        return run is not None and set(measures) <= set(run.measures.split())

    def update(self, runs: Iterable[Run], results: Iterable[Result]) -> None:
        """Put new runs in the place of old ones."""
        for run in runs:
            self.runs[run.job], self.scores[run.job] = run, []
        for result in results:
            place = (result.task.partition("/")[0], result.method, result.protocol)
            if is_kept(result):
                self.scores[place].append(result)
        self.runs = dict(sorted(self.runs.items(), key=lambda item: _order(item[0])))

    def check_alike(self, *, splits: int, sample: int | None, seed: int | None) -> None:
        """Refuse to put scores beside those that were made otherwise."""
        for run in self.runs.values():
            if (run.splits, run.sample, run.seed) != (splits, sample, seed):
                raise InputError(
                    f"the folder holds scores with splits={run.splits}, sample={run.sample} and "
                    f"seed={run.seed}; new ones with splits={splits}, sample={sample} and "
                    f"seed={seed} are not comparable with them. Choose another folder."
                )

    def check_vectors(self, task: str, vectors: str) -> None:
        """Refuse other word vectors than the folder's for tasks of the same kind."""
        for run in self.runs.values():
            if _general(run.task) == _general(task) and run.vectors != vectors:
                raise InputError(
                    f"the folder holds scores of {run.task} with the word vectors {run.vectors}; "
                    f"new ones of {task} with {vectors} are not comparable with them. Choose "
                    "another folder."
                )

    @classmethod
    def read(cls, folder: str | Path) -> ScoreTable:
        """Read a table; an empty one where there is none yet."""
        table = cls()
        for row in _rows(Path(folder) / RUNS, _RUN_COLUMNS):
            run = row.made(_run)
            table.runs[run.job], table.scores[run.job] = run, []
        for row in _rows(Path(folder) / SCORES, _SCORE_COLUMNS):
            result = row.made(_result)
            place = (result.task.partition("/")[0], result.method, result.protocol)
            if place in table.runs:
                run = table.runs[place]
                table.scores[place].append(
                    replace(result, seconds=run.seconds, n_runs=run.n_runs, sample=run.sample)
                )
        # Two files cannot be replaced at once: a run whose scores are not there was not scored.
        for place in [place for place, scores in table.scores.items() if not scores]:
            del table.runs[place], table.scores[place]
        return table

    def write(self, folder: str | Path) -> None:
        """Write both files."""
        scores = [
            (*(getattr(result, name) for name in _SCORE_COLUMNS[:4]), _short(result.score, 6),
             _short(result.deviation, 4))
            for result in self.results
        ]  # fmt: skip
        _write(Path(folder) / SCORES, [_SCORE_COLUMNS, *scores])
        runs = [
            ["" if v is None else v for v in asdict(run).values()] for run in self.runs.values()
        ]
        _write(Path(folder) / RUNS, [_RUN_COLUMNS, *runs])


def _general(task: str) -> bool:
    return (EXAMPLES if task == EXAMPLES.name else TASKS[task]).general_vectors


def _order(place: Place) -> tuple[int, int, int]:
    """Order of tasks, methods and protocols in their own lists."""
    names = ([*TASKS, EXAMPLES.name], list(METHODS), list(PROTOCOLS))
    found = [
        known.index(name) if name in known else len(known)
        for name, known in zip(place, names, strict=True)
    ]
    return found[0], found[1], found[2]


@dataclass(frozen=True)
class _Row:
    path: Path
    line: int
    cells: dict[str, str]

    def made(self, make: Any) -> Any:
        try:
            return make(self.cells)
        except (ValueError, TypeError, KeyError) as error:
            raise FormatError(f"{self.path}, line {self.line}: {error}.") from error


def _rows(path: Path, columns: Sequence[str]) -> list[_Row]:
    if not path.exists():
        return []
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            rows = [_Row(path, reader.line_num, row) for row in reader]
    except (csv.Error, UnicodeDecodeError) as error:
        raise FormatError(f"{path}: not a table of scores ({error}).") from error
    if tuple(reader.fieldnames or ()) != tuple(columns):
        raise FormatError(
            f"{path}: expected the columns {', '.join(columns)}; "
            f"got {', '.join(reader.fieldnames or ['none'])}."
        )
    return rows


def _run(cells: dict[str, str]) -> Run:
    whole = {name: int(cells[name]) for name in ("splits", "n_runs")}
    perhaps = {name: int(cells[name]) if cells[name] else None for name in ("sample", "seed")}
    seconds = float(cells["seconds"])
    return Run(**{**cells, **_names(cells), **whole, **perhaps, "seconds": seconds})  # type: ignore[arg-type]


def _result(cells: dict[str, str]) -> Result:
    deviation = float(cells["deviation"]) if cells["deviation"] else None
    names = _names(cells)
    return Result(
        names["task"], names["method"], names["protocol"], cells["metric"], float(cells["score"]),
        0.0, deviation=deviation,
    )  # fmt: skip


def _names(cells: dict[str, str]) -> dict[str, str]:
    """Task, method and protocol, a former name of the protocol translated."""
    protocol = ALIASES.get(cells["protocol"], cells["protocol"])
    task, method = cells["task"], cells["method"]
    for what, name, known in (
        ("task", task.partition("/")[0], [*TASKS, EXAMPLES.name]),
        ("method", method, METHODS),
        ("protocol", protocol, PROTOCOLS),
    ):
        if name not in known:
            raise ValueError(f"no {what} is called {name!r}")
    return {"task": task, "method": method, "protocol": protocol}


def _short(number: float | None, digits: int) -> str:
    return "" if number is None else f"{number:.{digits}g}"


def _write(path: Path, rows: Iterable[Sequence[Any]]) -> None:
    with atomic_path(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
