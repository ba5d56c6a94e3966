"""How many jobs of a run are done, and how long the rest may take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from psif.evaluation.tasks.base import Task


class Job(NamedTuple):
    """One task to score with one method under one protocol."""

    task: Task
    method: str
    protocol: str

    def __str__(self) -> str:
        return f"{self.task.name}, {self.method}, {self.protocol}"


# Seconds of work after which estimates are scaled half as much as the finished jobs suggest.
_DOUBT = 60

Expected: TypeAlias = Callable[[Job], float]
"""Seconds that a job may take."""


class Progress:
    """Counts jobs; with expected seconds it also estimates the time that is left.

    Expected seconds are those of another machine: they are scaled by how long the finished jobs
    took.
    """

    def __init__(self, jobs: Sequence[Job], expected: Expected | None = None) -> None:
        self._expected = expected
        self._n_jobs, self._n_done = len(jobs), 0
        self._left = 0.0 if expected is None else sum(map(expected, jobs))
        self._seen = self._took = 0.0

    def note(self) -> str:
        """Return the beginning of a message about the job that starts now."""
        if self._n_jobs < 2:
            return ""
        place = f"{min(self._n_done + 1, self._n_jobs)} of {self._n_jobs}"
        if self._expected is None:
            return f"[{place}] "
        stretch = (self._took + _DOUBT) / (self._seen + _DOUBT)
        return f"[{place}, about {max(1, round(self._left * stretch / 60))} min left] "

    def skip(self, job: Job) -> str:
        """Count a job that took no time; return the beginning of its message."""
        note = self.note()
        self._n_done += 1
        if self._expected is not None:
            self._left -= self._expected(job)
        return note

    def done(self, job: Job, seconds: float) -> str:
        """Count a finished job; return the beginning of its message."""
        if self._expected is not None:
            self._seen += self._expected(job)
            self._took += seconds
        return self.skip(job)
