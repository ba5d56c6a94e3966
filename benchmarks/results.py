"""The result file ``bench.json``: every measurement with its date, versions and command."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from psif.errors import FormatError, InputError

# Values of measurements by the name of their job.
Results: TypeAlias = Mapping[str, Mapping[str, Any]]

_FORMAT = 2


@dataclass(frozen=True)
class Measurement:
    """What was measured, and under which conditions.

    Attributes
    ----------
    values : dict
        Plain numbers and words.
    environment : dict
        Date, Python, cores, machine, versions of packages, and the command that was typed.
    """

    values: dict[str, Any]
    environment: dict[str, Any]


@dataclass
class Run:
    """All that a report shows.

    Attributes
    ----------
    size, corpus : str
    cores : int
    measurements : dict
        By name of the job. Those that were made earlier keep their own environment.
    skipped, failed : dict
        Reasons by name of the job.
    """

    size: str
    corpus: str
    cores: int
    measurements: dict[str, Measurement] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def results(self) -> dict[str, dict[str, Any]]:
        """Values alone."""
        return {name: found.values for name, found in self.measurements.items()}

    def comparable(self, other: Run) -> bool:
        """Say whether measurements of both may stand in one report."""
        return (self.size, self.corpus, self.cores) == (other.size, other.corpus, other.cores)

    def keep_earlier(self, other: Run, names: Iterable[str]) -> None:
        """Take over what ``other`` measured and this run did not, in the order of ``names``."""
        both = {**other.measurements, **self.measurements}
        self.measurements = {name: both[name] for name in names if name in both}
        self.skipped = {
            name: reason for name, reason in self.skipped.items() if name not in self.measurements
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; equal environments are written once."""
        environments: list[dict[str, Any]] = []
        rows = {}
        for name, found in self.measurements.items():
            if found.environment not in environments:
                environments.append(found.environment)
            rows[name] = {
                "environment": environments.index(found.environment),
                "values": found.values,
            }
        return {
            "format": _FORMAT,
            "size": self.size,
            "corpus": self.corpus,
            "cores": self.cores,
            "environments": environments,
            "measurements": rows,
            "skipped": self.skipped,
            "failed": self.failed,
        }

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> Run:
        """Invert :meth:`to_dict`."""
        environments = kept["environments"]
        rows = {
            name: Measurement(row["values"], environments[row["environment"]])
            for name, row in kept["measurements"].items()
        }
        about = (kept["size"], kept["corpus"], kept["cores"])
        return cls(*about, rows, dict(kept["skipped"]), dict(kept["failed"]))


def read_run(path: Path) -> Run:
    """Read a ``bench.json``."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from error
    except ValueError as error:
        raise FormatError(f"{path}: not JSON ({error}); expected a bench.json.") from error
    if not isinstance(kept, dict) or kept.get("format") != _FORMAT:
        raise FormatError(
            f"{path}: not a bench.json of this version of the benchmarks; "
            "choose another folder, or remove the file and measure again."
        )
    return Run.from_dict(kept)
