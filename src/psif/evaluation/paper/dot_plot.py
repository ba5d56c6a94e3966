"""Draw a table: one line per method, its printed number and ours as dots."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from psif.evaluation.paper.reproduction import Row

COLOURS = {"published": "#718096", "paper": "#2b6cb0", "inductive": "#dd6b20"}
_LEFT, _WIDTH, _LINE, _TOP, _FOOT = 140, 430, 18, 34, 26


def dots_svg(rows: Sequence[Row], title: str) -> str:
    """Return a picture: means over the first metric's tasks; nothing where nothing is known.

    A mean is over the tasks that a method has both a printed number and ours for, so that the
    dots of a line can be compared; the name says how many, where there are several tasks.
    """
    lines = _means(rows)
    if not lines:
        return ""
    numbers = [value for _, dots in lines for value in dots.values()]
    low, high = min(numbers), max(numbers)
    spread = (high - low) or 1.0
    parts = [_legend()]
    for place, (method, dots) in enumerate(lines):
        y = _TOP + _LINE * place
        parts.append(
            f'<text x="{_LEFT - 10}" y="{y + 4}" text-anchor="end">{escape(method)}</text>'
            f'<line x1="{_LEFT}" x2="{_LEFT + _WIDTH}" y1="{y}" y2="{y}" stroke="#8884"/>'
        )
        for name, value in dots.items():
            x = _LEFT + _WIDTH * (value - low) / spread
            fill = "none" if name == "published" else COLOURS[name]
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y}" r="5" fill="{fill}" stroke="{COLOURS[name]}" '
                f'stroke-width="2"><title>{escape(method)}, {name}: {value:.1f}</title></circle>'
            )
    foot = _TOP + _LINE * len(lines) + 8
    for value in (low, (low + high) / 2, high):
        x = _LEFT + _WIDTH * (value - low) / spread
        parts.append(f'<text x="{x:.1f}" y="{foot}" text-anchor="middle">{value:.1f}</text>')
    width, height = _LEFT + _WIDTH + 30, foot + _FOOT - 12
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-size="12" '
        f'font-family="sans-serif" role="img" aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )


def _legend() -> str:
    return "".join(
        f'<circle cx="{_LEFT + 6 + 130 * i}" cy="11" r="5" stroke="{colour}" stroke-width="2" '
        f'fill="{"none" if name == "published" else colour}"/>'
        f'<text x="{_LEFT + 17 + 130 * i}" y="15">'
        f"{name if name == 'published' else f'ours ({name})'}</text>"
        for i, (name, colour) in enumerate(COLOURS.items())
    )


def _means(rows: Sequence[Row]) -> list[tuple[str, dict[str, float]]]:
    """Methods in order, with the means of their dots over the tasks that all their dots have."""
    metric = next((row.metric for row in rows), "")
    whole = [row for row in rows if row.metric == metric and "/" not in row.task]
    n_tasks = len({row.task for row in whole})
    lines = []
    for method in dict.fromkeys(row.method for row in whole):
        by_task = []
        for row in whole:
            if row.method == method:
                dots = {name: result.score for name, result in row.ours.items()}
                if row.published is not None:
                    dots["published"] = row.published
                by_task.append(dots)
        names = [name for name in COLOURS if any(name in dots for dots in by_task)]
        shared = [dots for dots in by_task if all(name in dots for name in names)]
        if not shared:
            # No task has all of them: ours alone, over the tasks that have it.
            names, shared = names[-1:], [dots for dots in by_task if names[-1] in dots]
        label = f"{method} ({len(shared)})" if n_tasks > 1 else method
        lines.append((label, {n: float(np.mean([dots[n] for dots in shared])) for n in names}))
    return lines
