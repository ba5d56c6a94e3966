"""Pictures of a run, as SVG."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import Any

from psif.bench.peers import NAMES
from psif.bench.ratios import Results, growth_curves
from psif.errors import MissingExtraError

_OURS, _THEIRS = "#c0392b", "#34495e"
_GREY = "#888888"


def figures(run: Mapping[str, Any]) -> dict[str, str]:
    """SVG text by name, of those pictures that the run has numbers for."""
    try:
        from matplotlib import rc_context
    except ImportError as error:
        raise MissingExtraError("matplotlib", "bench", "plots of a benchmark") from error
    makers: dict[str, Callable[[Results, int], Any]] = {
        "accuracy": _accuracy,
        "growth": _growth,
        "roofline": _roofline,
    }
    found = {}
    # Text stays text: smaller, and searchable.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "psif", "font.size": 10}):
        for name, make in makers.items():
            figure = make(run["results"], run["cores"])
            if figure is not None:
                found[name] = _svg(figure)
    return found


def _svg(figure: Any) -> str:
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]


def _axes(width: float = 7.0, height: float = 4.4, columns: int = 1) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(1, columns)
    for one in [axes] if columns == 1 else axes:
        one.spines[["top", "right"]].set_visible(False)
        one.grid(alpha=0.25, which="major")
    return figure, axes


def _accuracy(results: Results, cores: int) -> Any:
    points = [
        (name, results[f"embed/{name}/{cores}"]["documents_a_second"], score["accuracy"])
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
    axes.set_ylim(low - 0.08 * (high - low) - 0.5, high + 0.12 * (high - low) + 0.5)
    speeds = [point[1] for point in points]
    axes.set_xlim(min(speeds) / 2, max(speeds) * 4)
    for (name, speed, accuracy), shift in zip(points, _shifts(points), strict=True):
        axes.annotate(
            name, (speed, accuracy), (9, shift), textcoords="offset points", va="center",
            color=_OURS if name.startswith("psif") else _THEIRS,
        )  # fmt: skip
    corpus = next(row["corpus"] for name, row in results.items() if name.startswith("score/"))
    axes.set(xscale="log", xlabel=f"documents a second, raw text in, {cores} threads")
    axes.set_ylabel("accuracy, %")
    axes.set_title(corpus, loc="left", fontsize=11)
    return figure


def _shifts(points: list[tuple[str, float, float]]) -> list[float]:
    """Move labels up or down, in points, where their neighbours would cover them."""
    span = max(point[2] for point in points) - min(point[2] for point in points) or 1.0
    shifts = [0.0] * len(points)
    order = sorted(range(len(points)), key=lambda i: points[i][2])
    placed: list[tuple[float, float]] = []
    for i in order:
        _, speed, accuracy = points[i]
        height = 250 * (accuracy - points[order[0]][2]) / span
        while any(abs(height - y) < 12 and 0.2 < speed / x < 5 for x, y in placed):
            height += 2
        shifts[i] = height - 250 * (accuracy - points[order[0]][2]) / span
        placed.append((speed, height))
    return shifts


def _growth(results: Results, cores: int) -> Any:
    curves = growth_curves(results)
    if not curves:
        return None
    figure, axes = _axes(3.1 * len(curves), 3.4, len(curves))
    titles = {"topics": "topics K", "dim": "dimensions d", "tokens": "words a document"}
    for one, (axis, parts) in zip(
        [axes] if len(curves) == 1 else axes, curves.items(), strict=True
    ):
        for part, (sizes, seconds) in parts.items():
            one.plot(sizes, seconds, marker="o", label=part)
        sizes, seconds = next(iter(parts.values()))
        base = min(values[0] for _, values in parts.values())
        linear = [0.6 * base * size / sizes[0] for size in sizes]
        one.plot(sizes, linear, "--", color=_GREY, label="linear")
        one.set(xscale="log", yscale="log", xlabel=titles.get(axis, axis))
        one.legend(frameon=False, fontsize=8)
    first = axes if len(curves) == 1 else axes[0]
    first.set_ylabel("seconds")
    return figure


def _roofline(results: Results, cores: int) -> Any:
    result = results.get(f"roofline/{cores}")
    if result is None:
        return None
    figure, axes = _axes()
    intensities = [row["intensity"] for row in result["kernels"]]
    low, high = min(intensities) / 2, max(intensities) * 4
    for kind, peak in result["peaks"].items():
        knee = peak / result["bandwidth"]
        label = f"{kind} product, {peak / 1e9:.0f} GFLOP/s"
        roof = [result["bandwidth"] * low / 1e9, peak / 1e9, peak / 1e9]
        axes.plot([low, knee, high], roof, color=_GREY, linestyle="-" if "32" in kind else "--")
        axes.annotate(label, (high, peak / 1e9), (-2, 4), textcoords="offset points", ha="right")
    names: dict[tuple[int, int], int] = {}
    for row in result["kernels"]:
        speed = row["flops_a_second"] / 1e9
        axes.plot(row["intensity"], speed, "o", color=_OURS)
        # Labels of points that lie together go below one another.
        cell = (round(2 * row["intensity"] ** 0.5), round(speed / 4))
        names[cell] = names.get(cell, -1) + 1
        axes.annotate(
            f"{row['name']}, {row['fraction']:.0%}", (row["intensity"], speed),
            (8, -4 - 12 * names[cell]), textcoords="offset points", fontsize=9,
        )  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel="operations a byte", ylabel="GFLOP/s")
    axes.set_xlim(low, high)
    axes.set_title(f"Our loops below the machine's ceilings, {cores} threads", loc="left")
    return figure


def plot_lines(
    series: Mapping[str, list[tuple[float, float]]],
    x: str,
    y: str,
    notes: Mapping[str, list[str]] | None = None,
) -> Any:
    """Draw lines on logarithmic axes, where linear growth is a straight line of slope 1."""
    figure, axes = _axes(6, 3.8)
    for label, points in series.items():
        xs, ys = zip(*points, strict=True)
        axes.plot(xs, ys, marker="o", label=label)
        for (at, value), note in zip(points, (notes or {}).get(label, []), strict=False):
            axes.annotate(note, (at, value), (6, -12), textcoords="offset points", fontsize=8)
    axes.set(xscale="log", yscale="log", xlabel=x, ylabel=y)
    axes.legend(frameon=False)
    return figure
