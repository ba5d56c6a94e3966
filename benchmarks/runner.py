"""Run jobs one after another, each in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.cache import Cache
from benchmarks.job import Job
from benchmarks.resources import THREAD_VARIABLES
from benchmarks.results import Measurement
from benchmarks.sizes import Size
from psif.runtime.provenance import environment

# No job takes this long unless something hangs.
_TIMEOUT = 3600.0


@dataclass
class Outcome:
    """Measurements by name of the job, and reasons for those that are missing."""

    measurements: dict[str, Measurement] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


def run_jobs(
    jobs: Sequence[Job],
    chosen: Sequence[Job],
    cache: Cache,
    size: Size,
    *,
    again: bool = False,
    command: str = "",
    tell: Callable[[str], None] = lambda text: None,
) -> Outcome:
    """Measure what is chosen and not in the cache; return all that is known then.

    Parameters
    ----------
    jobs : sequence of Job
        The whole plan.
    chosen : sequence of Job
        Jobs to run unless their measurement is in the cache.
    again : bool
        Run the chosen jobs even if their measurement is in the cache.
    command : str
        The command that was typed, for the record.
    tell : callable
        Called with one line before each job.
    """
    names = {job.name for job in chosen}
    done = Outcome()
    for number, job in enumerate(jobs, start=1):
        known = None if again and job.name in names else cache.get(job)
        if known is not None:
            done.measurements[job.name] = known
        elif job.skip is not None:
            done.skipped[job.name] = job.skip
        elif job.name not in names:
            done.skipped[job.name] = (
                "takes many minutes: --costly runs it" if job.costly else "not selected"
            )
        elif missing := [need for need in job.needs if need not in done.measurements]:
            reason = done.failed.get(missing[0]) or done.skipped.get(missing[0], "was not run")
            done.skipped[job.name] = f"needs {missing[0]}, which {_as_clause(reason)}"
        else:
            tell(f"{number}/{len(jobs)} {job.name}")
            _measure(job, cache, size, command, done)
    return done


def _as_clause(reason: str) -> str:
    return reason if reason.startswith(("takes", "needs", "was")) else f"failed: {reason}"


def _measure(job: Job, cache: Cache, size: Size, command: str, done: Outcome) -> None:
    try:
        values = run_alone(job, cache, size)
    except MeasurementError as error:
        done.failed[job.name] = str(error)
        return
    found = Measurement(values, {"command": command, **environment(job.packages)})
    cache.put(job, found)
    done.measurements[job.name] = found


class MeasurementError(Exception):
    """The process of a job ended without a result."""


def run_alone(job: Job, cache: Cache, size: Size) -> dict[str, Any]:
    """Run one job in a new process and return the values that it measured."""
    cache.workspace.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as empty:
        order = {
            "kind": job.kind,
            "arguments": job.arguments,
            "threads": job.threads,
            "size": size.name,
            "workspace": str(cache.workspace.resolve()),
            "spawned": time.monotonic(),
        }
        variables = {"NUMBA_CACHE_DIR": empty} if job.fresh else {}
        command = [sys.executable, "-m", "benchmarks.worker", json.dumps(order)]
        code, out, err = _finish(command, {**_variables(job.threads), **variables})
    if code != 0:
        lines = err.strip().splitlines()
        raise MeasurementError(lines[-1] if lines else f"ended with code {code}")
    values: dict[str, Any] = json.loads(out.strip().splitlines()[-1])
    return values


def _variables(threads: int) -> dict[str, str]:
    found = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(threads))}
    # The benchmarks are not installed: a worker finds them beside this file.
    root = str(Path(__file__).parents[1])
    found["PYTHONPATH"] = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    found["TOKENIZERS_PARALLELISM"] = "true" if threads > 1 else "false"
    return found


def _finish(command: Sequence[str], variables: dict[str, str]) -> tuple[int, str, str]:
    """Run a process to its end; if it must be stopped, stop the processes it started too."""
    with subprocess.Popen(
        command, env=variables, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            out, err = process.communicate(timeout=_TIMEOUT)
        except subprocess.TimeoutExpired:
            stop_all(process)
            raise MeasurementError(f"gave no result within {_TIMEOUT:g} seconds") from None
        except BaseException:
            stop_all(process)
            raise
        return process.returncode, out, err


def stop_all(process: subprocess.Popen[str]) -> None:
    """Kill a process and those that it started."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
