"""P-SIF and its peers: speed, accuracy, start-up, memory."""

from __future__ import annotations

from benchmarks.peers import NAMES, peer_class
from benchmarks.ratios import OURS
from benchmarks.report.section import Section, number
from benchmarks.results import Results
from benchmarks.targets import whole_seconds


def peer_sections(results: Results, cores: int) -> list[Section]:
    """Return the tables with one row per method."""
    return [
        _methods(results, cores),
        _lengths(results, cores),
        _one_document(results, cores),
        _sizes(results, cores),
    ]


def _measured(results: Results, cores: int) -> list[str]:
    return [name for name in NAMES if f"fit/{name}/{cores}" in results]


_ABOUT_METHODS = (
    "Each method is fitted on the training documents and embeds all documents from raw text with "
    "the saved model; vectors are not kept. Accuracy: a linear classifier on the test documents, "
    "with C chosen by folds of the training documents (protocol inductive). STS-B: Pearson "
    "correlation × 100 on its test pairs; methods that learn are fitted on sentences of other "
    "sets. A slow method embeds a random part of the documents, and the time for the whole corpus "
    "follows from its speed."
)


def _methods(results: Results, cores: int) -> Section:
    header = ["method", "accuracy", "STS-B", "numbers", "fit, s", "documents/s, 1 thread"]
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
                number(results.get(f"score/{name}", {}).get("accuracy"), ".1f"),
                number(results.get(f"sts/{name}", {}).get("pearson"), ".1f"),
                f"{fit['numbers']:,}",
                number(fit["seconds"], ".1f") if peer_class(name).learns else "–",
                number(results.get(f"embed/{name}/1", {}).get("documents_per_second"), ",.0f"),
                number(embed.get("documents_per_second"), ",.0f"),
                number(embed.get("mb_per_second"), ",.1f"),
                number(whole, ".1f"),
                number(whole / ours if whole and ours else None, ".2f"),
            ]
        )
    cut = [
        f"{peer_class(name).title} ignores {peer_class(name).truncates}."
        for name in _measured(results, cores)
        if peer_class(name).truncates
    ]
    return Section("Methods side by side", _ABOUT_METHODS, [header, *rows], "accuracy", cut)


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
            *(number(row.get(n, {}).get("documents_per_second"), ",.0f") for n in lengths),
        ]
        for name, row in found.items()
    ]
    text = f"Documents per second by the length of the documents, {cores} threads."
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
                number(late.get("p50_us"), ",.0f"),
                number(late.get("p99_us"), ",.0f"),
                number(start.get("import_seconds"), ".2f"),
                number(start.get("first_vector_seconds"), ".2f"),
            ]
        )
    first = results.get(f"start/{OURS}/first")
    notes = []
    if first is not None:
        notes.append(
            "P-SIF compiles its loops once after installation. That first process took "
            f"{first['first_vector_seconds']:.1f} s to its first vector."
        )
    text = (
        "One document of 12 words in a warm process. The time to the first vector includes the "
        "start of the interpreter, the imports and loading the saved model."
    )
    return Section("One document, and starting up", text, [header, *rows], notes=notes)


def _sizes(results: Results, cores: int) -> Section:
    header = ["method", "peak while fitting, MB", "peak while embedding, MB", "model, MB"]
    rows = []
    for name in _measured(results, cores):
        fit = results[f"fit/{name}/{cores}"]
        rows.append(
            [
                peer_class(name).title,
                number(fit["peak_mb"], ",.0f") if peer_class(name).learns else "–",
                number(results.get(f"embed/{name}/{cores}", {}).get("peak_mb"), ",.0f"),
                number(fit["model_mb"], ",.0f"),
                f"{4 * fit['numbers']:,}" if name != "tfidf" else "sparse",
            ]
        )
    text = "Memory of the whole process, with the interpreter, its libraries and the corpus."
    return Section("Memory and size", text, [[*header, "bytes per vector"], *rows])
