"""Score what the paper's tables hold, and set it beside the printed numbers."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from psif.evaluation.paper.examples import TASK as EXAMPLES
from psif.evaluation.paper.length_figure import Figure, length_figures
from psif.evaluation.paper.paper_tables import PROTOCOLS, TABLES, PaperTable, find_tables
from psif.evaluation.paper.plans import default_methods, expected_seconds, measures
from psif.evaluation.paper.published import published
from psif.evaluation.paper.score_table import ScoreTable
from psif.evaluation.paper.seed_table import SeedRow
from psif.evaluation.runner.cache_key import vectors_key
from psif.evaluation.runner.evaluate import N_SPLITS, TASK_MEASURES, run
from psif.evaluation.runner.progress import Job
from psif.evaluation.runner.protocols import CLASSIFICATION, SIMILARITY, find_protocol
from psif.evaluation.runner.results import Failure, Report, Result, Run
from psif.evaluation.tasks import TASKS
from psif.evaluation.tasks.base import Task

CACHE = ".cache"
"""The folder of finished results beside the table: local, ignored by git."""


@dataclass(frozen=True)
class Row:
    """One number of the paper, and ours by protocol."""

    task: str
    method: str
    metric: str
    published: float | None
    published_as: str | None
    ours: dict[str, Result]

    def difference(self, protocol: str) -> float | None:
        """Our score minus the published number, unless ours is of a sample."""
        result = self.ours.get(protocol)
        if result is None or self.published is None or result.sample is not None:
            return None
        return result.score - self.published


@dataclass
class Reproduction:
    """Rows of each table, all scores and how they were made, and what is missing."""

    tables: dict[str, list[Row]] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    seeds: list[SeedRow] = field(default_factory=list)

    def figures(self) -> list[Figure]:
        """Gain over SIF by length of sentences and of documents, where they were scored."""
        return length_figures(self.results)


class Planned(NamedTuple):
    """A job of a reproduction, the seconds it may take, and the day it was scored, if it was."""

    job: Job
    seconds: float
    scored: str | None


def reproduce(
    names: Iterable[str] = (),
    methods: Iterable[str] | None = None,
    *,
    folder: str | Path,
    command: str = "",
    **options: Any,
) -> Reproduction:
    """Score what the tables need, each task once, and put it into the folder's table of scores.

    Parameters
    ----------
    names : iterable of str
        Of :data:`~psif.evaluation.paper.paper_tables.TABLES`; none is all.
    methods : iterable of str, optional
        By default those that the tables have, where they are quick; see
        :mod:`psif.evaluation.paper.plans`.
    folder : path
        Has the table of scores, and finished results in ``.cache``.
    command : str
        The command that asked for it, to be kept with the scores.
    **options
        As in :func:`score`.
    """
    names, methods = list(names), None if methods is None else list(methods)
    report = score(names, methods, folder=folder, **options)
    return add_to_table(report, names, methods, folder, command)


def add_to_table(
    report: Report,
    names: Iterable[str],
    methods: Iterable[str] | None,
    folder: str | Path,
    command: str,
) -> Reproduction:
    """Put what was scored into the folder's table, and set it beside the printed numbers."""
    # Read after scoring: another run may have added to it meanwhile.
    scores = ScoreTable.read(folder)
    scores.update([replace(made, command=command) for made in report.runs], report.results)
    if report.runs:
        scores.write(folder)
    done = from_scores(scores, names, methods)
    done.failures, done.warnings = report.failures, report.warnings
    return done


def score(
    names: Iterable[str],
    methods: Iterable[str] | None,
    *,
    folder: str | Path,
    protocols: Iterable[str] = PROTOCOLS,
    n_splits: int = N_SPLITS,
    only_tasks: Container[str] | None = None,
    **options: Any,
) -> Report:
    """Score what the tables need into the cache of a folder.

    Parameters
    ----------
    names, methods, folder
        As in :func:`reproduce`.
    only_tasks : container of str, optional
        Leave out other tasks.
    protocols, n_splits, **options
        As in :func:`psif.evaluation.run`.
    """
    tables = find_tables(names)
    tasks = [t for t in tasks_of(tables) if only_tasks is None or t.name in only_tasks]
    _check_alike(ScoreTable.read(folder), tasks_of(tables), n_splits, options)
    return run(
        tasks,
        _chosen(tables, methods),
        protocols=protocols,
        cache=Path(folder) / CACHE,
        per_class=True,
        measures=measures,
        n_splits=n_splits,
        expected=lambda job: expected_seconds(job, n_splits),
        **options,
    )


