"""Pictures of a run, as SVG."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from typing import Any, TypeAlias

from benchmarks.peers import NAMES
from benchmarks.ratios import growth_curves
from benchmarks.report.labels import place_labels
from benchmarks.results import Results, Run
from psif.errors import MissingExtraError

CAPTIONS = {
    "accuracy": "Accuracy over documents per second, one point per method",
    "command": "Seconds of psif embed over documents, with peak memory",
    "trainers": "Processor time of training over words of text, with the memory added",
    "growth": "Time over what grows, on logarithmic axes",
    "roofline": "Our loops below the ceilings of the machine",
}
_OURS, _THEIRS = "#c0392b", "#34495e"
_GREY = "#888888"
# About the drawing area of a picture, in 1/72 inch.
_WIDTH, _HEIGHT = 430.0, 250.0
# Points of a line and a note beside each, by label.
Curves: TypeAlias = dict[str, list[tuple[float, float, str]]]


def figures(run: Run) -> dict[str, str]:
    """Return SVG by name, for the pictures whose measurements exist."""
    try:
        from matplotlib import rc_context
    except ImportError as error:
        raise MissingExtraError("matplotlib", "plots", "a picture of a benchmark") from error
    makers: dict[str, Callable[[Results, int], Any]] = {
        "accuracy": _accuracy,
        "command": _command_line,
        "trainers": _trainers,
        "growth": _growth,
        "roofline": _roofline,
    }
    found = {}
    # Text stays text: smaller, and searchable.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "psif", "font.size": 10}):
        for name, make in makers.items():
            figure = make(run.results, run.cores)
            if figure is not None:
                found[name] = _svg(figure)
    return found


def _svg(figure: Any) -> str:
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]


def _axes(
    width: float = 7.0, height: float = 4.4, shape: tuple[int, int] = (1, 1)
) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(*shape)
    for one in [axes] if shape == (1, 1) else axes.flat:
        one.spines[["top", "right"]].set_visible(False)
        one.grid(alpha=0.25, which="major")
    return figure, axes


def _accuracy(results: Results, cores: int) -> Any:
    points = [
        (name, results[f"embed/{name}/{cores}"]["documents_per_second"], score["accuracy"])
        for name in NAMES
        if (score := results.get(f"score/{name}")) and f"embed/{name}/{cores}" in results
    ]
    if not points:
        return None
    figure, axes = _axes()
    for name, speed, accuracy in points:
        colour = _OURS if name.startswith("psif") else _THEIRS
        axes.plot(speed, accuracy, "o", color=colour, markersize=8)
    low, high = min(point[2] for point in points), max(point[2] for point in points)
    bottom, top = low - 0.1 * (high - low) - 0.5, high + 0.15 * (high - low) + 0.5
    left, right = (math.log10(f * pick(p[1] for p in points)) for f, pick in ((0.5, min), (4, max)))
    axes.set(xlim=(10**left, 10**right), ylim=(bottom, top))
    places = [
        (name, _WIDTH * (math.log10(speed) - left) / (right - left),
         _HEIGHT * (accuracy - bottom) / (top - bottom))
        for name, speed, accuracy in points
    ]  # fmt: skip
    for (name, speed, accuracy), (_, dx, dy) in zip(
        points, place_labels(places, _WIDTH, _HEIGHT), strict=True
    ):
        axes.annotate(
            name, (speed, accuracy), (dx, dy), textcoords="offset points", va="center",
            color=_OURS if name.startswith("psif") else _THEIRS,
        )  # fmt: skip
    corpus = next(row["corpus"] for name, row in results.items() if name.startswith("score/"))
    axes.set(xscale="log", xlabel=f"documents per second from raw text, {cores} threads")
    axes.set_ylabel("accuracy, %")
    axes.set_title(corpus, loc="left", fontsize=11)
    return figure


def _growth(results: Results, cores: int) -> Any:
    from matplotlib.ticker import NullFormatter

    curves = growth_curves(results)
    if not curves:
        return None
    columns = min(3, len(curves))
    rows = -(-len(curves) // columns)
    figure, axes = _axes(9.0, 3.1 * rows, (rows, columns))
    places = list(axes.flat) if len(curves) > 1 else [axes]
    for unused in places[len(curves) :]:
        unused.set_visible(False)
    titles = {"topics": "topics K", "dim": "dimensions d", "tokens": "words per document"}
    for one, (axis, parts) in zip(places, curves.items(), strict=False):
        for part, (sizes, seconds) in parts.items():
            one.plot(sizes, seconds, marker="o", label=part)
        base = min(values[0] for _, values in parts.values())
        linear = [0.6 * base * size / sizes[0] for size in sizes]
        one.plot(sizes, linear, "--", color=_GREY, label="linear")
        one.set(xscale="log", yscale="log", xlabel=titles.get(axis, axis), ylabel="seconds")
        one.set_xticks(sizes, [_short(size) for size in sizes])
        for which in (one.xaxis, one.yaxis):
            which.set_minor_formatter(NullFormatter())
        one.legend(frameon=False, fontsize=8)
    return figure


def _short(size: float) -> str:
    """Write 1000000 as 1M."""
    for unit, letter in ((1e6, "M"), (1e3, "k")):
        if size >= unit:
            return f"{size / unit:g}{letter}"
    return f"{size:g}"


def _roofline(results: Results, cores: int) -> Any:
    result = results.get(f"roofline/{cores}")
    if result is None:
        return None
    figure, axes = _axes()
    intensities = [row["intensity"] for row in result["kernels"]]
    low, high = min(intensities) / 2, max(intensities) * 6
    for kind, peak in result["peaks"].items():
        knee = peak / result["bandwidth"]
        label = f"{kind} product, {peak / 1e9:.0f} GFLOP/s"
        roof = [result["bandwidth"] * low / 1e9, peak / 1e9, peak / 1e9]
        axes.plot([low, knee, high], roof, color=_GREY, linestyle="-" if "32" in kind else "--")
        axes.annotate(label, (high, peak / 1e9), (-2, 4), textcoords="offset points", ha="right")
    speeds = [row["flops_per_second"] / 1e9 for row in result["kernels"]]
    bottom, top = min(speeds) / 2, 2 * max(result["peaks"].values()) / 1e9
    places = [
        (f"{row['name']}, {row['fraction']:.0%}",
         _WIDTH * math.log(row["intensity"] / low) / math.log(high / low),
         _HEIGHT * math.log(speed / bottom) / math.log(top / bottom))
        for row, speed in zip(result["kernels"], speeds, strict=True)
    ]  # fmt: skip
    for row, speed, (name, dx, dy) in zip(
        result["kernels"], speeds, place_labels(places, _WIDTH, _HEIGHT), strict=True
    ):
        axes.plot(row["intensity"], speed, "o", color=_OURS)
        axes.annotate(
            name, (row["intensity"], speed), (dx, dy), textcoords="offset points", va="center",
            fontsize=9,
        )  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel="operations per byte", ylabel="GFLOP/s")
    axes.set(xlim=(low, high), ylim=(bottom, top))
    axes.set_title(f"Our loops below the ceilings of the machine, {cores} threads", loc="left")
    return figure


def _command_line(results: Results, cores: int) -> Any:
    curves: Curves = {}
    for name, row in results.items():
        if name.startswith("command/documents/"):
            for way, title in (("fit", "fit and embed"), ("saved", "embed with a saved model")):
                point = (row["documents"], row[way]["seconds"], f"{row[way]['peak_mb']:.0f} MB")
                curves.setdefault(title, []).append(point)
    return _lines(curves, "documents of 100 words", "seconds")


def _trainers(results: Results, cores: int) -> Any:
    curves: Curves = {}
    for name, row in results.items():
        if name.startswith("trainers/growth/"):
            point = (row["tokens"], row["cpu_seconds"], f"{row['added_mb']:.0f} MB")
            curves.setdefault(name.split("/")[2], []).append(point)
    return _lines(curves, "words of text", "CPU-seconds")


def _lines(curves: Curves, x: str, y: str) -> Any:
    """Draw on logarithmic axes, where linear growth is a straight line of slope 1."""
    if not curves:
        return None
    figure, axes = _axes(6, 3.8)
    for label, points in curves.items():
        axes.plot([at for at, _, _ in points], [value for _, value, _ in points], "o-", label=label)
        for at, value, note in points:
            axes.annotate(note, (at, value), (6, -12), textcoords="offset points", fontsize=8)
    axes.set(xscale="log", yscale="log", xlabel=x, ylabel=y)
    axes.legend(frameon=False)
    return figure
