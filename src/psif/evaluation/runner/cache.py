"""Results kept in a folder, one file for each task, method and protocol."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from psif.evaluation.runner.results import Result
from psif.runtime.atomic import atomic_path
from psif.version import __version__

# Bytes of a file that are read at either end.
_END = 1 << 20


class ResultCache:
    """Reads and writes finished results; a run that is interrupted goes on where it was.

    A result is found again only under the same task, method, settings and versions.
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)

    def get(self, key: Mapping[str, Any]) -> list[Result] | None:
        """Return the results kept under a key, or None."""
        try:
            kept = json.loads(self._path(key).read_text(encoding="utf-8"))
            if kept["key"] != _plain(key):
                return None
            return [Result(**row) for row in kept["results"]]
        except (OSError, ValueError, KeyError, TypeError):
            # Not there, or of another form: it will be made again.
            return None

    def put(self, key: Mapping[str, Any], results: list[Result]) -> None:
        """Keep results."""
        content = {"key": _plain(key), "results": [asdict(result) for result in results]}
        with atomic_path(self._path(key)) as part:
            part.write_text(json.dumps(content, indent=1), encoding="utf-8")

    def _path(self, key: Mapping[str, Any]) -> Path:
        text = json.dumps(_plain(key), sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        name = f"{key['task']}-{key['method']}-{key['protocol']}-{digest}.json"
        return self._folder / "".join(c if c.isalnum() or c in "-._" else "_" for c in name)


def versions() -> dict[str, str]:
    """Return the versions that a number may depend on."""
    packages = {name: version(name) for name in ("numpy", "scikit-learn", "scipy")}
    return {"psif": __version__, "python": platform.python_version(), **packages}


def vectors_key(vectors: Any) -> str:
    """Say which word vectors: their name; of files also their sizes and ends; or their content."""
    if vectors is None:
        return "default"
    path = Path(str(vectors)) if isinstance(vectors, str | Path) else None
    if path is not None and path.exists():
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        marks = [(file.name, *_mark(file)) for file in files if file.is_file()]
        return f"{path.name}:{hashlib.sha256(repr(marks).encode()).hexdigest()[:12]}"
    if isinstance(vectors, str | Path):
        return str(vectors)
    words, matrix = getattr(vectors, "words", None), getattr(vectors, "matrix", None)
    if words is None or matrix is None:
        return repr(vectors)
    digest = hashlib.sha256("\n".join(words).encode())
    digest.update(memoryview(matrix.tobytes()))
    return f"in memory:{digest.hexdigest()[:12]}"


def _mark(path: Path) -> tuple[int, str]:
    """Size of a file, and a digest of both its ends: not of its date, which a copy has not.

    Tables of vectors have gigabytes; reading all of one to name it would take longer than to
    score a task.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        digest = hashlib.sha256(file.read(_END))
        file.seek(max(size - _END, 0))
        digest.update(file.read(_END))
    return size, digest.hexdigest()


def _plain(key: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(key, default=str, sort_keys=True))