def from_scores(
    scores: ScoreTable, names: Iterable[str] = (), methods: Iterable[str] | None = None
) -> Reproduction:
    """Set the scores of a table beside the printed numbers; nothing is scored.

    ``missing`` names what :func:`reproduce` would have to score with these tables and methods.
    """
    tables, results = find_tables(names), scores.results
    done = Reproduction(results=results, runs=list(scores.runs.values()))
    for table in tables:
        done.tables[table.name] = _rows(table, results)
    done.missing = [
        str(plan.job) for plan in planned(names, methods, scores=scores) if plan.scored is None
    ]
    return done


def planned(
    names: Iterable[str],
    methods: Iterable[str] | None,
    n_splits: int = N_SPLITS,
    scores: ScoreTable | None = None,
    protocols: Iterable[str] = PROTOCOLS,
) -> list[Planned]:
    """Return what :func:`reproduce` would run, in order."""
    rules = [find_protocol(name).name for name in protocols]
    tables = find_tables(names)
    chosen = _chosen(tables, methods)
    scores = ScoreTable() if scores is None else scores
    found = []
    for task in tasks_of(tables):
        for protocol in rules:
            asked = TASK_MEASURES.get(task.kind, ())
            if task.kind == "classes":
                asked = measures(task.name, protocol)
            elif protocol not in TABLES["pooled"].protocols:
                asked = tuple(name for name in asked if name != "pooled")
            for method in chosen(task.name, protocol):
                job = Job(task, method, protocol)
                place = (task.name, method, protocol)
                scored = scores.runs[place].date if scores.has(place, asked) else None
                if scored and scores.runs[place].tokens not in ("", protocol_tokens(job)):
                    # Scored when the protocol gave the method other tokens than the others.
                    scored = None
                found.append(Planned(job, expected_seconds(job, n_splits), scored))
    return found


def tasks_of(tables: Sequence[PaperTable]) -> list[Task]:
    """Tasks of tables, the quick ones first: most scores are there after minutes."""
    names = dict.fromkeys(task for table in tables for task in table.tasks)
    tasks = [EXAMPLES if name == EXAMPLES.name else TASKS[name] for name in names]
    return sorted(tasks, key=lambda task: expected_seconds(Job(task, "psif", "inductive")))


def protocol_tokens(job: Job) -> str:
    """Return the tokenizer that a protocol gives to all methods alike."""
    labelled = job.task.kind in ("classes", "labels")
    shared = find_protocol(job.protocol).shared[CLASSIFICATION if labelled else SIMILARITY]
    return str(shared["tokenizer"])


def _check_alike(
    scores: ScoreTable, tasks: Iterable[Task], n_splits: int, options: dict[str, Any]
) -> None:
    """Refuse, before anything is scored, scores that are not comparable with the table's."""
    scores.check_alike(
        splits=n_splits, sample=options.get("sample"), seed=options.get("random_state", 0)
    )
    vectors = options.get("vectors")
    general = options.get("general_vectors")
    keys = {
        False: vectors_key(vectors),
        True: vectors_key(vectors if general is None else general),
    }
    for task in tasks:
        scores.check_vectors(task.name, keys[task.general_vectors])


def _chosen(
    tables: Sequence[PaperTable], methods: Iterable[str] | None
) -> Callable[[str, str], list[str]]:
    named = None if methods is None else list(dict.fromkeys(methods))
    # Tables of our own have the methods that the printed tables of the same tasks have.
    shown = [table for table in tables if table.source] or list(TABLES.values())

    def find(task: str, protocol: str) -> list[str]:
        if task == EXAMPLES.name:
            return ["sif", "psif"]
        return default_methods(shown, task, protocol) if named is None else named

    return find


def _rows(table: PaperTable, results: Iterable[Result]) -> list[Row]:
    rows: dict[tuple[str, str, str], Row] = {}
    for result in results:
        if not table.holds(result):
            continue
        key = (result.task, result.method, result.metric)
        if key not in rows:
            printed = published(*key, only=table.source) if table.source else None
            rows[key] = Row(
                *key,
                None if printed is None else printed.score,
                None if printed is None else printed.name,
                {},
            )
        rows[key].ours[result.protocol] = result
    return list(rows.values())
