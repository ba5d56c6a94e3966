"""What all benchmarks share: measuring in a process of its own, and writing results down."""

from __future__ import annotations

import json
import multiprocessing
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.report.plots import plot_lines
from benchmarks.resources import peak_mb
from psif.evaluation.paper.grids import pipes
from psif.runtime.provenance import described, environment

RESULTS = Path(__file__).parent.parent / "results"


@dataclass(frozen=True)
class Measured:
    """One measured call."""

    seconds: float
    cpu_seconds: float
    peak_mb: float  # of the whole process, the interpreter and its libraries included
    value: Any


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
        peak = peak_mb()
        sender.send((wall, cpu, peak, value))
    except BaseException as error:  # the parent raises it
        sender.send(error)


def table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Lay rows out as a Markdown table."""
    return "\n".join(pipes([list(header), *([str(cell) for cell in row] for row in rows)]))


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
    """Draw lines on logarithmic axes into ``results/NAME.svg``."""
    figure = plot_lines(series, x, y, notes)
    figure.savefig(RESULTS / f"{name}.svg", metadata={"Date": None})


def write_results(
    name: str, title: str, text: str, data: Any, packages: Sequence[str] = ()
) -> None:
    """Write ``results/NAME.md`` and ``.json`` with the command, versions and date."""
    about = environment(packages)
    command = f"python -m benchmarks.{name}"
    footer = f"`{command}`, {described(about)}."
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(f"# {title}\n\n{text}\n\n{footer}\n", encoding="utf-8")
    record = {"command": command, **about, "results": data}
    (RESULTS / f"{name}.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print(text, footer, sep="\n\n", file=sys.stderr)
