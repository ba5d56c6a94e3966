"""Finished results in a folder of this machine, one file per task, method and protocol."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from psif.evaluation.runner.results import Result, Run
from psif.runtime.atomic import atomic_path


class ResultCache:
    """Reads and writes finished results, so that an interrupted run can continue.

    A result is found again only under the same key; see
    :func:`psif.evaluation.runner.cache_key.cache_key`. The folder tells git to ignore it.
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)

    def get(self, key: Mapping[str, Any]) -> tuple[Run, list[Result]] | None:
        """Return what is stored under a key, or None."""
        try:
            stored = json.loads(self._path(key).read_text(encoding="utf-8"))
            if stored["key"] != _plain(key):
                return None
            return Run(**stored["run"]), [Result(**row) for row in stored["results"]]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            # Not there, damaged, or of another version: it will be scored again.
            return None

    def put(self, key: Mapping[str, Any], run: Run, results: list[Result]) -> None:
        """Store results and how they were made."""
        content = {
            "key": _plain(key),
            "run": asdict(run),
            "results": [asdict(result) for result in results],
        }
        self._ignore()
        with atomic_path(self._path(key)) as part:
            part.write_text(json.dumps(content, indent=1), encoding="utf-8")

    def _ignore(self) -> None:
        mark = self._folder / ".gitignore"
        if not mark.exists():
            with atomic_path(mark) as part:
                part.write_text("*\n", encoding="utf-8")

    def _path(self, key: Mapping[str, Any]) -> Path:
        text = json.dumps(_plain(key), sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        name = f"{key['task']}-{key['method']}-{key['protocol']}-{digest}.json"
        return self._folder / "".join(c if c.isalnum() or c in "-._" else "_" for c in name)


def _plain(key: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(key, default=str, sort_keys=True))
