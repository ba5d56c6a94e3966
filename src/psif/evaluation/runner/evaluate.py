"""Any tasks, any methods, any protocols: one report."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from psif.baselines import METHODS
from psif.errors import EmptyDocumentsWarning, InputError, PsifError, PsifWarning
from psif.evaluation.paper.published import published
from psif.evaluation.runner.build import MethodBuilder
from psif.evaluation.runner.cache import ResultCache
from psif.evaluation.runner.cache_key import cache_key, package_versions, vectors_key
from psif.evaluation.runner.progress import Expected, Job, Progress
from psif.evaluation.runner.protocols import CLASSIFICATION, NEIGHBOURS, SIMILARITY, find_protocol
from psif.evaluation.runner.results import Failure, Report, Result, Run
from psif.evaluation.runner.score import Builders, Scores, score_documents, score_pairs
from psif.evaluation.runner.shared_vectors import TrainedVectors
from psif.evaluation.runner.task_data import TaskData
from psif.evaluation.scoring.classes import MEASURES
from psif.evaluation.scoring.search import score_search
from psif.evaluation.tasks import find_tasks
from psif.evaluation.tasks.base import PairData, Task
from psif.evaluation.tasks.search import SearchData
from psif.runtime.provenance import environment
from psif.runtime.suggestions import unknown_name
from psif.vectors.loading import is_source
from psif.vectors.table import WordVectors
from psif.vectors.trainers import TRAINERS

N_SPLITS = 5
# What is always measured, by kind of task.
TASK_MEASURES = {"labels": ("classification",), "similarity": ("sub-tasks", "pooled")}
PerJob: TypeAlias = Callable[[str, str], Iterable[str]]
"""Names, for the names of a task and a protocol."""


class _Vectors(NamedTuple):
    """Word vectors as they were given, and opened."""

    key: str
    table: Any

    @classmethod
    def of(cls, given: Any) -> _Vectors:
        return cls(vectors_key(given), None if given is None else _opened(given))


@dataclass(frozen=True)
class _Settings:
    """What all jobs of a run share."""

    options: Mapping[str, Any]
    vectors: _Vectors
    general: _Vectors
    measures: PerJob
    per_class: bool
    n_splits: int
    sample: int | None
    random_state: int | None
    n_jobs: int | None
    tell: Callable[[str], None]
    data: TaskData
    models: dict[tuple[str, str], Any] = field(default_factory=dict)
    trained: TrainedVectors = field(default_factory=TrainedVectors)

    def vectors_of(self, task: Task) -> _Vectors:
        """Vectors that were given for a task."""
        return self.general if task.general_vectors else self.vectors

    def measures_of(self, job: Job) -> tuple[str, ...]:
        """Return what is measured: only documents of one class each have a choice."""
        if job.task.kind == "classes":
            return tuple(self.measures(job.task.name, job.protocol))
        return TASK_MEASURES.get(job.task.kind, ())


def run(
    tasks: Iterable[str | Task],
    methods: Iterable[str] | PerJob = ("psif",),
    *,
    protocols: Iterable[str] = ("inductive",),
    vectors: Any = None,
    general_vectors: Any = None,
    options: Mapping[str, Any] | None = None,
    measures: Iterable[str] | PerJob = ("classification",),
    per_class: bool = False,
    n_splits: int = N_SPLITS,
    sample: int | None = None,
    cache: str | Path | None = None,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    tell: Callable[[str], None] = lambda text: None,
    expected: Expected | None = None,
) -> Report:
    """Score methods on tasks. A task that fails does not stop the others.

    Parameters
    ----------
    tasks : iterable of str or Task
        Names, groups ("sts", "wmd", "all") or tasks of your own.
    methods : iterable of str, or callable
        Names in :data:`psif.baselines.METHODS`, or a function from the names of a task and a
        protocol to them.
    protocols : iterable of str
        "inductive" (also "honest"), "paper"; see :mod:`psif.evaluation.runner.protocols`.
    vectors : optional
        Word vectors, as in :class:`psif.PSIF`; by default those of the protocol.
    general_vectors : optional
        The same, for the tasks of single sentences; by default ``vectors``.
    options : mapping, optional
        More settings, for every method.
    measures : iterable of str, or callable
        For documents with classes: "classification", "retrieval", "clustering"; or a function as
        for methods.
    per_class : bool, default=False
        Also give precision, recall and F1 of every class, as task ``name/class``, and the
        accuracy of short and of long documents, as ``name/100–199 words``.
    n_splits : int, default=5
        How often train and test are drawn where the authors' split is not available.
    sample : int, optional
        Use at most this many documents of each split: quick, but the scores are not comparable.
    cache : path, optional
        A folder that keeps finished results, so that an interrupted run can continue.
    random_state, n_jobs
    tell : callable
        Called with a line of text when a job starts and ends.
    expected : callable, optional
        The seconds that a job may take, to estimate the time that is left.

    Returns
    -------
    report : Report

    Raises
    ------
    InputError
        An unknown task, method, protocol or measure: before any work is done.
    """
    found: list[Task] = []
    for task in tasks:
        found += [task] if isinstance(task, Task) else find_tasks([task])
    found = list({task.name: task for task in found}.values())
    rules = list({rule.name: rule for rule in map(find_protocol, protocols)}.values())
    if not callable(measures):
        asked = tuple(dict.fromkeys(measures))
        for measure in asked:
            if measure not in MEASURES:
                raise unknown_name("measure", measure, MEASURES)
    if n_splits < 1:
        raise InputError(f"n_splits must be 1 or more; got {n_splits}.")
    trained = _Vectors.of(vectors)
    settings = _Settings(
        options or {},
        trained, trained if general_vectors is None else _Vectors.of(general_vectors),
        _per_job(measures), per_class, n_splits, sample, random_state, n_jobs, tell,
        TaskData(n_splits, sample),
    )  # fmt: skip
    store, report = None if cache is None else ResultCache(cache), Report()
    jobs = _jobs(found, _per_job(methods), [rule.name for rule in rules])
    progress = Progress(jobs, expected)
    for job in jobs:
        try:
            _run_one(job, settings, store, report, progress)
        except (PsifError, ValueError, ImportError, MemoryError, OSError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            report.failures.append(Failure(job.task.name, job.method, job.protocol, reason))
            tell(f"{progress.skip(job)}{job}: failed")
    report.warnings = list(dict.fromkeys(report.warnings))
    return report


def _per_job(names: Iterable[str] | PerJob) -> PerJob:
    if callable(names):
        return names
    same = tuple(dict.fromkeys(names))
    return lambda task, protocol: same


def _jobs(tasks: Iterable[Task], methods: PerJob, protocols: Iterable[str]) -> list[Job]:
    """All jobs, task by task: what is read and learned for a task serves all its jobs."""
    jobs = []
    for task in tasks:
        for protocol in protocols:
            jobs += [Job(task, method, protocol) for method in methods(task.name, protocol)]
    for job in jobs:
        if job.method not in METHODS:
            raise unknown_name("method", job.method, list(METHODS))
    return jobs


def _opened(vectors: Any) -> Any:
    """Read a table of vectors once, for all tasks; a trainer's name stays a name."""
    if not isinstance(vectors, str | Path) or vectors in TRAINERS:
        return vectors
    if not is_source(vectors):
        raise unknown_name("file or trainer of word vectors", str(vectors), list(TRAINERS))
    return WordVectors.load(vectors)


