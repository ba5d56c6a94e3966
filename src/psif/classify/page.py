"""The report on held-out documents as one HTML page: it needs no network and runs no script."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from psif.classify.describing import ClassDescription
from psif.classify.linear.losses import Array
from psif.classify.mistakes import Mistake
from psif.classify.reasons_html import tinted
from psif.classify.report import HeldOutReport

# Classes of the picture, classes whose cells show numbers, and classes that are described.
_MOST_PICTURED = 100
_MOST_NUMBERED = 30
_MOST_DESCRIBED = 200
_CELL, _SMALL_CELL = 26, 12
_LABEL = 24

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2330; --dim: #596273; --line: #d9dde5; --paper: #fff;
  --card: #f6f7f9; --right: #2f6fd0; --wrong: #d0562f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --dim: #9aa4b5; --line: #333b49;
  --paper: #14181f; --card: #1c222c; --right: #5b96ee; --wrong: #e88058; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.2rem; max-width: 68rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: .2rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
p { margin: .4rem 0; max-width: 46rem; }
.dim, small { color: var(--dim); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; min-width: 11rem; }
td.words { text-align: left; min-width: 12rem; }
svg { display: block; max-width: none; color: var(--ink); }
svg text { fill: currentColor; font: 12px system-ui, sans-serif; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: .7rem .9rem; margin: .7rem 0; }
.card p { overflow-wrap: anywhere; max-width: none; }
.text { max-height: 14rem; overflow-y: auto; white-space: pre-wrap; }
.given { color: var(--dim); }
"""


def report_page(
    title: str,
    report: HeldOutReport,
    mistakes: Sequence[Mistake],
    described: Sequence[ClassDescription],
    facts: Sequence[str] = (),
) -> str:
    """Return the page.

    Parameters
    ----------
    title : str
    report : HeldOutReport
    mistakes : sequence of Mistake
    described : sequence of ClassDescription
    facts : sequence of str
        Short sentences for the head of the page.
    """
    head = f"Accuracy {report.accuracy:.1f} on {report.n_docs:,} held-out documents"
    if report.micro_f1 is not None:
        head += f", micro F1 {report.micro_f1:.1f}"
    parts = [
        f"<h1>{escape(title)}</h1><p><b>{head}</b></p>",
        "".join(f'<p class="dim">{escape(fact)}</p>' for fact in facts),
        _picture(report),
        _classes(report),
        _mistakes(mistakes),
        _described(described),
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body>{''.join(parts)}</body></html>\n"
    )


def _picture(report: HeldOutReport) -> str:
    if report.confusion is None:
        return ""
    n = len(report.classes)
    if n > _MOST_PICTURED:
        return f'<p class="dim">The confusion matrix of {n:,} classes is too large to draw.</p>'
    svg = confusion_svg(report.confusion, [row.label for row in report.classes])
    return (
        "<h2>Confusion matrix</h2><p>Rows are given classes, columns predicted ones, in the same "
        "order. Blue is right, orange is wrong; the stronger, the larger the part of the row.</p>"
        f'<div class="wide">{svg}</div>'
    )


def confusion_svg(confusion: Array, names: Sequence[str]) -> str:
    """Return the matrix as a picture; each cell says its classes and number on hovering."""
    n = len(names)
    cell = _CELL if n <= _MOST_NUMBERED else _SMALL_CELL
    short = [_short(str(name)) for name in names]
    left = 10 + 7 * max(len(name) for name in short) + 7 * len(str(n)) + 14
    top = 20
    shapes = []
    for j in range(n if cell == _CELL else 0):
        x = left + j * cell + cell // 2
        shapes.append(f'<text x="{x}" y="{top - 6}" text-anchor="middle">{j + 1}</text>')
    for i, row in enumerate(confusion.tolist()):
        y = top + i * cell
        if cell == _CELL or n <= _MOST_PICTURED:
            size = "" if cell == _CELL else ' style="font-size:10px"'
            shapes.append(
                f'<text x="{left - 8}" y="{y + cell // 2 + 4}" text-anchor="end"{size}>'
                f"{escape(short[i])} {i + 1}</text>"
            )
        total = sum(row) or 1
        for j, count in enumerate(row):
            if not count:
                continue
            # Numbers stay readable on at most half of the colour, and one document is visible.
            strength = 0.08 + 0.47 * (count / total) ** 0.5
            colour = "right" if i == j else "wrong"
            shapes.append(
                f"<g><title>{escape(str(names[i]))} as {escape(str(names[j]))}: {count:,}</title>"
                f'<rect x="{left + j * cell}" y="{y}" width="{cell - 1}" height="{cell - 1}" '
                f'fill="var(--{colour})" fill-opacity="{strength:.2f}"/>'
            )
            if cell == _CELL:
                number = f"{count}" if count < 1000 else f"{count / 1000:.0f}k"
                shapes.append(
                    f'<text x="{left + j * cell + cell // 2}" y="{y + cell // 2 + 4}" '
                    f'text-anchor="middle" style="font-size:11px">{number}</text>'
                )
            shapes.append("</g>")
    width, height = left + n * cell + 8, top + n * cell + 6
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="confusion matrix of {n} classes">{"".join(shapes)}</svg>'
    )


def _classes(report: HeldOutReport) -> str:
    rows = "".join(
        f"<tr><td>{escape(str(row.label))}</td><td>{row.precision:.1f}</td>"
        f"<td>{row.recall:.1f}</td><td>{row.f1:.1f}</td><td>{row.n_docs:,}</td></tr>"
        for row in report.classes
    )
    return (
        '<h2>Classes</h2><div class="wide"><table><tr><th>class</th><th>precision</th>'
        f"<th>recall</th><th>F1</th><th>documents</th></tr>{rows}</table></div>"
    )


def _mistakes(mistakes: Sequence[Mistake]) -> str:
    if not mistakes:
        return "<h2>Mistakes</h2><p>There are none among the held-out documents.</p>"
    cards = "".join(
        f'<div class="card"><p><b>{_labels(mistake.predicted)}</b> '
        f'<span class="given">predicted, given: {_labels(mistake.given)}</span></p>'
        f'<p class="text">{tinted(mistake.reasons)}</p></div>'
        for mistake in mistakes
    )
    return (
        "<h2>The surest mistakes</h2><p>Some of them may be wrong labels. Green words speak for "
        f"the prediction, red words against it.</p>{cards}"
    )


def _described(described: Sequence[ClassDescription]) -> str:
    rows = "".join(
        f"<tr><td>{escape(str(one.label))}</td>"
        f'<td class="words">{escape(", ".join(word.word for word in one.words_for))}</td>'
        f'<td class="words">{escape(", ".join(word.word for word in one.words_against))}</td></tr>'
        for one in described[:_MOST_DESCRIBED]
    )
    return (
        '<h2>What speaks for and against a class</h2><div class="wide"><table><tr><th>class</th>'
        '<th style="text-align:left">for</th><th style="text-align:left">against</th></tr>'
        f"{rows}</table></div>"
    )


def _labels(value: object) -> str:
    if isinstance(value, list):
        return escape(", ".join(map(str, value)) or "no label")
    return escape(str(value))


def _short(label: str) -> str:
    return label if len(label) <= _LABEL else label[: _LABEL - 1] + "…"
