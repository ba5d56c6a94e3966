"""Any tasks, any methods, any protocols: one report."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from psif.baselines import METHODS
from psif.errors import InputError, PsifError, PsifWarning
from psif.evaluation.paper.published import published
from psif.evaluation.runner.build import Maker
from psif.evaluation.runner.cache import ResultCache, vectors_key, versions
from psif.evaluation.runner.progress import Expected, Job, Progress
from psif.evaluation.runner.protocols import CLASSIFICATION, SIMILARITY, find_protocol
from psif.evaluation.runner.results import Failure, Report, Result
from psif.evaluation.runner.score import Scores, score_labelled, score_pairs
from psif.evaluation.runner.shared_vectors import TrainedVectors
from psif.evaluation.scoring.classes import MEASURES
from psif.evaluation.tasks import find_tasks
from psif.evaluation.tasks.base import LabelledData, PairData, Task
from psif.runtime.suggestions import unknown_name
from psif.vectors.loading import is_source
from psif.vectors.table import WordVectors
from psif.vectors.trainers import TRAINERS

N_SPLITS = 5
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
    """What all tasks of a run share."""

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
    only_known: bool = False
    shared: dict[tuple[str, str], Any] = field(default_factory=dict)
    trained: TrainedVectors = field(default_factory=TrainedVectors)

    def vectors_of(self, task: Task) -> _Vectors:
        """Vectors that were given for a task."""
        return self.general if task.general_vectors else self.vectors


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
    only_known: bool = False,
    expected: Expected | None = None,
) -> Report:
    """Score methods on tasks. A task that fails does not stop the others.

    Parameters
    ----------
    tasks : iterable of str or Task
        Names, groups ("sts", "wmd", "all") or tasks of one's own.
    methods : iterable of str, or callable
        Names in :data:`psif.baselines.METHODS`, or a function from the names of a task and a
        protocol to them.
    protocols : iterable of str
        "inductive", "paper"; see :mod:`psif.evaluation.runner.protocols`.
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
        Times that train and test are drawn anew where the authors' split cannot be had.
    sample : int, optional
        Look at no more than this many documents of each split: quick, and no longer comparable.
    cache : path, optional
        A folder that keeps finished results, to go on from.
    random_state, n_jobs
    tell : callable
        Called with a line whenever something is begun or done.
    only_known : bool, default=False
        Score nothing; give what the cache has, and the rest as ``report.missing``.
    expected : callable, optional
        Seconds that a task, a method and a protocol may take, to tell how long it will go on.

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
        _per_job(measures), per_class, n_splits, sample, random_state, n_jobs, tell, only_known,
    )  # fmt: skip
    store, report = None if cache is None else ResultCache(cache), Report()
    jobs = _jobs(found, _per_job(methods), [rule.name for rule in rules])
    progress = Progress(jobs, expected)
    for job in jobs:
        _run_one(job, settings, store, report, progress)
    return report


def _per_job(names: Iterable[str] | PerJob) -> PerJob:
    if callable(names):
        return names
    same = tuple(dict.fromkeys(names))
    return lambda task, protocol: same


