"""What a measurement belongs to: machine, versions, date; and what it cost."""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import os
import platform
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from psif.parallel import resolve_jobs

# Read by the libraries that have threads of their own.
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "RAYON_NUM_THREADS",
)


def timed(function: Callable[[], Any], repeats: int = 1) -> tuple[float, Any]:
    """Best wall time of several calls, and the last value."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        value = function()
        best = min(best, time.perf_counter() - start)
    return best, value


def peak_mb() -> float:
    """Peak memory of this process since it began.

    Not ``ru_maxrss`` where it can be avoided: on Linux a child begins with that of its parent.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return float(status.read_text(encoding="ascii").partition("VmHWM:")[2].split()[0]) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # bytes on macOS


def folder_mb(folder: Path) -> float:
    """Megabytes of the files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def versions(packages: Sequence[str] = ()) -> dict[str, str]:
    """Return the versions of our own ground and of further packages."""
    found = {}
    for name in dict.fromkeys(("psif", "numpy", "scipy", "scikit-learn", "numba", *packages)):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def environment(packages: Sequence[str] = ()) -> dict[str, Any]:
    """Machine, versions and date that a result belongs to."""
    return {
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "python": platform.python_version(),
        "cores": resolve_jobs(None),
        "machine": platform.machine(),
        "versions": versions(packages),
    }


def described(about: dict[str, Any]) -> str:
    """One line about an :func:`environment`."""
    made_with = ", ".join(f"{name} {number}" for name, number in about["versions"].items())
    return (
        f"{about['date']}, Python {about['python']}, {about['cores']} cores "
        f"({about['machine']}); {made_with}"
    )


def use_cores(n: int) -> None:
    """Let this process run on ``n`` cores only, whatever threads a library starts."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:n])
