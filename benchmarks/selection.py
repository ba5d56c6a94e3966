"""Which jobs of a plan to run."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.job import Job
from psif.errors import InputError


def choose(jobs: Sequence[Job], only: Sequence[str], *, costly: bool) -> list[Job]:
    """Select the jobs that some word of ``only`` names (all if it is empty), and what they need.

    Costly jobs are selected on request only: by ``costly``, or by their whole name in ``only``.
    """
    known = {word for job in jobs for word in job.words}
    for word in only:
        if word not in known:
            kinds = ", ".join(sorted({job.words[0] for job in jobs}))
            raise InputError(
                f"unknown measurement {word!r}; `python -m benchmarks --list` shows all of them. "
                f"Names of groups: {kinds}."
            )
    wanted = {
        job.name
        for job in jobs
        if (not only or set(only) & set(job.words))
        and (not job.costly or costly or job.name in only)
    }
    by_name = {job.name: job for job in jobs}
    todo = list(wanted)
    while todo:
        for need in by_name[todo.pop()].needs:
            # A costly job does not run only because another one needs it.
            if need not in wanted and (costly or not by_name[need].costly):
                wanted.add(need)
                todo.append(need)
    return [job for job in jobs if job.name in wanted]