def _run_one(
    job: Job, settings: _Settings, store: ResultCache | None, report: Report, progress: Progress
) -> None:
    """Score a job, or find its scores in the cache."""
    builder = _builder(job, settings, report.warnings.append)
    builders: Builders = [(builder, ())]
    if builder.group == CLASSIFICATION:
        builders = builder.by_measures(settings.measures_of(job))
    key: dict[str, Any] = {}
    if store is not None:
        key = cache_key(
            job.task, [builder for builder, _ in builders], settings.vectors_of(job.task).key,
            measures=settings.measures_of(job), per_class=settings.per_class,
            n_splits=settings.n_splits, sample=settings.sample,
            random_state=settings.random_state,
        )  # fmt: skip
        known = store.get(key)
        if known is not None:
            settings.tell(f"{progress.skip(job)}{job}: known already")
            report.runs.append(known[0])
            report.results += known[1]
            return
    settings.tell(f"{progress.note()}{job} …")
    begin = time.perf_counter()
    scores = _score(job, builders, settings, report)
    seconds = time.perf_counter() - begin
    results = _results(job, scores, seconds, settings.sample)
    made = _made(job, builders, settings, results, key.get("code", ""))
    outcome = f"{results[0].metric} {results[0].score:.1f} in {seconds:.0f} s"
    settings.tell(f"{progress.done(job, seconds)}{job}: {outcome}")
    if store is not None:
        store.put(key, made, results)
    report.runs.append(made)
    report.results += results


