"""The paper's tables again: published, ours under each protocol, and the difference."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from psif.evaluation.paper.examples import TASK as EXAMPLES
from psif.evaluation.paper.length_figure import Figure, length_figures, mean_lengths
from psif.evaluation.paper.plans import (
    ALSO,
    USES,
    compared_methods,
    default_methods,
    expected_seconds,
    measures,
)
from psif.evaluation.paper.published import published
from psif.evaluation.runner.evaluate import N_SPLITS, run
from psif.evaluation.runner.progress import Job
from psif.evaluation.runner.results import Failure, Result
from psif.evaluation.tasks import GROUPS, TASKS
from psif.evaluation.tasks.base import Task
from psif.runtime.suggestions import unknown_name

PROTOCOLS = ("paper", "inductive")


@dataclass(frozen=True)
class PaperTable:
    """Which numbers a table of the paper holds.

    Attributes
    ----------
    name, title : str
    source : str
        The table of :mod:`psif.evaluation.paper.published` with what is printed.
    tasks, metrics : tuple of str
    parts : bool
        Rows for sub-tasks or classes, beside those for tasks.
    protocols : tuple of str
        Of the numbers of ours that it shows.
    """

    name: str
    title: str
    source: str
    tasks: tuple[str, ...]
    metrics: tuple[str, ...]
    parts: bool = False
    protocols: tuple[str, ...] = PROTOCOLS

    @property
    def labelled(self) -> bool:
        """Whether its tasks are documents with classes or labels."""
        return self.source in ("newsgroups", "reuters", "word_mover")

    def methods(self) -> list[str]:
        """Methods of ours to fill it with."""
        if self.name == "examples":
            return ["sif", "psif"]
        return compared_methods(self.source, self.tasks, self.metrics)

    def shows(self, method: str) -> bool:
        """Whether a method has a row at a glance: what is printed, and what a user would try."""
        return not self.source or method in (*self.methods(), *ALSO)

    def holds(self, result: Result) -> bool:
        """Whether a result belongs here."""
        task, _, part = result.task.partition("/")
        return task in self.tasks and result.metric in self.metrics and (self.parts or not part)


_CLASSES = ("accuracy", "precision", "recall", "f1")
_PEARSON = ("pearson",)

TABLES: Mapping[str, PaperTable] = MappingProxyType(
    {
        table.name: table
        for table in (
            PaperTable("newsgroups", "20 Newsgroups", "newsgroups", ("20news",), _CLASSES),
            PaperTable(
                "classes", "20 Newsgroups, class by class", "newsgroups_classes", ("20news",),
                _CLASSES[1:], parts=True,
            ),
            PaperTable(
                "reuters", "Reuters-21578, several labels", "reuters", ("reuters",),
                ("P@1", "P@5", "nDCG@5 (authors)", "nDCG@5", "coverage_error", "LRAP",
                 "F1 (micro)"),
            ),
            PaperTable(
                "word-mover", "Comparison with the word mover's distance", "word_mover",
                GROUPS["wmd"], ("accuracy",),
            ),
            PaperTable(
                "similarity", "Similarity of sentences, by year", "similarity",
                ("sts12", "sts13", "sts14", "sts15", "sick-r", "pit2015"), _PEARSON,
            ),
            PaperTable(
                "recent", "Similarity of sentences, recent methods", "similarity_recent",
                GROUPS["sts"], _PEARSON,
            ),
            PaperTable(
                "similarity-detail", "Similarity of sentences, 2012 to 2015, by sub-task",
                "similarity_detail", GROUPS["sts"][:4], _PEARSON, parts=True,
            ),
            PaperTable(
                "sts16", "Similarity of sentences, 2016, by sub-task", "sts16", ("sts16",),
                _PEARSON, parts=True,
            ),
            PaperTable(
                "supervised", "Learned similarity, entailment and sentiment", "supervised",
                ("sick-r", "sick-e", "sst2"), ("supervised pearson", "accuracy"),
            ),
            PaperTable(
                "examples", "Pairs of captions, P-SIF and SIF", "examples", ("examples",),
                ("cosine",), parts=True,
            ),
            PaperTable(
                "uses", "Retrieval and clustering (not in the paper)", "", USES,
                ("retrieval P@1", "retrieval P@10", "retrieval mAP", "k-NN accuracy", "V-measure",
                 "NMI", "ARI"), protocols=("inductive",),
            ),
        )
    }
)  # fmt: skip


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
        """Ours minus the published number, unless ours is of a sample."""
        result = self.ours.get(protocol)
        if result is None or self.published is None or result.sample is not None:
            return None
        return result.score - self.published


@dataclass
class Reproduction:
    """Rows of each table, all results, and what could not be done."""

    tables: dict[str, list[Row]] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def figures(self) -> list[Figure]:
        """Gain over SIF by length of sentences and of documents, as far as they were scored."""
        has_sentences = any(r.task.startswith("sts") and "/" in r.task for r in self.results)
        return length_figures(self.results, mean_lengths() if has_sentences else {})


def find_tables(names: Iterable[str]) -> list[PaperTable]:
    """Tables by name; all of them for none."""
    chosen = list(dict.fromkeys(names)) or list(TABLES)
    for name in chosen:
        if name not in TABLES:
            raise unknown_name("table", name, list(TABLES))
    return [TABLES[name] for name in chosen]


def reproduce(
    names: Iterable[str] = (),
    methods: Iterable[str] | None = None,
    *,
    cache: str | Path | None = None,
    protocols: Iterable[str] = PROTOCOLS,
    n_splits: int = N_SPLITS,
    only_tasks: Container[str] | None = None,
    **options: Any,
) -> Reproduction:
    """Score what the tables need, each task once, and set it beside what is printed.

    Parameters
    ----------
    names : iterable of str
        Of :data:`TABLES`; none is all.
    methods : iterable of str, optional
        By default those that the tables have, as far as they are quick; see
        :mod:`psif.evaluation.paper.plans`.
    only_tasks : container of str, optional
        Leave out other tasks.
    cache, protocols, n_splits, **options
        As in :func:`psif.evaluation.run`.
    """
    tables = find_tables(names)
    report = run(
        [t for t in tasks_of(tables) if only_tasks is None or t.name in only_tasks],
        _chosen(tables, methods),
        protocols=protocols,
        cache=cache,
        per_class=True,
        measures=measures,
        n_splits=n_splits,
        expected=lambda job: expected_seconds(job, n_splits),
        **options,
    )
    done = Reproduction({}, report.results, report.failures, report.warnings, report.missing)
    for table in tables:
        done.tables[table.name] = _rows(table, report.results)
    return done


def planned(
    names: Iterable[str], methods: Iterable[str] | None, n_splits: int = N_SPLITS
) -> list[tuple[Job, float]]:
    """Return what :func:`reproduce` would run, in order, with the seconds that each may take."""
    tables = find_tables(names)
    chosen = _chosen(tables, methods)
    jobs = [
        Job(task, method, protocol)
        for task in tasks_of(tables)
        for protocol in PROTOCOLS
        for method in chosen(task.name, protocol)
    ]
    return [(job, expected_seconds(job, n_splits)) for job in jobs]


def tasks_of(tables: Sequence[PaperTable]) -> list[Task]:
    """Tasks of tables, the quick ones first: most numbers are there after minutes."""
    names = dict.fromkeys(task for table in tables for task in table.tasks)
    tasks = [EXAMPLES if name == EXAMPLES.name else TASKS[name] for name in names]
    return sorted(tasks, key=lambda task: expected_seconds(Job(task, "psif", "inductive")))


def _chosen(
    tables: Sequence[PaperTable], methods: Iterable[str] | None
) -> Callable[[str, str], list[str]]:
    named = None if methods is None else list(dict.fromkeys(methods))
    # Numbers that no printed table has stand beside those of the same methods.
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
