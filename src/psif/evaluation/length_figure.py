"""Gain over SIF by length of the documents: the paper's figure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from psif.evaluation.results import Result
from psif.evaluation.tasks import GROUPS, TASKS

# Words in a sentence, on average over a sub-task: from, to.
BINS = ((0, 10), (10, 20), (20, 30), (30, 40), (40, 50))


class Bar(NamedTuple):
    """Mean relative gain over SIF, in per cent, of the sub-tasks of one bin."""

    protocol: str
    method: str
    low: int
    high: int
    gain: float
    n_tasks: int


def mean_lengths() -> dict[str, float]:
    """Words in a sentence of each similarity sub-task, on average."""
    lengths = {}
    for name in GROUPS["sts"]:
        for part, pairs in TASKS[name].load().parts.items():
            lengths[f"{name}/{part}"] = float(np.mean([len(text.split()) for text in pairs.texts]))
    return lengths


def gains(results: Iterable[Result], lengths: dict[str, float]) -> list[Bar]:
    """100 · (method - SIF) / SIF, averaged over the sub-tasks of each bin.

    Bins without a sub-task are left out.
    """
    scores = {
        (r.protocol, r.method, r.task): r.score
        for r in results
        if r.metric == "pearson" and r.task in lengths
    }
    groups: dict[tuple[str, str, int, int], list[float]] = {}
    for (protocol, method, task), score in scores.items():
        base = scores.get((protocol, "sif", task))
        place = next((edge for edge in BINS if edge[0] <= lengths[task] < edge[1]), None)
        if method != "sif" and base and place is not None:
            groups.setdefault((protocol, method, *place), []).append(100 * (score - base) / base)
    return [Bar(*key, float(np.mean(group)), len(group)) for key, group in sorted(groups.items())]


def bars_svg(bars: list[Bar]) -> str:
    """Draw a bar for each, with zero as the base line."""
    if not bars:
        return ""
    step, half = 46, 120
    largest = max(max(abs(bar.gain) for bar in bars), 1e-9)
    parts = []
    for i, bar in enumerate(bars):
        height = half * abs(bar.gain) / largest
        top = half - height if bar.gain >= 0 else half
        colour = "#2b6cb0" if bar.protocol == "paper" else "#2f855a"
        x = 10 + i * step
        parts.append(
            f'<rect x="{x}" y="{top + 20:.1f}" width="34" height="{height:.1f}" fill="{colour}">'
            f"<title>{bar.protocol}, {bar.method}</title></rect>"
            f'<text x="{x + 17}" y="{2 * half + 40}" text-anchor="middle">{bar.low}–{bar.high}'
            f'</text><text x="{x + 17}" y="{top + 14:.1f}" text-anchor="middle">{bar.gain:+.1f}'
            "</text>"
        )
    width = 20 + step * len(bars)
    line = f'<line x1="0" x2="{width}" y1="{half + 20}" y2="{half + 20}" stroke="#444"/>'
    return (
        f'<svg viewBox="0 0 {width} {2 * half + 50}" width="{width}" font-size="11" '
        f'font-family="sans-serif" role="img">{"".join(parts)}{line}</svg>'
    )
