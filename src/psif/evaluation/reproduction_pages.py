"""A reproduction as Markdown and as one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from psif.atomic import atomic_path
from psif.evaluation.cache import versions
from psif.evaluation.examples import example_grid, worked_sentences
from psif.evaluation.grids import STYLE, Grid, html_table, pipes
from psif.evaluation.length_figure import Bar, bars_svg
from psif.evaluation.published import table as printed_table
from psif.evaluation.reproduction import PROTOCOLS, TABLES, Reproduction, Row
from psif.evaluation.results import Result


class Section(NamedTuple):
    """A table of ours and, where there is one, the table as printed."""

    title: str
    ours: Grid
    printed: Grid | None = None


_INTRODUCTION = (
    "Published: as the paper prints it. Ours (paper): its settings, learned from training and test "
    "texts together. Ours (honest): one fixed setting for all tasks of a kind, learned from "
    "training documents only. Shares and correlations × 100; ± is a standard deviation over drawn "
    "splits. Numbers for similarity depend on the word vectors: the paper's cannot be had. Of "
    "pairs of captions the cosines are shown as they are, the truth is the given score over 5, and "
    "a positive difference means that the same method is closer to it as in the paper."
)
_STYLE = f"{STYLE}td+td+td+td{{text-align:right;font-variant-numeric:tabular-nums}}"


def write_pages(done: Reproduction, bars: Sequence[Bar], folder: str | Path) -> list[Path]:
    """Write ``tables.md`` and ``tables.html``; return their paths."""
    sections: list[Section] = []
    for name, rows in done.tables.items():
        sections += _example_sections(done) if name == "examples" else [_section(name, rows)]
    made_with = ", ".join(f"{name} {number}" for name, number in versions().items())
    failures = [f"{f.task}, {f.method}, {f.protocol}: {f.reason}" for f in done.failures]
    failures += [f"{name}: not scored yet" for name in done.missing]
    pages = {
        "tables.md": _markdown(sections, list(bars), failures, made_with),
        "tables.html": _html(sections, list(bars), failures, made_with),
    }
    paths = []
    for name, text in pages.items():
        path = Path(folder) / name
        with atomic_path(path) as part:
            part.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def _section(name: str, rows: Sequence[Row]) -> Section:
    table = TABLES[name]
    return Section(
        table.title,
        our_grid(rows, table.protocols),
        printed_grid(table.source) if table.source else None,
    )


def _example_sections(done: Reproduction) -> list[Section]:
    """Both tables of pairs, and the pair that the paper works through."""
    grids = {closer: example_grid(done.results, PROTOCOLS, closer) for closer in ("P-SIF", "SIF")}
    worked = [row for row in grids["P-SIF"][1:] if row[:2] == list(worked_sentences())]
    return [
        Section("A man on a motorcycle, a woman on a horse", [grids["P-SIF"][0], *worked]),
        Section("Pairs where the paper finds P-SIF closer to the truth", grids["P-SIF"]),
        Section("Pairs where the paper finds SIF closer to the truth", grids["SIF"]),
    ]


def our_grid(rows: Sequence[Row], protocols: Sequence[str] = PROTOCOLS) -> Grid:
    """Header and cells: what is ours beside what is printed."""
    header = ["task", "method", "metric", "published", "as"]
    for protocol in protocols:
        header += [f"ours ({protocol})", "difference"]
    grid = [header]
    for row in rows:
        cells = [row.task, row.method, row.metric]
        cells += ["" if row.published is None else f"{row.published:g}", row.published_as or ""]
        for protocol in protocols:
            difference = row.difference(protocol)
            cells.append(_score(row.ours.get(protocol)))
            cells.append("" if difference is None else f"{difference:+.2f}")
        grid.append(cells)
    return grid


def printed_grid(name: str) -> Grid:
    """Header and cells of a table as the paper prints it."""
    rows = list(printed_table(name).values())
    return [list(rows[0]), *(list(row.values()) for row in rows)]


def _length_grid(bars: list[Bar]) -> Grid:
    header = ["protocol", "method", "words in a sentence", "gain over SIF, %", "sub-tasks"]
    cells = [
        [b.protocol, b.method, f"{b.low}–{b.high}", f"{b.gain:+.1f}", str(b.n_tasks)] for b in bars
    ]
    return [header, *cells]


def _score(result: Result | None) -> str:
    if result is None:
        return ""
    spread = "" if result.deviation is None else f" ± {result.deviation:.2f}"
    sample = "" if result.sample is None else f" (sample of {result.sample})"
    return f"{result.score:.2f}{spread}{sample}"


def _markdown(sections: list[Section], bars: list[Bar], failures: list[str], made_with: str) -> str:
    lines = ["# The paper's tables", "", _INTRODUCTION, "", f"Made with {made_with}.", ""]
    for title, ours, printed in sections:
        lines += [f"## {title}", "", *pipes(ours), ""]
        lines += ["As printed:", "", *pipes(printed), ""] if printed else []
    if bars:
        lines += ["## Gain over SIF by length", "", *pipes(_length_grid(bars)), ""]
    if failures:
        lines += ["## Could not be scored", "", *(f"- {reason}" for reason in failures), ""]
    return "\n".join(lines)


def _html(sections: list[Section], bars: list[Bar], failures: list[str], made_with: str) -> str:
    body = [f"<p>{escape(_INTRODUCTION)}</p><p>Made with {escape(made_with)}.</p>"]
    for title, ours, printed in sections:
        body.append(f"<h2>{escape(title)}</h2>{html_table(ours)}")
        if printed:
            body.append(f"<details><summary>As printed</summary>{html_table(printed)}</details>")
    if bars:
        body.append(
            f"<h2>Gain over SIF by length</h2>{bars_svg(bars)}{html_table(_length_grid(bars))}"
        )
    if failures:
        items = "".join(f"<li>{escape(reason)}</li>" for reason in failures)
        body.append(f"<h2>Could not be scored</h2><ul>{items}</ul>")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>The paper\'s tables</title>'
        f"<style>{_STYLE}</style><h1>The paper's tables</h1>{''.join(body)}</html>\n"
    )