def _jobs(tasks: Iterable[Task], methods: PerJob, protocols: Iterable[str]) -> list[Job]:
    """All that is to be scored, in order: what is learned for a task serves its neighbours."""
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
    """Score, or find in the cache, or note why it could not be done."""
    name = str(job)
    key = _key(job, settings)
    kept = None if store is None else store.get(key)
    if kept is not None:
        settings.tell(f"{progress.skip(job)}{name}: known already")
        report.results += kept
        return
    if settings.only_known:
        report.missing.append(name)
        return
    settings.tell(f"{progress.note()}{name} …")
    begin = time.perf_counter()
    try:
        scores = _score(job, settings, report)
    except (PsifError, ValueError, ImportError, MemoryError, OSError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        report.failures.append(Failure(job.task.name, job.method, job.protocol, reason))
        settings.tell(f"{progress.skip(job)}{name}: failed")
        return
    seconds = time.perf_counter() - begin
    results = _results(job, scores, seconds, settings.sample)
    outcome = f"{results[0].metric} {results[0].score:.1f} in {seconds:.0f} s"
    settings.tell(f"{progress.done(job, seconds)}{name}: {outcome}")
    if store is not None:
        store.put(key, results)
    report.warnings = list(dict.fromkeys(report.warnings))
    report.results += results


def _score(job: Job, settings: _Settings, report: Report) -> Sequence[Scores]:
    """Scores of each run: one, or one for every drawn split."""
    task, method, _ = job
    maker = _maker(job, settings, report.warnings.append)
    data = task.load()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", PsifWarning)
        if isinstance(data, PairData):
            pairs = data if settings.sample is None else data.sample(settings.sample)
            runs: list[Scores] = [score_pairs(task, pairs, maker, settings.sample)]
        else:
            splits = _splits(task, data, settings)
            runs = [_split_scores(task, split, maker, settings) for split in splits]
    for warning in caught:
        # Empty documents are a fact of these sets, not news to the reader of a table.
        if "their vectors are zero" not in str(warning.message):
            report.warnings.append(f"{task.name}, {method}: {warning.message}")
    return runs


def _maker(job: Job, settings: _Settings, warn: Callable[[str], None]) -> Maker:
    task, method, protocol = job
    group = CLASSIFICATION if task.kind in ("classes", "labels") else SIMILARITY
    options = {k: v for k, v in settings.options.items() if k != "vectors"}
    given = settings.vectors_of(task).table
    if given is None:
        given = settings.options.get("vectors")
    if given is not None and METHODS[method].needs_word_vectors:
        options["vectors"] = given
    return Maker(
        method, find_protocol(protocol), group, options,
        settings.random_state, settings.n_jobs, warn,
        settings.shared, settings.trained,
    )  # fmt: skip


def _split_scores(task: Task, split: LabelledData, maker: Maker, settings: _Settings) -> Scores:
    part = split if settings.sample is None else split.sample(settings.sample)
    measures = tuple(settings.measures(task.name, maker.protocol.name))
    outcome = score_labelled(task, part, maker, measures)
    scores: dict[str, Mapping[str, float]] = {"": outcome.metrics}
    if settings.per_class:
        for row in outcome.details.get("classes", []):
            scores[row["label"]] = {name: row[name] for name in ("precision", "recall", "f1")}
        for name, accuracy in outcome.details.get("lengths", {}).items():
            scores[name] = {"accuracy": accuracy}
    return scores


def _splits(task: Task, data: LabelledData, settings: _Settings) -> Iterable[LabelledData]:
    if task.folds:
        return (data.fold(number, task.folds) for number in range(task.folds))
    if task.own_split:
        n_splits = min(settings.n_splits, task.most_splits)
        return (data.resplit(seed) for seed in range(n_splits))
    return [data]


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


def _key(job: Job, settings: _Settings) -> dict[str, Any]:
    options = {k: v for k, v in settings.options.items() if k != "vectors"}
    return {
        "task": job.task.name,
        "source": job.task.source,
        "method": job.method,
        "protocol": job.protocol,
        "vectors": settings.vectors_of(job.task).key,
        "options": options,
        "settings": _in_force(job, settings),
        "classifier": _classifier(job),
        "measures": list(settings.measures(job.task.name, job.protocol)),
        "per_class": settings.per_class,
        "n_splits": settings.n_splits,
        "sample": settings.sample,
        "random_state": settings.random_state,
        "versions": versions(),
    }


def _classifier(job: Job) -> dict[str, Any] | None:
    """Return how the classifier is chosen, where that differs between protocols."""
    if job.task.kind not in ("classes", "labels"):
        return None
    return asdict(find_protocol(job.protocol).classifier)


def _in_force(job: Job, settings: _Settings) -> dict[str, Any]:
    """Every setting of the method, so that new defaults do not meet old results."""
    measures = tuple(settings.measures(job.task.name, job.protocol))
    try:
        maker = _maker(job, settings, lambda text: None)
        first, *others = [_parameters(one.build()) for one, _ in maker.by_measures(measures)]
    except (PsifError, ValueError, ImportError):
        # Scoring will say why.
        return {}
    return first | ({"neighbours": others} if others else {})


def _parameters(model: Any) -> dict[str, Any]:
    """Parameters that a score may depend on, as far as they can be written down."""
    found = model.get_params(deep=False)
    if not isinstance(found.get("vectors"), str):
        found.pop("vectors", None)
    # A file by its name: where it lies on one machine says nothing.
    return {
        name: Path(value).name if isinstance(value, str) and Path(value).is_absolute() else value
        for name, value in found.items()
        if name not in ("n_jobs", "progress")
    }
