"""A whole run: plan, select, measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.cache import Cache
from benchmarks.corpora import corpus_name
from benchmarks.plan import make_plan
from benchmarks.results import Run
from benchmarks.runner import run_jobs
from benchmarks.selection import choose
from benchmarks.sizes import SIZES
from psif.runtime.threads import resolve_jobs


def run_suite(
    size: str = "full",
    *,
    cache: Path,
    only: Sequence[str] = (),
    costly: bool = False,
    again: bool = False,
    earlier: Run | None = None,
    command: str = "",
    tell: Callable[[str], None] = lambda text: None,
) -> Run:
    """Measure and return everything that a report shows.

    Parameters
    ----------
    size : {"full", "quick", "tiny"}
    cache : Path
        Folder of finished measurements.
    only : sequence of str
        Peers, groups or whole names of measurements; empty means all.
    costly : bool
        Also run what takes many minutes.
    again : bool
        Measure even what is in the cache.
    earlier : Run or None
        Results of an earlier run. What this run does not measure is taken from there, with its
        own date, if documents, size and number of cores are the same.
    command : str
        The command that was typed, for the record.
    tell : callable
        Called with one line before each measurement.
    """
    scale, cores = SIZES[size], resolve_jobs(None)
    corpus = corpus_name(scale.share)
    plan = make_plan(scale, cores)
    chosen = choose(plan, only, costly=costly)
    kept = Cache(cache, scale, corpus)
    done = run_jobs(plan, chosen, kept, scale, again=again, command=command, tell=tell)
    run = Run(size, corpus, cores, done.measurements, done.skipped, done.failed)
    if earlier is not None and run.comparable(earlier):
        run.keep_earlier(earlier, [job.name for job in plan])
    return run
