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
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from psif.evaluation.paper.paper_tables import PROTOCOLS, find_tables
from psif.evaluation.paper.plans import expected_seconds
from psif.evaluation.paper.reproduction import (
    Reproduction,
    add_to_table,
    planned,
    reproduce,
    score,
)
from psif.evaluation.runner.evaluate import N_SPLITS, run
from psif.evaluation.runner.progress import Job
from psif.evaluation.runner.results import Report, joined
from psif.evaluation.runner.seeds import Decisions, score_seeds
from psif.evaluation.tasks import TASKS, find_tasks
from psif.evaluation.tasks.base import Task
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
    with _pool(n_workers) as pool:
        tasks = {pool.submit(_run_task, name, options): name for name in names}
        parts: dict[str, Report] = {}
        for number, done in enumerate(as_completed(tasks), 1):
            parts[tasks[done]] = done.result()
            tell(f"[{number} of {len(tasks)} tasks] {tasks[done]}: done")
    return joined(parts[name] for name in names)


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
    reports: dict[tuple[str, str], Report] = {}
    with _pool(n_workers) as pool:
        # The longest first: none is left to run alone at the end.
        parts = {
            pool.submit(_score_part, names, methods, place, str(folder), options): place
            for place in sorted(cost, key=cost.__getitem__, reverse=True)
        }
        for number, done in enumerate(as_completed(parts), 1):
            reports[parts[done]] = done.result()
            tell(f"[{number} of {len(parts)} parts] {', '.join(parts[done])}: done")
    return add_to_table(joined(reports[place] for place in cost), names, methods, folder, command)


def seeds_in_parallel(
    tasks: Sequence[Task],
    methods: Sequence[str],
    n_seeds: int,
    *,
    protocols: Sequence[str],
    cache: str | Path,
    n_workers: int,
) -> Iterator[tuple[Task, str, list[Decisions]]]:
    """Score as :func:`psif.evaluation.runner.seeds.score_seeds` does, several seeds at a time.

    Yields each task and protocol with the decisions of all seeds, when the last of them is done.
    """
    places = [(task.name, protocol) for task in tasks for protocol in protocols]
    names = {task.name: task for task in tasks}
    # The longest first: none is left to run alone at the end.
    places.sort(key=lambda place: -expected_seconds(Job(names[place[0]], "psif", place[1])))
    found: dict[tuple[str, str], dict[int, list[Decisions]]] = {place: {} for place in places}
    with _pool(n_workers) as pool:
        jobs = {
            pool.submit(_score_seed, *place, list(methods), seed, str(cache)): (place, seed)
            for place in places
            for seed in range(n_seeds)
        }
        for done in as_completed(jobs):
            place, seed = jobs[done]
            found[place][seed] = done.result()
            if len(found[place]) == n_seeds:
                decisions = [one for seed in range(n_seeds) for one in found[place][seed]]
                yield names[place[0]], place[1], decisions


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


def _score_seed(
    task: str, protocol: str, methods: list[str], seed: int, cache: str
) -> list[Decisions]:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        return score_seeds(
            TASKS[task], methods, [seed], protocol=protocol, cache=cache, n_jobs=1, tell=_say
        )


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
) -> Report:
    """Score a task under one protocol; the parent process writes the table."""
    from threadpoolctl import threadpool_limits

    task, protocol = place
    with threadpool_limits(1):
        return score(
            names, methods, folder=folder, only_tasks=(task,), protocols=(protocol,),
            **{**options, "n_jobs": 1, "tell": _say},
        )  # fmt: skip
