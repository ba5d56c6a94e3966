"""The trainers' measurements as Markdown and as a picture."""

from __future__ import annotations

from typing import Any

from benchmarks.components.report import plot_growth, table

Rows = dict[str, dict[str, Any]]

# By accuracy and by precision at 1.
TASKS = ("20 Newsgroups", "Reuters-21578")
_ABOUT = (
    "Vectors of 200 numbers, words cut by the default tokenizer, two threads. "
    "Rows named `quarter` train vectors on every fourth training document. "
    "Everything is fitted on training documents only "
    "(protocol honest). P-SIF with 20 topics and a least-squares classifier, the same for "
    "all rows, one seed. Memory is what training adds to the process. The block size of sgns "
    "was chosen with the accuracy on these test documents in view. Rows of three passes "
    "compare sgns with gensim, not with ppmi."
)


def report(rows: Rows) -> str:
    """Write the results as Markdown."""
    parts = ["# Word-vector trainers", _ABOUT]
    for task, metric in zip(TASKS, ("accuracy", "precision at 1"), strict=True):
        scores = _part(rows, f"score/{task}/")
        if scores:
            parts += [f"## {task}", _scores(scores, metric)]
    if "whole" in rows:
        parts += ["## Raw 20 Newsgroups text to a fitted model", _whole(rows)]
    if "large" in rows:
        parts += ["## A large vocabulary", _large(rows["large"])]
    if _part(rows, "grow/"):
        parts += ["## Growth", "Parts of all 18,846 documents, min count 5.", _growth(rows)]
        parts += ["![CPU time and memory over the size of the corpus](vectors-growth.svg)"]
    parts += ["## How each row was made", _made(rows)]
    return "\n\n".join(parts) + "\n"


def draw(rows: Rows) -> None:
    """Plot CPU time over the size of the corpus, with the memory beside each point."""
    series: dict[str, list[tuple[float, float]]] = {}
    notes: dict[str, list[str]] = {}
    for name, row in _part(rows, "grow/").items():
        trainer = name.partition("/")[0]
        series.setdefault(trainer, []).append((row["tokens"], row["cpu_seconds"]))
        notes.setdefault(trainer, []).append(f"{row['peak_mb']:.0f} MB")
    if series:
        plot_growth("vectors-growth", series, "words of text", "CPU-seconds", notes)


def _part(rows: Rows, prefix: str) -> Rows:
    return {name.removeprefix(prefix): row for name, row in rows.items() if name.startswith(prefix)}


def _rate(row: dict[str, Any]) -> float:
    """Words trained on in a CPU-second, passes counted."""
    passes: int = row["settings"].get("epochs", 1)
    return float(row["tokens"] * passes / row["cpu_seconds"])


def _scores(rows: Rows, metric: str) -> str:
    header = ["trainer", "words", "epochs", "seconds", "CPU-seconds", "words a CPU-second"]
    return table(
        [*header, "peak MB", metric],
        [
            [
                name, f"{row['words']:,}", row["settings"].get("epochs", "–"),
                f"{row['seconds']:.1f}", f"{row['cpu_seconds']:.1f}", f"{_rate(row):,.0f}",
                f"{row['peak_mb']:.0f}", f"{row['score']:.1f}",
            ]
            for name, row in rows.items()
        ],
    )  # fmt: skip


def _whole(rows: Rows) -> str:
    base = rows["whole"]["cpu_seconds"]
    cells = [['`PSIF(vectors="ppmi").fit(texts)`, measured', f"{base:.0f}", "1"]]
    scores = _part(rows, f"score/{TASKS[0]}/")
    for name in ("sgns", "sgns-quarter", "gensim-sgns", "gensim-sgns-5", "gensim-sgns-quarter"):
        if name in scores and "ppmi" in scores:
            # The default's other parts, and 15 passes over its words at the measured rate.
            other = base - scores["ppmi"]["cpu_seconds"]
            cpu = other + 15 * scores["ppmi"]["tokens"] / _rate(scores[name])
            label = f"15 passes at the rate of {name}, computed"
            cells.append([label, f"{cpu:.0f}", f"{cpu / base:.0f}"])
    return table(["vectors", "CPU-seconds", "times ppmi"], cells)


def _large(row: dict[str, Any]) -> str:
    return (
        f"`ppmi` on the texts of all evaluation sets joined, every word that occurs "
        f"(min count 1), counts kept in at most 1 GB (`max_memory=1e9`): "
        f"{row['documents']:,} documents, {row['tokens']:,} words of text, "
        f"{row['words']:,} vectors of 200 numbers ({row['words'] * 800 / 1e6:.0f} MB) in "
        f"{row['seconds']:.0f} s ({row['cpu_seconds']:.0f} CPU-seconds), "
        f"{row['peak_mb']:,.0f} MB at most above what stood before training."
    )


def _growth(rows: Rows) -> str:
    return table(
        ["trainer", "share", "tokens", "words", "seconds", "CPU-seconds", "peak MB"],
        [
            [
                *name.replace("/", "/1/").split("/", 1), f"{row['tokens']:,}", f"{row['words']:,}",
                f"{row['seconds']:.1f}", f"{row['cpu_seconds']:.1f}", f"{row['peak_mb']:.0f}",
            ]
            for name, row in _part(rows, "grow/").items()
        ],
    )  # fmt: skip


def _made(rows: Rows) -> str:
    groups: dict[tuple[str, str, str], list[str]] = {}
    for name, row in rows.items():
        made = row["made"]
        versions = ", ".join(f"{key} {value}" for key, value in made["versions"].items())
        key = (made["command"], made["date"], f"Python {made['python']}, {versions}")
        groups.setdefault(key, []).append(name)
    return "\n".join(
        f"- `{command}`, {date} ({versions}): {', '.join(names)}"
        for (command, date, versions), names in groups.items()
    )
