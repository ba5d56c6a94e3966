"""The parts of P-SIF: dictionary learning, growth, the roofline of the compiled loops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.ratios import OURS, exponent, growth_curves
from benchmarks.report.roofline_notes import ROOFLINE_NOTES
from benchmarks.report.section import Section, number
from benchmarks.results import Results


def loop_sections(results: Results, corpus: str) -> list[Section]:
    """Return the tables about parts of P-SIF."""
    return [
        _dictionary(results),
        _growth(results),
        _parts_of_the_corpus(results, corpus),
        _roofline(results),
    ]


def _dictionary(results: Results) -> Section:
    found = {
        name.split("/")[1]: row for name, row in results.items() if name.startswith("dictionary/")
    }
    ours = found.get(OURS)
    rows = [
        [
            name,
            f"{row['seconds']:.2f}",
            number(row["seconds"] / ours["seconds"] if ours else None, ".1f"),
            f"{row['error']:.4f}",
        ]
        for name, row in found.items()
    ]
    first: Mapping[str, Any] = next(iter(found.values()), {})
    text = (
        "" if not first else
        f"{first['words']:,} × {first['dim']} word vectors, K = {first['topics']}, "
        f"k = {first['topics'] // 2}, {first['iterations']} iterations. The relative error is that "
        "of coding all words by orthogonal matching pursuit with the learned atoms. spams learns "
        "online, in as many passes."
    )  # fmt: skip
    header = ["package", "seconds", "times P-SIF", "relative error"]
    notes = [_large(results["large/dictionary"])] if "large/dictionary" in results else []
    return Section("Learning a dictionary", text, [header, *rows], notes=notes)


def _large(row: Mapping[str, Any]) -> str:
    return (
        f"A large dictionary: {row['words']:,} × {row['dim']} vectors, K = {row['topics']}, "
        f"{row['iterations']} iterations: {row['seconds']:.0f} s, peak memory "
        f"{row['peak_mb'] / 1024:.1f} GB (the vectors alone are "
        f"{4 * row['words'] * row['dim'] / 2**30:.2f} GB)."
    )


def _parts_of_the_corpus(results: Results, corpus: str) -> Section:
    rows = [
        [
            f"{row['documents']:,}",
            f"{row['words']:,}",
            f"{row['seconds']:.1f}",
            f"{row['peak_mb']:,.0f}",
        ]
        for name, row in results.items()
        if name.startswith("growth/corpus/")
    ]
    text = (
        f"Fit on parts of {corpus} and embed them; vectors are not kept, the raw texts are in "
        "memory. Seconds include loading compiled code."
    )
    header = ["documents", "words", "seconds", "peak MB"]
    return Section("Memory by number of documents", text, [header, *rows])


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
        f"{row['documents']:,} documents: peak memory {row['peak_mb']:,.0f} MB, of which "
        f"{row['texts_mb']:,.0f} MB before fitting (the texts and the libraries)."
        for name, row in results.items()
        if name.startswith("growth/documents/")
    ]
    text = (
        "The exponent is the slope of a line through the logarithms. Documents: generated, 100 "
        "words each, K = 20, d = 100. Other axes: single steps with everything else fixed."
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
                    f"{row['flops_per_second'] / 1e9:.1f}",
                    f"{row['ceiling'] / 1e9:.1f} ({row['bound']})",
                    f"{row['fraction']:.0%}",
                ]
            )
            if row["fraction"] < 0.4 and row["name"] in ROOFLINE_NOTES:
                notes.append(f"{row['name']}: {ROOFLINE_NOTES[row['name']]}")
        peaks = ", ".join(f"{k} {v / 1e9:.0f} GFLOP/s" for k, v in result["peaks"].items())
        bandwidth = f"{result['bandwidth'] / 1e9:.0f} GB/s"
        notes.append(f"Ceilings with {_threads(threads)}: {peaks}, {bandwidth}.")
    text = (
        "Operations per second of our loops against the lower of two ceilings measured in the same "
        "process: a large matrix product in the number type of the loop, and the speed of a copy "
        "times the operations per byte."
    )
    header = ["loop", "threads", "operations/byte", "GFLOP/s", "ceiling", "share"]
    return Section("Roofline", text, [header, *rows], "roofline", list(dict.fromkeys(notes)))


def _threads(n: str) -> str:
    return "1 thread" if n == "1" else f"{n} threads"
