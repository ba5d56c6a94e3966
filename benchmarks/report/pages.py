"""Lay sections out as Markdown and as one HTML file, with pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from benchmarks.report.plots import figures
from benchmarks.report.sections import Section, sections
from psif.errors import MissingExtraError
from psif.evaluation.paper.grids import STYLE, html_table, pipes
from psif.runtime.atomic import atomic_path
from psif.runtime.provenance import described

_TITLE = "P-SIF beside its peers"
_ALIGN = (
    ".numbers td+td,.numbers th+th{text-align:right;font-variant-numeric:tabular-nums}"
    ".grid{overflow-x:auto}figure{margin:1rem 0}svg{max-width:100%;height:auto}"
)
CAPTIONS = {
    "accuracy": "Accuracy over documents a second, one point a method",
    "growth": "Time over what grows, logarithmic axes",
    "roofline": "Our loops below the machine's ceilings",
}


def write_report(run: Mapping[str, Any], folder: Path, name: str = "bench") -> list[Path]:
    """Write ``NAME.json``, ``.md``, ``.html`` and the pictures; return their paths.

    Without matplotlib there are no pictures, and the pages say so.
    """
    try:
        pictures, note = figures(run), ""
    except MissingExtraError as error:
        pictures, note = {}, str(error)
    parts = sections(run)
    files = {
        f"{name}.json": json.dumps(run, indent=1) + "\n",
        f"{name}.md": markdown(run, parts, {key: f"{name}-{key}.svg" for key in pictures}, note),
        f"{name}.html": html(run, parts, pictures, note),
        **{f"{name}-{key}.svg": f"{svg}\n" for key, svg in pictures.items()},
    }
    for file, text in files.items():
        with atomic_path(folder / file) as part:
            part.write_text(text, encoding="utf-8")
    return [folder / file for file in files]


def _opening(run: Mapping[str, Any]) -> str:
    return f"Corpus: {run['corpus']}. {described(run['environment'])}."


def markdown(
    run: Mapping[str, Any], parts: list[Section], pictures: Mapping[str, str], note: str = ""
) -> str:
    """Return the report as Markdown; ``pictures`` are file names by figure."""
    lines = [f"# {_TITLE}", "", f"`{run['command']}`. {_opening(run)}", ""]
    lines += [note, ""] if note else []
    for part in parts:
        lines += [f"## {part.title}", ""]
        lines += [part.text, ""] if part.text else []
        if part.figure in pictures:
            lines += [f"![{CAPTIONS[part.figure]}]({pictures[part.figure]})", ""]
        lines += [*pipes(part.grid), ""] if part.grid else []
        lines += [*(f"- {line}" for line in part.notes), ""] if part.notes else []
    return "\n".join(lines)


def html(
    run: Mapping[str, Any], parts: list[Section], pictures: Mapping[str, str], note: str = ""
) -> str:
    """Return the report as one page that needs nothing else; ``pictures`` are SVG by figure."""
    body = [f"<p><code>{escape(run['command'])}</code>. {escape(_opening(run))}</p>"]
    body += [f"<p>{escape(note)}</p>"] if note else []
    for part in parts:
        body.append(f"<h2>{escape(part.title)}</h2>")
        body += [f"<p>{escape(part.text)}</p>"] if part.text else []
        if part.figure in pictures:
            caption = escape(CAPTIONS[part.figure])
            picture = pictures[part.figure]
            body.append(f'<figure role="img" aria-label="{caption}">{picture}</figure>')
        kind = "grid numbers" if part.numbers else "grid"
        body += [f'<div class="{kind}">{html_table(part.grid)}</div>'] if part.grid else []
        if part.notes:
            body.append("<ul>" + "".join(f"<li>{escape(n)}</li>" for n in part.notes) + "</ul>")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{_TITLE}</title>'
        f"<style>{STYLE}{_ALIGN}</style>"
        f"<h1>{_TITLE}</h1>{''.join(body)}</html>\n"
    )
