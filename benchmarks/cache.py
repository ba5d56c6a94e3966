"""Finished measurements in a folder, one file each, so that an interrupted run can be resumed."""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import Any

from benchmarks.job import Job
from benchmarks.results import Measurement
from benchmarks.sizes import Size
from psif.runtime.atomic import atomic_path
from psif.runtime.provenance import versions


class Cache:
    """Finished measurements of one size.

    A measurement is found again only under the same settings, corpus and versions, and only while
    the files that it made for other jobs exist.
    """

    def __init__(self, folder: Path, size: Size, corpus: str) -> None:
        self._folder = folder / size.name
        self._corpus = corpus

    @property
    def workspace(self) -> Path:
        """Folder for models and tables."""
        return self._folder / "work"

    def get(self, job: Job) -> Measurement | None:
        """Return the measurement of a job, or None."""
        if job.product is not None and not (self.workspace / job.product).exists():
            return None
        try:
            kept = json.loads(self._path(job).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None  # missing or damaged: it will be measured again
        if not isinstance(kept, dict) or kept.get("key") != self._key(job):
            return None
        return Measurement(kept["values"], kept["environment"])

    def put(self, job: Job, found: Measurement) -> None:
        """Keep the measurement of a job."""
        content = {
            "key": self._key(job),
            "environment": found.environment,
            "values": found.values,
        }
        with atomic_path(self._path(job)) as part:
            part.write_text(json.dumps(content, indent=1), encoding="utf-8")

    def _key(self, job: Job) -> dict[str, Any]:
        return {
            "kind": job.kind,
            "arguments": job.arguments,
            "threads": job.threads,
            "corpus": self._corpus,
            "python": platform.python_version(),
            "versions": versions(job.packages),
            "settings": job.settings,
        }

    def _path(self, job: Job) -> Path:
        return self._folder / f"{job.name.replace('/', '-')}.json"
