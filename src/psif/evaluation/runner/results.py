"""What a run gives: scores, how each was made, and what failed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Result:
    """One score.

    Attributes
    ----------
    task, method, protocol, metric : str
        A part of a task (a sub-task, a class, documents of some length) is written ``task/part``.
    score : float
        Mean over runs; shares and correlations are × 100.
    seconds : float
        For the whole task under this method, all runs. What tasks share is learned once and
        counts for the first.
    published : float or None
        The number that the paper prints.
    published_as : str or None
        The name under which the paper prints it.
    deviation : float or None
        Standard deviation over runs, where there are several.
    n_runs : int
    sample : int or None
        At most this many documents of each split were used.
    """

    task: str
    method: str
    protocol: str
    metric: str
    score: float
    seconds: float
    published: float | None = None
    published_as: str | None = None
    deviation: float | None = None
    n_runs: int = 1
    sample: int | None = None

    @property
    def difference(self) -> float | None:
        """Our score minus the published one; None for a sample, which is not comparable."""
        if self.published is None or self.sample is not None:
            return None
        return self.score - self.published

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON, and the difference."""
        return {**asdict(self), "difference": self.difference}


@dataclass(frozen=True)
class Run:
    """How a task was scored with one method under one protocol.

    Attributes
    ----------
    task, method, protocol : str
    measures : str
        Of documents with classes: the measures asked for, separated by spaces.
    tokens : str
        The tokenizer, or "" for a method that has none.
    vectors : str
        The word vectors given, "default" for those of the protocol.
    splits : int
        How often a split that is not fixed may be drawn.
    n_runs : int
        How often this one was: scores are means over them.
    sample, seed : int or None
    seconds : float
    date, machine, versions : str
        When, where and with which packages.
    code : str
        Digest of the code, see :mod:`psif.evaluation.runner.code_digest`.
    command : str
        The command that made it, where one did.
    """

    task: str
    method: str
    protocol: str
    measures: str
    tokens: str
    vectors: str
    splits: int
    n_runs: int
    sample: int | None
    seed: int | None
    seconds: float
    date: str
    machine: str
    versions: str
    code: str = ""
    command: str = ""

    @property
    def job(self) -> tuple[str, str, str]:
        """Return task, method and protocol."""
        return self.task, self.method, self.protocol


@dataclass(frozen=True)
class Failure:
    """A task that could not be scored, and why."""

    task: str
    method: str
    protocol: str
    reason: str


@dataclass
class Report:
    """All results in order, how they were made, what failed, and warnings."""

    results: list[Result] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def to_list(self) -> list[dict[str, Any]]:
        """Return the results for JSON."""
        return [result.to_dict() for result in self.results]


def joined(reports: Iterable[Report]) -> Report:
    """Return the reports of several runs as one."""
    whole = Report()
    for report in reports:
        whole.results += report.results
        whole.runs += report.runs
        whole.failures += report.failures
        whole.warnings += report.warnings
    whole.warnings = list(dict.fromkeys(whole.warnings))
    return whole
