"""Ratios of measurements: they can be compared between machines, seconds cannot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from benchmarks.peers import NAMES
from benchmarks.results import Results

OURS = "psif"
PEERS = tuple(name for name in NAMES if not name.startswith("psif"))


def ratios(results: Results, cores: int) -> dict[str, float]:
    """Return how many times as good as each peer we are; more is better, 1 is equal.

    Fractions of the roofline are included: they are ratios within one run too.
    """
    found: dict[str, float] = {}
    for peer in PEERS:
        for threads in dict.fromkeys((1, cores)):
            where = f"{peer}/{threads}"
            ours = results.get(f"embed/{OURS}/{threads}")
            theirs = results.get(f"embed/{peer}/{threads}")
            if ours and theirs:
                found[f"embed/{where}"] = (
                    ours["documents_per_second"] / theirs["documents_per_second"]
                )
                found[f"latency/{where}"] = theirs["latency"]["p50_us"] / ours["latency"]["p50_us"]
            ours, theirs = results.get(f"fit/{OURS}/{threads}"), results.get(f"fit/{where}")
            if ours and theirs and theirs["seconds"] > 0.5:  # opening a table is not fitting
                found[f"fit/{where}"] = theirs["seconds"] / ours["seconds"]
        ours, theirs = results.get(f"start/{OURS}"), results.get(f"start/{peer}")
        if ours and theirs:
            found[f"start/{peer}"] = theirs["first_vector_seconds"] / ours["first_vector_seconds"]
    found |= _of_dictionaries(results)
    found |= _of_command_line(results)
    for name, result in results.items():
        if name.startswith("roofline/"):
            for kernel in result["kernels"]:
                found[f"{name}/{kernel['name']}"] = kernel["fraction"]
    return found


def _of_dictionaries(results: Results) -> dict[str, float]:
    ours = results.get(f"dictionary/{OURS}")
    if ours is None:
        return {}
    return {
        name: result["seconds"] / ours["seconds"]
        for name, result in results.items()
        if name.startswith("dictionary/") and name != f"dictionary/{OURS}"
    }


def rounds_over_tfidf(result: Mapping[str, Any]) -> dict[str, list[float]]:
    """Seconds of ``psif embed`` over those of TF-IDF in the same round, by way."""
    return {
        way: [row[way]["seconds"] / row["tfidf"]["seconds"] for row in result.get("rounds", [])]
        for way in ("fit", "saved")
    }


def _of_command_line(results: Results) -> dict[str, float]:
    result = results.get("command/embed")
    if result is None:
        return {}
    over = rounds_over_tfidf(result)
    return {f"command/embed/{way}": 1 / median(found) for way, found in over.items()}


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Slope b of the least-squares line through the logarithms: seconds grow as sizes to the b."""
    x = [math.log(value) for value in sizes]
    y = [math.log(max(value, 1e-9)) for value in seconds]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    over = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return over / sum((a - mean_x) ** 2 for a in x)


def growth_curves(results: Results) -> dict[str, dict[str, tuple[list[float], list[float]]]]:
    """Return sizes and seconds, by what grows and then by what is done."""
    curves: dict[str, dict[str, tuple[list[float], list[float]]]] = {}
    rows = [row for name, row in results.items() if name.startswith("growth/documents/")]
    if len(rows) > 1:
        sizes = [float(row["documents"]) for row in rows]
        curves["documents"] = {
            part: (sizes, [row[f"{part}_seconds"] for row in rows]) for part in ("fit", "embed")
        }
    for row in results.values():
        if "axis" in row:
            sizes = [float(value) for value in row["values"]]
            parts = row["seconds"]
            # The length of documents concerns averaging only.
            wanted = ["averaging"] if row["axis"] == "tokens" else list(parts)
            if row["axis"] == "vocabulary":
                wanted.remove("averaging")
            curves[row["axis"]] = {part: (sizes, parts[part]) for part in wanted}
    return curves
