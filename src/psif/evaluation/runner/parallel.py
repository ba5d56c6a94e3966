"""Score several tasks at a time, each in its own process with one thread.

Much of the work has one thread anyway (paragraph vectors, topics, transport), so two tasks at a
time finish sooner than one after the other with two threads each. The processes share their
results through the cache folder.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from psif.evaluation.paper.paper_tables import PROTOCOLS, find_tables
from psif.evaluation.paper.reproduction import Reproduction, planned, reproduce, score
from psif.evaluation.runner.evaluate import N_SPLITS, run
from psif.evaluation.runner.results import Failure, Report
from psif.evaluation.tasks import find_tasks
from psif.runtime.visible import visible

_LOOK_SECONDS = 1.0


def run_in_parallel(
    names: Iterable[str],
    *,
    n_workers: int,
    tell: Callable[[str], None] = lambda text: None,
    **options: Any,
) -> Report:
    """Score named tasks as :func:`psif.evaluation.run` does, several tasks at a time."""
    names = [task.name for task in find_tasks(list(names))]
    # What is wrong for all tasks is reported before processes are started.
    run([], **options)
    whole = Report()
    with _pool(n_workers) as pool:
        tasks = {pool.submit(_run_task, name, options): name for name in names}
        parts: dict[str, Report] = {}
        for number, done in enumerate(as_completed(tasks), 1):
            parts[tasks[done]] = done.result()
            tell(f"[{number} of {len(tasks)} tasks] {tasks[done]}: done")
    for name in names:
        whole.results += parts[name].results
        whole.runs += parts[name].runs
        whole.failures += parts[name].failures
        whole.warnings += parts[name].warnings
    return whole


def reproduce_in_parallel(
    names: Iterable[str],
    methods: Iterable[str] | None,
    *,
    folder: str | Path,
    n_workers: int,
    command: str = "",
    tell: Callable[[str], None] = lambda text: None,
    **options: Any,
) -> Reproduction:
    """Score as :func:`psif.evaluation.paper.reproduction.reproduce` does, several parts at a time.

    A part is a task under one protocol.
    """
    names = [table.name for table in find_tables(names)]
    methods = None if methods is None else list(methods)
    # What does not fit into the folder's table is refused before processes are started.
    reproduce(names, methods, folder=folder, only_tasks=(), **options)
    # What is learned for a task under one protocol serves no other: they need not wait for it.
    cost: dict[tuple[str, str], float] = {}
    n_splits, protocols = options.get("n_splits", N_SPLITS), options.pop("protocols", PROTOCOLS)
    for job, seconds, _ in planned(names, methods, n_splits, protocols=protocols):
        place = (job.task.name, job.protocol)
        cost[place] = cost.get(place, 0) + seconds
    failures: list[Failure] = []
    warnings: list[str] = []
    with _pool(n_workers) as pool:
        # The longest first: none is left to run alone at the end.
        parts = {
            pool.submit(_score_part, names, methods, place, str(folder), options): place
            for place in sorted(cost, key=cost.__getitem__, reverse=True)
        }
        for number, done in enumerate(as_completed(parts), 1):
            failed, warned = done.result()
            failures += failed
            warnings += warned
            tell(f"[{number} of {len(parts)} parts] {', '.join(parts[done])}: done")
    found = reproduce(
        names, methods, folder=folder, command=command, protocols=protocols, cached_only=True,
        **options,
    )  # fmt: skip
    found.failures, found.warnings = failures, list(dict.fromkeys(warnings))
    return found


def _pool(n_workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        n_workers, mp_context=get_context("spawn"), initializer=_end_with, initargs=(os.getpid(),)
    )


def _end_with(parent: int) -> None:
    """End this process when its parent is gone: a parent that was killed cannot say so."""

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK_SECONDS)
        os._exit(1)

    threading.Thread(target=look, daemon=True).start()


def _say(text: str) -> None:
    print(visible(text), file=sys.stderr, flush=True)


def _run_task(name: str, options: dict[str, Any]) -> Report:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        return run([name], **{**options, "n_jobs": 1, "tell": _say})


def _score_part(
    names: list[str],
    methods: list[str] | None,
    place: tuple[str, str],
    folder: str,
    options: dict[str, Any],
) -> tuple[list[Failure], list[str]]:
    """Score a task under one protocol into the cache; the parent process writes the table."""
    from threadpoolctl import threadpool_limits

    task, protocol = place
    with threadpool_limits(1):
        report = score(
            names, methods, folder=folder, only_tasks=(task,), protocols=(protocol,),
            **{**options, "n_jobs": 1, "tell": _say},
        )  # fmt: skip
    return report.failures, report.warnings
