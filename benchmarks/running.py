"""Run measurements one after another, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.machine import THREAD_VARIABLES
from benchmarks.plan import Job
from benchmarks.sizes import Size
from benchmarks.store import Store

# No measurement takes this long unless something hangs.
_PATIENCE = 3600.0


@dataclass
class Measurements:
    """What a run has: results by job, and reasons for those that are missing."""

    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


def run_jobs(
    jobs: Sequence[Job],
    chosen: Sequence[Job],
    store: Store,
    size: Size,
    *,
    again: bool = False,
    tell: Callable[[str], None] = lambda text: None,
) -> Measurements:
    """Measure what is chosen; what else the store knows is reported along with it.

    Parameters
    ----------
    jobs : sequence of Job
        All of a plan.
    chosen : sequence of Job
        Those to measure if they are not known.
    again : bool
        Measure the chosen ones even if they are known.
    tell : callable
        Called with a line about each measurement.
    """
    names = {job.name for job in chosen}
    done = Measurements()
    for number, job in enumerate(jobs, start=1):
        known = None if again and job.name in names else store.get(job)
        if known is not None:
            done.results[job.name] = known
        elif job.skip is not None:
            done.skipped[job.name] = job.skip
        elif job.name not in names:
            done.skipped[job.name] = (
                "takes minutes: --costly measures it once" if job.costly else "not asked for"
            )
        elif missing := [need for need in job.needs if need not in done.results]:
            reason = done.failed.get(missing[0]) or done.skipped.get(missing[0], "was not made")
            done.skipped[job.name] = f"needs {missing[0]}, which {_as_clause(reason)}"
        else:
            tell(f"{number}/{len(jobs)} {job.name}")
            _measure(job, store, size, done)
    return done


def _as_clause(reason: str) -> str:
    return reason if reason.startswith(("takes", "needs", "was")) else f"failed: {reason}"


def _measure(job: Job, store: Store, size: Size, done: Measurements) -> None:
    try:
        result = run_alone(job, store, size)
    except MeasurementError as error:
        done.failed[job.name] = str(error)
        return
    store.put(job, result)
    done.results[job.name] = result


class MeasurementError(Exception):
    """A measurement's process ended without a result."""


def run_alone(job: Job, store: Store, size: Size) -> dict[str, Any]:
    """Run one job in a new process and return its result."""
    store.workspace.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(job.threads))}
    # The benchmarks are not installed: a worker finds them beside this file.
    root = str(Path(__file__).parents[1])
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    environment["TOKENIZERS_PARALLELISM"] = "true" if job.threads > 1 else "false"
    with tempfile.TemporaryDirectory() as cold:
        if job.fresh:
            environment["NUMBA_CACHE_DIR"] = cold
        order = {
            "kind": job.kind,
            "arguments": job.arguments,
            "threads": job.threads,
            "size": size.name,
            "workspace": str(store.workspace.resolve()),
            "spawned": time.monotonic(),
        }
        command = [sys.executable, "-m", "benchmarks.worker", json.dumps(order)]
        try:
            ended = subprocess.run(
                command, capture_output=True, text=True, check=False, env=environment,
                timeout=_PATIENCE,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise MeasurementError(f"gave no result within {_PATIENCE:.0f} seconds") from None
    if ended.returncode != 0:
        lines = ended.stderr.strip().splitlines()
        raise MeasurementError(lines[-1] if lines else f"ended with code {ended.returncode}")
    result: dict[str, Any] = json.loads(ended.stdout.strip().splitlines()[-1])
    return result
