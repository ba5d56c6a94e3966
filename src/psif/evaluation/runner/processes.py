"""Score several tasks at a time, each in a process of its own with one thread.

Much of the work has one thread anyway (paragraph vectors, topics, transport), so that two tasks
side by side finish sooner than one after the other with two threads each. Results meet in the
folder that keeps them.
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

from psif.evaluation.paper.reproduction import Reproduction, find_tables, planned, reproduce
from psif.evaluation.runner.evaluate import run
from psif.evaluation.runner.results import Failure, Report
from psif.evaluation.tasks import find_tasks

_LOOK_SECONDS = 1.0


def run_side_by_side(
    names: Iterable[str],
    *,
    n_workers: int,
    tell: Callable[[str], None] = lambda text: None,
    **options: Any,
) -> Report:
    """Do what :func:`psif.evaluation.run` does for named tasks, several tasks at a time."""
    names = [task.name for task in find_tasks(list(names))]
    # What is wrong for all tasks is told at once, before processes are started.
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
        whole.failures += parts[name].failures
        whole.warnings += parts[name].warnings
    return whole


def reproduce_side_by_side(
    names: Iterable[str],
    methods: Iterable[str] | None,
    *,
    cache: str | Path,
    n_workers: int,
    tell: Callable[[str], None] = lambda text: None,
    **options: Any,
) -> Reproduction:
    """Do what :func:`psif.evaluation.paper.reproduction.reproduce` does, several parts at a time.

    A part is a task under one protocol.
    """
    names = [table.name for table in find_tables(names)]
    methods = None if methods is None else list(methods)
    n_splits = options.get("n_splits", 5)
    # What is learned for a task under one protocol serves no other: they need not wait for it.
    cost: dict[tuple[str, str], float] = {}
    for job, seconds in planned(names, methods, n_splits):
        place = (job.task.name, job.protocol)
        cost[place] = cost.get(place, 0) + seconds
    failures: list[Failure] = []
    warnings: list[str] = []
    with _pool(n_workers) as pool:
        # The longest first: none is left to run alone at the end.
        parts = {
            pool.submit(_one_part, names, methods, place, {**options, "cache": cache}): place
            for place in sorted(cost, key=cost.__getitem__, reverse=True)
        }
        for number, done in enumerate(as_completed(parts), 1):
            failed, warned = done.result()
            failures += failed
            warnings += warned
            tell(f"[{number} of {len(parts)} parts] {', '.join(parts[done])}: done")
    found = reproduce(names, methods, cache=cache, **{**options, "only_known": True})
    lost = {(f.task, f.method, f.protocol) for f in failures}
    found.missing = [name for name in found.missing if tuple(name.split(", ")) not in lost]
    found.failures, found.warnings = failures, list(dict.fromkeys(warnings))
    return found


def _pool(n_workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        n_workers, mp_context=get_context("spawn"), initializer=_end_with, initargs=(os.getpid(),)
    )


def _end_with(parent: int) -> None:
    """End this process when its parent is gone: one that is killed cannot say so."""

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK_SECONDS)
        os._exit(1)

    threading.Thread(target=look, daemon=True).start()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _run_task(name: str, options: dict[str, Any]) -> Report:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        return run([name], **{**options, "n_jobs": 1, "tell": _say})


def _one_part(
    names: list[str], methods: list[str] | None, place: tuple[str, str], options: dict[str, Any]
) -> tuple[list[Failure], list[str]]:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        task, protocol = place
        only = {"only_tasks": (task,), "protocols": (protocol,), "n_jobs": 1, "tell": _say}
        done = reproduce(names, methods, **{**options, **only})
    return done.failures, done.warnings
