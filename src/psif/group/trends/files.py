"""Trends as tables and as a picture."""

from __future__ import annotations

from html import escape
from pathlib import Path

import numpy as np

from psif.errors import InputError
from psif.files.parquet_library import need_pyarrow
from psif.files.rows import Columns, write_table
from psif.group.trends.shares import Trends
from psif.runtime.atomic import atomic_path

_TABLES = (".csv", ".tsv", ".jsonl", ".parquet")
# Lines in one picture; those that change most are drawn. The colours are those of Okabe and Ito,
# which colour-blind people can tell apart.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 360, 50, 210, 20, 40


def check_trend_file(path: Path) -> None:
    """Refuse an ending of no known format."""
    if path.suffix.lower() not in (*_TABLES, ".svg"):
        raise InputError(f"{path}: the ending must be one of {', '.join(_TABLES)}, .svg.")
    if path.suffix.lower() == ".parquet":
        need_pyarrow(path)


def write_trends(trends: Trends, path: str | Path) -> None:
    """Write one row per period and group, or a picture if the ending is ``.svg``."""
    path = Path(path)
    check_trend_file(path)
    if path.suffix.lower() == ".svg":
        with atomic_path(path) as part:
            part.write_text(trend_svg(trends), encoding="utf-8")
        return
    rows, columns = trends.rows(), Columns()
    for row in rows:
        columns.add(row)
    write_table(path, rows, columns)


def trend_svg(trends: Trends) -> str:
    """Draw the shares of the groups that change most."""
    chosen = np.argsort(trends.p_values, kind="stable")[: len(_COLOURS)].tolist()
    shares = trends.shares[:, chosen]
    highest = float(shares.max()) or 1.0
    wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    n = len(trends.starts)
    xs = _LEFT + wide * (np.arange(n) / max(1, n - 1))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        'font-family="sans-serif" font-size="12">',
        f"<title>Share of groups per {trends.period}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
    ]
    for step in range(5):
        y = _TOP + high * (1 - step / 4)
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{_LEFT + wide}" stroke="#ddd"/>')
        label = f"{highest * step / 4:.1%}"
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    parts += [
        f'<text x="{xs[place]:.1f}" y="{_HEIGHT - 16}" text-anchor="middle">'
        f"{trends.starts[place]}</text>"
        for place in sorted({0, n // 2, n - 1})
    ]
    for number, group in enumerate(chosen):
        ys = _TOP + high * (1 - shares[:, number] / highest)
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
        colour, y = _COLOURS[number], _TOP + 16 + 34 * number
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        parts.append(
            f'<text x="{_LEFT + wide + 12}" y="{y}" fill="{colour}">'
            f'{escape(trends.names[group][:28])}<tspan x="{_LEFT + wide + 12}" dy="14" '
            f'fill="#555">{trends.change(group)}</tspan></text>'
        )
    return "\n".join([*parts, "</svg>\n"])
