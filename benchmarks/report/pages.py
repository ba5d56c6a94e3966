"""Lay sections out as Markdown and as one HTML file, with pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path

from benchmarks.report.plots import CAPTIONS, figures
from benchmarks.report.section import Section
from benchmarks.report.sections import sections
from benchmarks.results import Run
from psif.errors import MissingExtraError
from psif.evaluation.paper.grids import STYLE, html_table, markdown_table
from psif.runtime.atomic import atomic_path

_TITLE = "Benchmarks"
_ALIGN = (
    ".numbers td+td,.numbers th+th{text-align:right;font-variant-numeric:tabular-nums}"
    ".grid{overflow-x:auto}figure{margin:1rem 0}svg{max-width:100%;height:auto}"
)


def write_report(run: Run, folder: Path) -> list[Path]:
    """Write ``bench.json``, ``bench.md``, ``bench.html`` and the pictures; return their paths.

    Without matplotlib there are no pictures, and the pages say so.
    """
    try:
        pictures, note = figures(run), ""
    except MissingExtraError as error:
        pictures, note = {}, str(error)
    parts = sections(run)
    files = {
        "bench.json": json.dumps(run.to_dict(), indent=1, ensure_ascii=False) + "\n",
        "bench.md": markdown(run, parts, {key: f"bench-{key}.svg" for key in pictures}, note),
        "bench.html": html(run, parts, pictures, note),
        **{f"bench-{key}.svg": f"{svg}\n" for key, svg in pictures.items()},
    }
    for file, text in files.items():
        with atomic_path(folder / file) as part:
            part.write_text(text, encoding="utf-8")
    return [folder / file for file in files]


def _opening(run: Run) -> str:
    dates = sorted({found.environment["date"] for found in run.measurements.values()})
    if not dates:
        return f"Corpus: {run.corpus}. {run.cores} cores. Nothing was measured."
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    return f"Corpus: {run.corpus}. {run.cores} cores. Measured {when}; see the end of the page."


def markdown(run: Run, parts: list[Section], pictures: Mapping[str, str], note: str = "") -> str:
    """Return the report as Markdown; ``pictures`` are file names by figure."""
    lines = [f"# {_TITLE}", "", _opening(run), ""]
    lines += [note, ""] if note else []
    for part in parts:
        lines += [f"## {part.title}", ""]
        lines += [part.text, ""] if part.text else []
        if part.figure in pictures:
            lines += [f"![{CAPTIONS[part.figure]}]({pictures[part.figure]})", ""]
        lines += [*markdown_table(part.grid), ""] if part.grid else []
        lines += [*(f"- {line}" for line in part.notes), ""] if part.notes else []
    return "\n".join(lines)


def html(run: Run, parts: list[Section], pictures: Mapping[str, str], note: str = "") -> str:
    """Return the report as one page that needs no other file; ``pictures`` are SVG by figure."""
    body = [f"<p>{escape(_opening(run))}</p>"]
    body += [f"<p>{escape(note)}</p>"] if note else []
    for part in parts:
        body.append(f"<h2>{escape(part.title)}</h2>")
        body += [f"<p>{_inline(part.text)}</p>"] if part.text else []
        if part.figure in pictures:
            caption = escape(CAPTIONS[part.figure])
            picture = pictures[part.figure]
            body.append(f'<figure role="img" aria-label="{caption}">{picture}</figure>')
        kind = "grid numbers" if part.numbers else "grid"
        body += [f'<div class="{kind}">{_code(html_table(part.grid))}</div>'] if part.grid else []
        if part.notes:
            body.append("<ul>" + "".join(f"<li>{_inline(n)}</li>" for n in part.notes) + "</ul>")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{_TITLE}</title>'
        f"<style>{STYLE}{_ALIGN}</style>"
        f"<h1>{_TITLE}</h1>{''.join(body)}</html>\n"
    )


def _inline(text: str) -> str:
    return _code(escape(text))


def _code(text: str) -> str:
    """Turn backticks into code elements."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
