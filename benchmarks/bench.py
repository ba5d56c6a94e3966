"""A whole run: choose, measure, judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.claims import claims
from benchmarks.corpora import corpus_name
from benchmarks.plan import choose, make_plan
from benchmarks.ratios import ratios
from benchmarks.running import run_jobs
from benchmarks.sizes import SIZES
from benchmarks.store import Store
from psif.runtime.provenance import environment
from psif.runtime.threads import resolve_jobs


def run_bench(
    size: str = "full",
    *,
    cache: Path,
    only: Sequence[str] = (),
    costly: bool = False,
    again: bool = False,
    command: str = "psif bench",
    tell: Callable[[str], None] = lambda text: None,
) -> dict[str, Any]:
    """Measure and return everything that a report shows, as plain values.

    Parameters
    ----------
    size : {"full", "quick"}
    cache : Path
        Folder of finished measurements; a run goes on from it.
    only : sequence of str
        Peers, kinds or whole names of measurements; none is all.
    costly : bool
        Also what takes many minutes.
    again : bool
        Measure even what is known.
    command : str
        What made the report.
    tell : callable
        Called with a line about each measurement.
    """
    scale, cores = SIZES[size], resolve_jobs(None)
    corpus = corpus_name(scale.share)
    plan = make_plan(scale, cores)
    chosen = choose(plan, only, costly=costly)
    store = Store(cache, scale, corpus)
    done = run_jobs(plan, chosen, store, scale, again=again, tell=tell)
    packages = [package for job in plan for package in job.packages if job.skip is None]
    return {
        "command": command,
        "size": size,
        "corpus": corpus,
        "cores": cores,
        "environment": environment(packages),
        "claims": [claim.to_dict() for claim in claims(done.results, cores)],
        "ratios": ratios(done.results, cores),
        "results": done.results,
        "skipped": done.skipped,
        "failed": done.failed,
    }
