"""What all benchmarks share: measuring in a process of its own, and writing results down."""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import json
import multiprocessing
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent.parent / "results"


@dataclass(frozen=True)
class Measured:
    """One measured call."""

    seconds: float
    cpu_seconds: float
    peak_mb: float  # of the whole process, the interpreter and its libraries included
    value: Any


def timed(function: Callable[[], Any], repeats: int = 1) -> tuple[float, Any]:
    """Best wall time of several calls, and the last value."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        value = function()
        best = min(best, time.perf_counter() - start)
    return best, value


def measured(function: Callable[..., Any], *args: Any) -> Measured:
    """Call in a fresh process, so that its peak memory is its own."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(sender, function, args))
    process.start()
    sender.close()
    try:
        result = receiver.recv()
    except EOFError:
        process.join()
        raise RuntimeError(f"{function.__name__} died with exit code {process.exitcode}") from None
    process.join()
    if isinstance(result, BaseException):
        raise result
    return Measured(*result)


def _child(sender: Any, function: Callable[..., Any], args: Sequence[Any]) -> None:
    try:
        wall, cpu = time.perf_counter(), time.process_time()
        value = function(*args)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        peak = _peak_mb()
        sender.send((wall, cpu, peak, value))
    except BaseException as error:  # the parent raises it
        sender.send(error)


def environment(packages: Sequence[str] = ()) -> dict[str, Any]:
    """Machine, versions and date that a result belongs to."""
    versions = {}
    for name in ("psif", "numpy", "scipy", "scikit-learn", "numba", *packages):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = "not installed"
    return {
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "python": platform.python_version(),
        "cores": len(os.sched_getaffinity(0)),
        "machine": platform.machine(),
        "versions": versions,
    }


def table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Lay rows out as a Markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _peak_mb() -> float:
    """Peak memory of this process since it began.

    Not ``ru_maxrss``: on Linux a child begins with that of its parent.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return float(status.partition("VmHWM:")[2].split()[0]) / 1024


def rows_as_table(rows: Sequence[dict[str, Any]]) -> str:
    """Lay records out as a Markdown table, a column a key, in order of appearance."""
    header = list(dict.fromkeys(key for row in rows for key in row))
    names = [key.replace("_", " ") for key in header]
    return table(names, [[row.get(key, "") for key in header] for row in rows])


def plot_growth(
    name: str,
    series: dict[str, list[tuple[float, float]]],
    x: str,
    y: str,
    notes: dict[str, list[str]] | None = None,
) -> None:
    """Draw lines on logarithmic axes, where linear growth is a straight line of slope 1."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.8), layout="constrained")
    axes = figure.subplots()
    for label, points in series.items():
        xs, ys = zip(*points, strict=True)
        axes.plot(xs, ys, marker="o", label=label)
        for (at, value), note in zip(points, (notes or {}).get(label, []), strict=False):
            axes.annotate(note, (at, value), (6, -12), textcoords="offset points", fontsize=8)
    axes.set(xscale="log", yscale="log", xlabel=x, ylabel=y)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(RESULTS / f"{name}.svg", metadata={"Date": None})


def write_results(
    name: str, title: str, text: str, data: Any, packages: Sequence[str] = ()
) -> None:
    """Write ``results/NAME.md`` and ``.json`` with the command, versions and date."""
    about = environment(packages)
    command = f"python -m benchmarks.{name}"
    versions = ", ".join(f"{k} {v}" for k, v in about["versions"].items())
    footer = (
        f"`{command}`, {about['date']}, Python {about['python']}, {about['cores']} cores "
        f"({about['machine']}); {versions}."
    )
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(f"# {title}\n\n{text}\n\n{footer}\n", encoding="utf-8")
    record = {"command": command, **about, "results": data}
    (RESULTS / f"{name}.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print(text, footer, sep="\n\n", file=sys.stderr)
