"""Draw gains by length: one panel per kind of texts, one colour per method."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from psif.evaluation.paper.length_figure import Bar, Figure

# The methods of the paper's figure, P-SIF as published, the hybrid, and what a user would try.
COLOURS = {
    "psif": "#2b6cb0",
    "psif-plain": "#319795",
    "psif-hybrid": "#6b46c1",
    "scdv": "#dd6b20",
    "tfidf": "#718096",
}
_BAR, _GAP, _HALF, _TOP, _FOOT = 26, 18, 90, 46, 40
_NAME, _FEWEST = 84, 430


def bars_svg(figure: Figure) -> str:
    """Return one picture per panel, with zero as its base line; nothing without bars."""
    shown = [bar for bar in figure.bars if bar.method in COLOURS]
    if not shown:
        return ""
    largest = max(max(abs(bar.gain) for bar in shown), 1e-9)
    panels: dict[tuple[str, str], list[Bar]] = {}
    for bar in shown:
        panels.setdefault((bar.texts, bar.protocol), []).append(bar)
    pictures = [_picture(_legend({bar.method for bar in shown}), _FEWEST, _TOP // 2)]
    for (texts, protocol), group in panels.items():
        panel, width, height = _panel(f"{texts}, {protocol}", figure.axis, group, largest)
        pictures.append(_picture(panel, width, height))
    # One picture per panel: the browser puts them side by side where there is space.
    return f"<div>{pictures[0]}</div><div>{''.join(pictures[1:])}</div>"


def _picture(content: str, width: int, height: int) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-size="11" '
        f'font-family="sans-serif" role="img" aria-label="Gain over SIF by length">{content}</svg>'
    )


def _legend(methods: set[str]) -> str:
    places = [name for name in COLOURS if name in methods]
    return "".join(
        f'<circle cx="{14 + _NAME * i}" cy="9" r="5" fill="{COLOURS[name]}"/>'
        f'<text x="{23 + _NAME * i}" y="13">{name}</text>'
        for i, name in enumerate(places)
    )


def _panel(title: str, axis: str, bars: Sequence[Bar], largest: float) -> tuple[str, int, int]:
    bins = sorted({(bar.low, bar.high) for bar in bars}, key=lambda b: b[0])
    methods = [name for name in COLOURS if any(bar.method == name for bar in bars)]
    step = _BAR * len(methods) + _GAP
    base = _TOP + _HALF
    # Below the line there is space for the longest bar and its number.
    lowest = min(bar.gain for bar in bars)
    foot = base + (round((_HALF - 14) * -lowest / largest) + 14 if lowest < 0 else 0)
    parts = [f'<text x="10" y="{_TOP - 12}" font-weight="bold">{escape(title)}</text>']
    for bar in bars:
        x = 10 + bins.index((bar.low, bar.high)) * step + methods.index(bar.method) * _BAR
        height = (_HALF - 14) * abs(bar.gain) / largest
        top = base - height if bar.gain >= 0 else base
        label = top - 3 if bar.gain >= 0 else top + height + 11
        parts.append(
            f'<rect x="{x}" y="{top:.1f}" width="{_BAR - 2}" height="{height:.1f}" '
            f'fill="{COLOURS[bar.method]}"/><text x="{x + _BAR / 2 - 1}" y="{label:.1f}" '
            f'text-anchor="middle" font-size="9">{bar.gain:+.1f}</text>'
        )
    for i, (low, high) in enumerate(bins):
        middle = 10 + i * step + (step - _GAP) / 2
        parts.append(
            f'<text x="{middle:.0f}" y="{foot + 16}" text-anchor="middle">{words(low, high)}</text>'
        )
    width = max(10 + step * len(bins) + 10, _FEWEST)
    parts.append(
        f'<text x="10" y="{foot + 32}" opacity=".7">{escape(axis)}</text>'
        f'<line x1="4" x2="{width - 12}" y1="{base}" y2="{base}" stroke="#888"/>'
    )
    return "".join(parts), width, foot + _FOOT


def words(low: int, high: int | None) -> str:
    """Return the bounds of a bin, both inside."""
    return f"{low}+" if high is None else f"{low}–{high - 1}"
