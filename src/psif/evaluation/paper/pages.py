"""A reproduction as Markdown and as one HTML file: first whether the paper holds, then tables."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from psif.evaluation.paper.comparison import comparison_grid, mean_grid
from psif.evaluation.paper.dot_plot import dots_svg
from psif.evaluation.paper.examples import example_grid, worked_sentences
from psif.evaluation.paper.grids import STYLE, Grid, html_table, markdown_table
from psif.evaluation.paper.length_bars import COLOURS, bars_svg, words
from psif.evaluation.paper.length_figure import SENTENCES, Bar, Figure
from psif.evaluation.paper.paper_tables import PROTOCOLS, TABLES
from psif.evaluation.paper.provenance import provenance_lines, tokens_note
from psif.evaluation.paper.published import table as printed_table
from psif.evaluation.paper.reasons import PUBLISHED_ONLY, STATIC_MODELS, counted, footnotes
from psif.evaluation.paper.reproduction import Reproduction, Row
from psif.evaluation.paper.seed_table import pair_grid, seed_grid
from psif.evaluation.paper.verdicts import answer, verdict_grid
from psif.evaluation.runner.results import Result
from psif.runtime.atomic import atomic_path


class Section(NamedTuple):
    """A table of ours: at a glance with a plot and footnotes, number by number, and as printed."""

    title: str
    ours: Grid
    wide: Grid | None = None
    printed: Grid | None = None
    note: str = ""
    footnotes: tuple[str, ...] = ()
    plot: str = ""


_INTRODUCTION = (
    "Published: as the paper prints it. Ours (paper): its settings, learned from training and test "
    "texts together. Ours (inductive): one fixed setting for all tasks of a kind, learned from "
    "training documents only. Shares and correlations × 100; ± is a standard deviation over drawn "
    "splits. Scores of similarity depend on the word vectors, and the paper's are not available. "
    "For pairs of captions the cosines are shown; the truth is the given score over 5, and a "
    "positive difference means that the same method is closer to it as in the paper."
)
_METHODS = (
    "Three forms of P-SIF: psif-plain is the published algorithm, SIF in 40 topics with nothing "
    "else changed. psif has our settings (under the protocol paper: the paper's), without columns "
    "of exact words. psif-hybrid has them: most of its cosine comes from exact words, so its "
    "scores are not those of P-SIF alone."
)
_QUESTION = "Does the paper hold?"
_VERDICTS = (
    "Mean difference, and on how many sets it is above zero. A claim holds if the mean is above "
    "zero and at least four sets in five are, in part if only the mean is. The verdicts are for "
    "ours (paper) / ours (inductive), where P-SIF is P-SIF as published. Paired tests: sets with "
    "a difference that chance does not explain (p < 0.05, inductive, several seeds)."
)
# What stands under the answer.
_EXPLAINED = (_VERDICTS, _INTRODUCTION, _METHODS)
_SEEDS = (
    "Accuracy (Reuters: P@1) × 100, inductive, mean ± standard deviation over seeds, which enter "
    "word vectors, topics, folds and drawn splits. All methods have the same tokens."
)
_PAIRED = (
    "Differences with 95 % intervals of a paired bootstrap over test documents; in brackets where "
    "p is 0.05 or more."
)
_REPRODUCED = "{}: ours (paper) is within a point of {} of {} printed numbers."
_OPEN = (
    "{} scores are missing or older than the present settings of their method; the section "
    '"Not scored" names them.'
)
_CELLS = "In each cell: published / ours (paper) / ours (inductive)."
_MEANS = "Means over the sets, ours (inductive), of the methods that are scored on all of them."
_STYLE = (
    f"{STYLE}.long td+td+td+td,.wide td+td{{text-align:right;font-variant-numeric:tabular-nums}}"
    ".wide td+td{white-space:nowrap}.scroll{overflow-x:auto}"
    "svg{max-width:100%;height:auto;vertical-align:top}svg text{fill:currentColor}"
    "summary{cursor:pointer}.about{opacity:.7}"
)


def write_pages(done: Reproduction, figures: Sequence[Figure], folder: str | Path) -> list[Path]:
    """Write ``tables.md`` and ``tables.html``; return their paths."""
    sections = _answers(done, figures)
    for name, rows in done.tables.items():
        if name == "examples":
            sections += _example_sections(done)
        else:
            sections.append(_section(name, rows, tokens_note(rows, done.runs)))
    failures = [f"{f.task}, {f.method}, {f.protocol}: {f.reason}" for f in done.failures]
    failures += [f"{name}: still to be scored with these settings" for name in done.missing]
    about = provenance_lines(done.runs)
    pages = {
        "tables.md": _markdown(sections, figures, failures, about),
        "tables.html": _html(sections, figures, failures, about),
    }
    paths = []
    for name, text in pages.items():
        path = Path(folder) / name
        with atomic_path(path) as part:
            part.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def _answers(done: Reproduction, figures: Sequence[Figure]) -> list[Section]:
    """Say whether the paper holds, then how sure that is."""
    bars = figures[0].bars if figures else []
    counts = {TABLES[name].title: counted(rows) for name, rows in done.tables.items()}
    verdicts = verdict_grid(done.results, done.seeds, bars)
    missing = [_OPEN.format(len(done.missing))] if done.missing else []
    sections = [
        Section(
            _QUESTION,
            verdicts,
            note=" ".join([answer(verdicts), *missing]),
            footnotes=tuple(
                _REPRODUCED.format(title, n, m) for title, (n, m) in counts.items() if m
            ),
        )
    ]
    if done.seeds:
        sections.append(Section("Several seeds", seed_grid(done.seeds, "inductive"), note=_SEEDS))
        sections.append(Section("Differences", pair_grid(done.seeds, "inductive"), note=_PAIRED))
    return sections


def _section(name: str, rows: Sequence[Row], tokens: str) -> Section:
    table = TABLES[name]
    if not rows:
        return Section(table.title, [["no scores yet"]])
    ours = our_grid(rows, table.protocols)
    if not table.source:
        note = f"{_MEANS} {tokens}".strip()
        beside = (STATIC_MODELS,) if name == "pooled" else ()
        grid = mean_grid(rows, "inductive")
        return Section(table.title, ours, grid, note=note, footnotes=beside)
    shown = [row for row in rows if table.shows(row.method)]
    return Section(
        table.title,
        ours,
        comparison_grid(shown, table.protocols),
        printed_grid(table.source),
        f"{_CELLS} {tokens}".strip(),
        (*footnotes(shown), *_published_only(table.source)),
        dots_svg(shown, table.title),
    )


def _published_only(source: str) -> list[str]:
    """Name printed rows that we do not score, and why."""
    names = printed_table(source)
    return [
        f"{name}: as published; {PUBLISHED_ONLY[name]}." for name in names if name in PUBLISHED_ONLY
    ]


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
    """Header and cells: our scores beside the printed ones."""
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
    """Header and cells: methods down, lengths across."""
    shown = [bar for bar in bars if bar.method in COLOURS]
    places = list(dict.fromkeys((b.texts, b.protocol, b.low, b.high) for b in shown))
    places.sort(key=lambda place: (place[0] != SENTENCES, place[:3]))
    found = {((b.texts, b.protocol, b.low, b.high), b.method): b for b in shown}
    methods = [name for name in COLOURS if any(b.method == name for b in shown)]
    grid = [["texts", "protocol", "words", *methods]]
    for place in places:
        texts, protocol, low, high = place
        gains = [found.get((place, method)) for method in methods]
        cells = ["" if bar is None else f"{bar.gain:+.1f}" for bar in gains]
        grid.append([texts, protocol, words(low, high), *cells])
    return grid


def _score(result: Result | None) -> str:
    if result is None:
        return ""
    spread = "" if result.deviation is None else f" ± {result.deviation:.2f}"
    sample = "" if result.sample is None else f" (sample of {result.sample})"
    return f"{result.score:.2f}{spread}{sample}"


def _markdown(
    sections: list[Section], figures: Sequence[Figure], failures: list[str], about: list[str]
) -> str:
    lines = ["# P-SIF, reproduced", ""]
    for title, ours, wide, _, note, notes, _ in sections:
        lines += [f"## {title}", ""]
        lines += [note, ""] if note else []
        # Number by number is in scores.csv and on the HTML page: here it would be very long.
        lines += [*markdown_table(wide or ours), ""]
        lines += [*(f"- {line}" for line in notes), ""] if notes else []
        lines += [line for text in _EXPLAINED for line in (text, "")] * (title == _QUESTION)
    for figure in figures:
        lines += [
            f"## {figure.title}",
            "",
            figure.note,
            "",
            *markdown_table(_length_grid(figure.bars)),
            "",
        ]
    if failures:
        lines += ["## Not scored", "", *(f"- {reason}" for reason in failures), ""]
    lines += ["## How it was made", "", *(f"- `{line}`" for line in about), ""] if about else []
    return "\n".join(lines)


def _html(
    sections: list[Section], figures: Sequence[Figure], failures: list[str], about: list[str]
) -> str:
    body = []
    for title, ours, wide, printed, note, notes, plot in sections:
        body.append(f"<h2>{escape(title)}</h2><p>{escape(note)}</p>{plot}")
        kind = "claims" if title == _QUESTION else "long"
        body.append(_scroll(wide, "wide") if wide else _scroll(ours, kind))
        items = "".join(f"<li>{escape(line)}</li>" for line in notes)
        body.append(f"<ul>{items}</ul>" if items else "")
        body += [f"<p>{escape(text)}</p>" for text in _EXPLAINED] * (title == _QUESTION)
        body.append(_folded("Number by number", ours) if wide else "")
        body.append(_folded("As printed", printed) if printed else "")
    for figure in figures:
        body.append(f"<h2>{escape(figure.title)}</h2><p>{escape(figure.note)}</p>")
        body.append(f"{bars_svg(figure)}{_scroll(_length_grid(figure.bars), 'long')}")
    if failures:
        items = "".join(f"<li>{escape(reason)}</li>" for reason in failures)
        body.append(f"<h2>Not scored</h2><ul>{items}</ul>")
    made = "".join(f'<p class="about">{escape(line)}</p>' for line in about)
    body.append(f"<h2>How it was made</h2>{made}" if made else "")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>P-SIF, reproduced</title>'
        f"<style>{_STYLE}</style><h1>P-SIF, reproduced</h1>{''.join(body)}</html>\n"
    )


def _scroll(grid: Grid, kind: str) -> str:
    return f'<div class="scroll {kind}">{html_table(grid)}</div>'


def _folded(title: str, grid: Grid) -> str:
    return f"<details><summary>{title}</summary>{_scroll(grid, 'long')}</details>"
