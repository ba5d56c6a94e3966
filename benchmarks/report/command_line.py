"""The command line from files to files."""

from __future__ import annotations

from statistics import median
from typing import Any

from benchmarks.ratios import rounds_over_tfidf
from benchmarks.report.section import Section, number
from benchmarks.results import Results

_WAYS = {
    "tfidf": "`TfidfVectorizer().fit_transform`, texts in memory",
    "fit": "`psif embed`, fitting included",
    "saved": "`psif embed --model`",
}


def command_line_sections(results: Results) -> list[Section]:
    """Return the tables about ``psif embed`` and starting ``psif``."""
    return [_against_tfidf(results), _documents(results), _start(results)]


def _against_tfidf(results: Results) -> Section:
    result: Any = results.get("command/embed", {})
    rounds = result.get("rounds", [])
    over = rounds_over_tfidf(result)
    rows = []
    for way, title in _WAYS.items() if rounds else ():
        costs = [row[way] for row in rounds]
        peaks = [row["peak_mb"] for row in costs if "peak_mb" in row]
        rows.append(
            [
                title,
                f"{median(row['seconds'] for row in costs):.2f}",
                f"{median(row['cpu_seconds'] for row in costs):.2f}",
                "1.00" if way == "tfidf" else f"{median(over[way]):.2f}",
                _range(over[way]) if way != "tfidf" else "–",
                number(max(peaks) if peaks else None, ",.0f"),
            ]
        )
    text = (
        "" if not rounds else
        f"{result['documents']:,} raw documents ({result['mb']:.0f} MB) to a Parquet file of the "
        "vectors of the default settings. `psif embed` is a whole process that reads and writes "
        "files. All take turns; the ratio is taken within each round. "
        + (f"Each is the best of {result['best_of']} rounds." if "best_of" in result
           else f"{len(rounds)} rounds, medians.")
    )  # fmt: skip
    header = ["", "seconds", "CPU-seconds", "times TF-IDF", "range", "peak MB"]
    return Section("The command line against TF-IDF", text, [header, *rows])


def _range(found: list[float]) -> str:
    return f"{min(found):.2f} to {max(found):.2f}" if len(found) > 1 else "–"


def _documents(results: Results) -> Section:
    header = ["documents", "fit and embed, s", "µs per document", "peak MB"]
    header += ["saved model, s", "µs per document", "peak MB"]
    found = [row for name, row in results.items() if name.startswith("command/documents/")]
    rows = [
        [
            f"{row['documents']:,}",
            *(
                cell
                for way in ("fit", "saved")
                for cell in (
                    f"{row[way]['seconds']:.2f}",
                    f"{1e6 * row[way]['seconds'] / row['documents']:,.0f}",
                    f"{row[way]['peak_mb']:,.0f}",
                )
            ),
        ]
        for row in found
    ]
    numbers = found[0]["numbers"] if found else 0
    text = f"`psif embed` on generated documents of 100 words, {numbers} numbers per vector."
    return Section("The command line by number of documents", text, [header, *rows], "command")


def _start(results: Results) -> Section:
    result = results.get("command/start", {})
    titles = {
        "help": "`psif --help`",
        "first": "first `psif embed` of a small file, which compiles the loops",
        "second": "second `psif embed` of a small file",
    }
    rows = [
        [
            title,
            f"{result[key]['seconds']:.2f}",
            f"{result[key]['cpu_seconds']:.2f}",
            number(result[key].get("peak_mb"), ",.0f"),
        ]
        for key, title in titles.items()
        if key in result
    ]
    header = ["", "seconds", "CPU-seconds", "peak MB"]
    return Section("Starting the command line", "Whole processes.", [header, *rows])
