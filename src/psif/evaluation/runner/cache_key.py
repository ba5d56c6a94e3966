"""What a score depends on: task, method, settings, vectors, package versions and code."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from psif.baselines import METHODS
from psif.evaluation.runner.build import MethodBuilder
from psif.evaluation.runner.code_digest import code_digest
from psif.evaluation.tasks.base import Task
from psif.runtime.provenance import versions

# Bytes of a file that are read at either end.
_END = 1 << 20
_ROOTS = (
    "psif.evaluation.runner.build",
    "psif.evaluation.runner.protocols",
    "psif.evaluation.runner.score",
)


def cache_key(
    task: Task, builders: Sequence[MethodBuilder], vectors: str, **how: Any
) -> dict[str, Any]:
    """Return everything that the score of a task with one method may depend on.

    Parameters
    ----------
    task : Task
    builders : sequence of MethodBuilder
        Of one method and protocol: for classification, and where they differ for neighbours.
    vectors : str
        As :func:`vectors_key` names them.
    **how
        More that changes scores: measures, number of splits, sample, seed.
    """
    first, *others = builders
    return {
        "task": task.name,
        "source": task.source,
        "method": first.method,
        "protocol": first.protocol.name,
        "vectors": vectors,
        # Every setting in force, so that new defaults do not meet old scores.
        "settings": _parameters(first.prototype),
        "neighbours": [_parameters(other.prototype) for other in others],
        "versions": package_versions(),
        "code": job_code(task, first.method),
        **how,
    }


def job_code(task: Task, method: str) -> str:
    """Return the digest of the code that loads a task, makes its vectors and scores them."""
    module = METHODS[method].target.partition(":")[0]
    return code_digest([*_ROOTS, module, task.load.__module__])


def package_versions() -> dict[str, str]:
    """Return the versions of the packages that a score may depend on.

    Our own is not among them: the digest of the code says more.
    """
    found = versions(("gensim", "POT"))
    del found["psif"]
    return found


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
    """Size of a file and a digest of both its ends, but not its date, which a copy does not keep.

    Tables of vectors have gigabytes: reading all of one would take longer than to score a task.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        digest = hashlib.sha256(file.read(_END))
        file.seek(max(size - _END, 0))
        digest.update(file.read(_END))
    return size, digest.hexdigest()


def _parameters(model: Any) -> dict[str, Any]:
    """Parameters that a score may depend on; tables of vectors have a key of their own."""
    found = model.get_params(deep=False)
    if not isinstance(found.get("vectors"), str):
        found.pop("vectors", None)
    # A file by its name: its folder on one machine says nothing.
    return {
        name: Path(value).name if isinstance(value, str) and Path(value).is_absolute() else value
        for name, value in found.items()
        if name not in ("n_jobs", "progress")
    }
