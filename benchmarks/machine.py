"""What a measurement costs, and the cores that it may use."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


def use_cores(n: int) -> None:
    """Let this process run on ``n`` cores only, whatever threads a library starts."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:n])