def _builder(job: Job, settings: _Settings, warn: Callable[[str], None]) -> MethodBuilder:
    task, method, protocol = job
    group = CLASSIFICATION if task.kind in ("classes", "labels") else SIMILARITY
    if task.kind == "search":
        group = NEIGHBOURS
    options = {k: v for k, v in settings.options.items() if k != "vectors"}
    given = settings.vectors_of(task).table
    if given is None:
        given = settings.options.get("vectors")
    if given is not None and METHODS[method].needs_word_vectors:
        options["vectors"] = given
    return MethodBuilder(
        method, find_protocol(protocol), group, options,
        settings.random_state, settings.n_jobs, warn,
        settings.models, settings.trained,
    )  # fmt: skip


def _score(job: Job, builders: Builders, settings: _Settings, report: Report) -> list[Scores]:
    """Scores of each run: one, or one for every split that is drawn."""
    runs: list[Scores] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", PsifWarning)
        # Empty documents are a fact of these sets, not news to the reader of a table.
        warnings.simplefilter("ignore", EmptyDocumentsWarning)
        for data in settings.data.splits(job.task):
            if isinstance(data, SearchData):
                runs.append({"": score_search(job.task.name, data, builders[0][0])})
            elif isinstance(data, PairData):
                builder = builders[0][0]
                runs.append(score_pairs(job.task, data, builder, settings.data.background))
            else:
                runs.append(score_documents(job.task, data, builders, per_class=settings.per_class))
    for warning in caught:
        report.warnings.append(f"{job.task.name}, {job.method}: {warning.message}")
    return runs


def _results(job: Job, runs: Sequence[Scores], seconds: float, sample: int | None) -> list[Result]:
    results = []
    task, method, protocol = job.task.name, job.method, job.protocol
    # A rare class may be missing from some drawn splits: it then has no mean over all.
    for part in [name for name in runs[0] if all(name in scores for scores in runs)]:
        name = f"{task}/{part}" if part else task
        for metric in runs[0][part]:
            values = [scores[part][metric] for scores in runs]
            printed = published(name, method, metric)
            results.append(
                Result(
                    name, method, protocol, metric, float(np.mean(values)), seconds,
                    published=None if printed is None else printed.score,
                    published_as=None if printed is None else printed.name,
                    deviation=float(np.std(values, ddof=1)) if len(values) > 1 else None,
                    n_runs=len(values), sample=sample,
                )
            )  # fmt: skip
    return results


def _made(
    job: Job, builders: Builders, settings: _Settings, results: Sequence[Result], code: str
) -> Run:
    """Say how results were made."""
    about = environment()
    packages = {"python": about["python"], "psif": about["versions"]["psif"], **package_versions()}
    return Run(
        job.task.name, job.method, job.protocol,
        measures=" ".join(settings.measures_of(job)),
        tokens=" ".join(
            dict.fromkeys(str(getattr(one.prototype, "tokenizer", "")) for one, _ in builders)
        ),
        vectors=settings.vectors_of(job.task).key,
        splits=settings.n_splits,
        n_runs=results[0].n_runs,
        sample=settings.sample,
        seed=settings.random_state,
        seconds=round(results[0].seconds, 1),
        date=about["date"],
        machine=f"{about['cores']} cores, {about['machine']}",
        versions=" ".join(f"{name}={number}" for name, number in packages.items()),
        code=code,
    )  # fmt: skip
