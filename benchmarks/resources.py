"""What a measurement costs in seconds, processor time and memory, and the cores it may use."""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Read by the libraries that start threads of their own.
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "RAYON_NUM_THREADS",
)
# Seconds between two looks at the memory of a process.
_INTERVAL = 0.02


def timed(function: Callable[[], Any], repeats: int = 1) -> tuple[float, Any]:
    """Best wall time of several calls, and the last value."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        value = function()
        best = min(best, time.perf_counter() - start)
    return best, value


def cost(function: Callable[[], Any]) -> dict[str, float]:
    """Wall and processor seconds of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    function()
    return {
        "seconds": time.perf_counter() - wall,
        "cpu_seconds": time.process_time() - cpu,
    }


def peak_mb() -> float:
    """Peak memory of this process since it began."""
    # On Linux ``ru_maxrss`` of a child begins with that of its parent.
    peak = _status_mb("self", "VmHWM")
    if peak is not None:
        return peak
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # bytes on macOS


def _status_mb(process: int | str, entry: str) -> float | None:
    """Memory of a process by Linux's account, or None."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
        return float(status.partition(f"{entry}:")[2].split()[0]) / 1024
    except (OSError, IndexError):
        return None  # another system, or the process has ended


def folder_mb(folder: Path) -> float:
    """Megabytes of the files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def use_cores(n: int) -> None:
    """Let this process run on ``n`` cores only, whatever threads a library starts."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:n])


class Meter:
    """Wall and processor seconds of a block, and the memory that it adds to the process."""

    def __enter__(self) -> Meter:
        self._base = self._peak = self._resident()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        self._began = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self._began[0]
        self.cpu_seconds = time.process_time() - self._began[1]
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(_INTERVAL):
            self._peak = max(self._peak, self._resident())

    @staticmethod
    def _resident() -> float:
        return _status_mb("self", "VmRSS") or peak_mb()

    def to_dict(self) -> dict[str, float]:
        """Return the three numbers."""
        return {
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "added_mb": self._peak - self._base,
        }


def run_command(*arguments: object, **variables: str) -> dict[str, float]:
    """Run another program to its end; return its seconds, processor seconds and peak memory."""
    command = [str(argument) for argument in arguments]
    with tempfile.TemporaryFile() as errors:
        began = time.perf_counter()
        process = subprocess.Popen(
            command, env={**os.environ, **variables}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=errors,
        )  # fmt: skip
        peaks, ended = [0.0], threading.Event()
        watcher = threading.Thread(target=_watch_peak, args=(process.pid, peaks, ended))
        watcher.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        ended.set()
        watcher.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read().decode(errors="replace").strip().splitlines()
    if process.returncode:
        code, last = process.returncode, said[-1] if said else "no message"
        raise RuntimeError(f"{' '.join(command)} ended with code {code}: {last}")
    return {
        "seconds": seconds,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_mb": peaks[-1] or usage.ru_maxrss / 2**20,  # bytes on macOS
    }


def _watch_peak(process: int, peaks: list[float], ended: threading.Event) -> None:
    while not ended.wait(_INTERVAL):
        # Linux keeps the peak of a process: the last look before it ends is enough.
        peaks.append(_status_mb(process, "VmHWM") or peaks[-1])
