"""What a report says: titles, paragraphs, tables and figures, not yet laid out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.claims import claims, whole_seconds
from benchmarks.peers import NAMES, peer_class
from benchmarks.ratios import OURS, Results, exponent, growth_curves
from benchmarks.report.reasons import REASONS
from psif.evaluation.paper.grids import Grid


@dataclass(frozen=True)
class Section:
    """One part of a report.

    Attributes
    ----------
    title : str
    text : str
        A paragraph.
    grid : list of list of str
    figure : str
        Name of a picture, if there is one.
    notes : list of str
        A list below the table.
    numbers : bool
        Whether the columns after the first hold numbers.
    """

    title: str
    text: str
    grid: Grid = field(default_factory=list)
    figure: str = ""
    notes: list[str] = field(default_factory=list)
    numbers: bool = True


def sections(run: Mapping[str, Any]) -> list[Section]:
    """All parts of a report that the run has numbers for."""
    results, cores = run["results"], run["cores"]
    made = [
        _claims(results, cores),
        _methods(results, cores),
        _lengths(results, cores),
        _one_document(results, cores),
        _sizes(results, cores),
        _dictionary(results),
        _growth(results),
        _roofline(results),
    ]
    missing = [f"{name}: {why}" for name, why in {**run["skipped"], **run["failed"]}.items()]
    kept = [section for section in made if len(section.grid) > 1]
    if missing:
        kept.append(Section("Not measured", "", notes=missing))
    return kept


def _claims(results: Results, cores: int) -> Section:
    verdict = {True: "yes", False: "no", None: "–"}
    rows = [[c.text, c.bar, c.measured, verdict[c.met]] for c in claims(results, cores)]
    return Section(
        "What we want to reach",
        "Ratios are taken within this run, on the same documents and cores.",
        [["", "bar", "measured", "reached"], *rows],
        numbers=False,
    )


def _methods(results: Results, cores: int) -> Section:
    header = ["method", "accuracy", "STS-B", "numbers", "learn, s", "documents/s, 1 thread"]
    header += [f"documents/s, {cores} threads", "MB/s", "whole corpus, s", "times P-SIF"]
    ours = whole_seconds(results, OURS, cores)
    rows = []
    for name in _measured(results, cores):
        fit = results[f"fit/{name}/{cores}"]
        embed = results.get(f"embed/{name}/{cores}", {})
        whole = whole_seconds(results, name, cores)
        rows.append(
            [
                peer_class(name).title,
                _number(results.get(f"score/{name}", {}).get("accuracy"), ".1f"),
                _number(results.get(f"sts/{name}", {}).get("pearson"), ".1f"),
                f"{fit['numbers']:,}",
                _number(fit["seconds"], ".1f") if peer_class(name).learns else "–",
                _number(results.get(f"embed/{name}/1", {}).get("documents_a_second"), ",.0f"),
                _number(embed.get("documents_a_second"), ",.0f"),
                _number(embed.get("mb_a_second"), ",.1f"),
                _number(whole, ".1f"),
                _number(whole / ours if whole and ours else None, ".2f"),
            ]
        )
    cut = [
        f"{peer_class(name).title} leaves unread {peer_class(name).truncates}."
        for name in _measured(results, cores)
        if peer_class(name).truncates
    ]
    return Section("Methods side by side", _ABOUT_METHODS, [header, *rows], "accuracy", cut)


_ABOUT_METHODS = (
    "Learned from the training documents, then all documents embedded from raw text with the saved "
    "model, vectors not kept. Accuracy: a linear classifier on the test documents, C chosen by "
    "folds of the training documents (protocol honest). STS-B: Pearson × 100 on its test pairs, "
    "methods that learn being fitted on sentences of other sets. Speeds of slow methods come from "
    "a part of the documents in random order, and the time for the whole corpus from their speed."
)


def _lengths(results: Results, cores: int) -> Section:
    found = {
        name: results[f"embed/{name}/{cores}"]["lengths"]
        for name in _measured(results, cores)
        if f"embed/{name}/{cores}" in results
    }
    lengths = list(dict.fromkeys(length for row in found.values() for length in row))
    header = ["method", *(f"{int(length):,} words" for length in lengths)]
    rows = [
        [
            peer_class(name).title,
            *(_number(row.get(n, {}).get("documents_a_second"), ",.0f") for n in lengths),
        ]
        for name, row in found.items()
    ]
    text = f"Documents a second by length, {cores} threads."
    return Section("Short and long documents", text, [header, *rows])


def _one_document(results: Results, cores: int) -> Section:
    header = ["method", "p50, µs", "p99, µs", "import, s", "first vector of a process, s"]
    rows = []
    for name in _measured(results, cores):
        late = results.get(f"embed/{name}/{cores}", {}).get("latency", {})
        start = results.get(f"start/{name}", {})
        rows.append(
            [
                peer_class(name).title,
                _number(late.get("p50_us"), ",.0f"),
                _number(late.get("p99_us"), ",.0f"),
                _number(start.get("import_seconds"), ".2f"),
                _number(start.get("first_vector_seconds"), ".2f"),
            ]
        )
    first = results.get(f"start/{OURS}/first")
    notes = []
    if first is not None:
        notes.append(
            "P-SIF compiles its loops once after installation: that first process took "
            f"{first['first_vector_seconds']:.1f} s to its first vector."
        )
    text = (
        "One document of 12 words, warm, in the library. First vector: from the start of the "
        "interpreter over import and loading of the saved model to the vector."
    )
    return Section("One document, and starting up", text, [header, *rows], notes=notes)


def _sizes(results: Results, cores: int) -> Section:
    header = ["method", "peak of learning, MB", "peak of embedding, MB", "model, MB", "vector, B"]
    rows = []
    for name in _measured(results, cores):
        fit = results[f"fit/{name}/{cores}"]
        rows.append(
            [
                peer_class(name).title,
                _number(fit["peak_mb"], ",.0f") if peer_class(name).learns else "–",
                _number(results.get(f"embed/{name}/{cores}", {}).get("peak_mb"), ",.0f"),
                _number(fit["model_mb"], ",.0f"),
                f"{4 * fit['numbers']:,}" if name != "tfidf" else "sparse",
            ]
        )
    text = "Whole processes, the interpreter, its libraries and the corpus as text included."
    return Section("Memory and size", text, [header, *rows])


def _dictionary(results: Results) -> Section:
    found = {
        name.split("/")[1]: row for name, row in results.items() if name.startswith("dictionary/")
    }
    ours = found.get(OURS)
    rows = [
        [
            name,
            f"{row['seconds']:.2f}",
            _number(row["seconds"] / ours["seconds"] if ours else None, ".1f"),
            f"{row['error']:.4f}",
        ]
        for name, row in found.items()
    ]
    any_row: Mapping[str, Any] = next(iter(found.values()), {})
    text = (
        "" if not any_row else
        f"{any_row['words']:,} × {any_row['dim']} word vectors, K = {any_row['topics']}, "
        f"k = {any_row['topics'] // 2}, {any_row['iterations']} iterations. The error is relative, "
        "of coding all words by orthogonal matching pursuit with the learned atoms. spams learns "
        "online, in as many passes."
    )  # fmt: skip
    return Section("Learning a dictionary", text, [_DICTIONARY, *rows])


_DICTIONARY = ["package", "seconds", "times P-SIF", "relative error"]


def _growth(results: Results) -> Section:
    rows = []
    for axis, parts in growth_curves(results).items():
        for part, (sizes, seconds) in parts.items():
            rows.append(
                [
                    axis,
                    part,
                    " → ".join(f"{size:,.0f}" for size in sizes),
                    " → ".join(f"{value:.3g}" for value in seconds),
                    f"{exponent(sizes, seconds):.2f}",
                ]
            )
    peaks = [
        f"{row['documents']:,} documents: peak {row['peak_mb']:,.0f} MB, of which "
        f"{row['texts_mb']:,.0f} MB before fitting (the texts and the libraries)."
        for name, row in results.items()
        if name.startswith("growth/documents/")
    ]
    text = (
        "The exponent is the slope of the line through the logarithms. Documents: generated, 100 "
        "words each, K = 20, d = 100. Other axes: single steps, the rest held fixed."
    )
    header = ["what grows", "what is done", "sizes", "seconds", "exponent"]
    return Section("Growth", text, [header, *rows], "growth", peaks, numbers=False)


def _roofline(results: Results) -> Section:
    rows, notes = [], []
    for name, result in results.items():
        if not name.startswith("roofline/"):
            continue
        threads = name.split("/")[1]
        for row in result["kernels"]:
            rows.append(
                [
                    row["name"],
                    threads,
                    f"{row['intensity']:.1f}",
                    f"{row['flops_a_second'] / 1e9:.1f}",
                    f"{row['ceiling'] / 1e9:.1f} ({row['bound']})",
                    f"{row['fraction']:.0%}",
                ]
            )
            if row["fraction"] < 0.4 and row["name"] in REASONS:
                notes.append(f"{row['name']}: {REASONS[row['name']]}")
        peaks = ", ".join(f"{k} {v / 1e9:.0f} GFLOP/s" for k, v in result["peaks"].items())
        notes.append(f"Ceilings, {threads} threads: {peaks}, {result['bandwidth'] / 1e9:.0f} GB/s.")
    text = (
        "Operations a second of our loops against the lower of two ceilings measured in this run: "
        "a large matrix product in the loop's number type, and a copy times operations per byte."
    )
    header = ["loop", "threads", "operations/byte", "GFLOP/s", "ceiling", "share"]
    return Section("Roofline", text, [header, *rows], "roofline", list(dict.fromkeys(notes)))


def _measured(results: Results, cores: int) -> list[str]:
    return [name for name in NAMES if f"fit/{name}/{cores}" in results]


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)
