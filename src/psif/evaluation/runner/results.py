"""What a run gives: rows for people and machines, and what failed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Result:
    """One number.

    Attributes
    ----------
    task, method, protocol, metric : str
        A sub-task is written ``task/part``.
    score : float
        Mean over runs; shares and correlations are × 100.
    seconds : float
        For the whole task under this method, all runs. What tasks share is learned once, and
        counts for the first.
    published : float or None
        What the paper prints.
    published_as : str or None
        The name under which it does.
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
        """Ours minus the published number; nothing for a sample, which does not compare."""
        if self.published is None or self.sample is not None:
            return None
        return self.score - self.published

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it, with the difference."""
        return {**asdict(self), "difference": self.difference}


@dataclass(frozen=True)
class Failure:
    """A task that could not be scored, and why."""

    task: str
    method: str
    protocol: str
    reason: str


@dataclass
class Report:
    """All results in order, what failed or is missing, and what should not be overlooked."""

    results: list[Result] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def to_list(self) -> list[dict[str, Any]]:
        """Return the rows as JSON takes them."""
        return [result.to_dict() for result in self.results]
