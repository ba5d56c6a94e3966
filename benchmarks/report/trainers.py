"""Word-vector trainers."""

from __future__ import annotations

from typing import Any, TypeAlias

from benchmarks.jobs.trainers import TRAINERS
from benchmarks.report.section import Section
from benchmarks.results import Results

Rows: TypeAlias = dict[str, Any]

_ABOUT = (
    "Vectors of 200 numbers from the default tokenizer. Everything is fitted on training documents "
    "only (protocol inductive): P-SIF with 20 topics and a least-squares classifier, the same for "
    "all rows, one seed. Seconds and memory are those of training alone. The block size of `sgns` "
    "was chosen with the accuracy on the test documents of 20 Newsgroups in view."
)


def trainer_sections(results: Results, corpus: str) -> list[Section]:
    """Return the tables about training word vectors."""
    scores = {
        name: results[f"trainers/{name}"] for name in TRAINERS if f"trainers/{name}" in results
    }
    return [
        Section(f"Word-vector trainers: {corpus}", _ABOUT, _scores(scores, "accuracy")),
        Section(
            "Word-vector trainers: Reuters-21578",
            "The same, with several labels per document.",
            _scores(_part(results, "trainers/reuters/"), "precision at 1"),
        ),
        _whole(results, scores),
        _growth(_part(results, "trainers/growth/")),
    ]


def _part(results: Results, prefix: str) -> Rows:
    return {
        name.removeprefix(prefix): row for name, row in results.items() if name.startswith(prefix)
    }


def _rate(row: Any) -> float:
    """Words per CPU-second, every pass counted."""
    return float(row["tokens"] * row["settings"].get("epochs", 1) / row["cpu_seconds"])


def _scores(rows: Rows, metric: str) -> list[list[str]]:
    header = ["trainer", "words", "passes", "seconds", "CPU-seconds", "words per CPU-second"]
    return [
        [*header, "added MB", metric],
        *(
            [
                name, f"{row['words']:,}", str(row["settings"].get("epochs", "–")),
                f"{row['seconds']:.1f}", f"{row['cpu_seconds']:.1f}", f"{_rate(row):,.0f}",
                f"{row['added_mb']:.0f}", f"{row['score']:.1f}",
            ]
            for name, row in rows.items()
        ),
    ]  # fmt: skip


def _whole(results: Results, scores: Rows) -> Section:
    """From raw text to a fitted model; what other vectors would cost follows from their rate."""
    whole = results.get("trainers/whole")
    header = ["vectors", "CPU-seconds", "times ppmi"]
    rows: list[list[str]] = []
    if whole is not None:
        base = whole["cpu_seconds"]
        rows.append(['`PSIF(vectors="ppmi").fit(texts)`, measured', f"{base:.0f}", "1"])
        for name, row in scores.items():
            if name in ("sgns", "gensim-sgns", "gensim-sgns-5") and "ppmi" in scores:
                other = base - scores["ppmi"]["cpu_seconds"]
                cpu = other + 15 * scores["ppmi"]["tokens"] / _rate(row)
                label = f"15 passes at the rate of {name}, computed"
                rows.append([label, f"{cpu:.0f}", f"{cpu / base:.0f}"])
    notes = [_large(results["large/vocabulary"])] if "large/vocabulary" in results else []
    text = "Raw texts to a fitted model, word vectors included."
    return Section("Raw text to a fitted model", text, [header, *rows], notes=notes)


def _large(row: Any) -> str:
    return (
        "A large vocabulary: `ppmi` on the texts of all evaluation sets, every word (min count 1), "
        f"counts in at most 1 GB: {row['documents']:,} documents, {row['tokens']:,} words of text, "
        f"{row['words']:,} vectors of 200 numbers ({row['words'] * 800 / 1e6:.0f} MB) in "
        f"{row['seconds']:.0f} s ({row['cpu_seconds']:.0f} CPU-seconds), "
        f"{row['added_mb']:,.0f} MB added by training."
    )


def _growth(rows: Rows) -> Section:
    header = ["trainer", "share", "tokens", "words", "seconds", "CPU-seconds", "added MB"]
    grid = [
        [
            *name.replace("/", "/1/").split("/", 1), f"{row['tokens']:,}", f"{row['words']:,}",
            f"{row['seconds']:.1f}", f"{row['cpu_seconds']:.1f}", f"{row['added_mb']:.0f}",
        ]
        for name, row in rows.items()
    ]  # fmt: skip
    text = "Parts of all documents, min count 5, one pass."
    return Section("Word-vector trainers: growth", text, [header, *grid], "trainers")
