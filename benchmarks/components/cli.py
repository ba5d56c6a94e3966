"""The command line from files to files: time against TF-IDF, memory, growth, start-up.

Run as ``python -m benchmarks.cli [newsgroups|scale|start]...``; it writes results/cli.{md,json} and
a plot. The parts that were not run stay as they were.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.components.report import RESULTS, plot_growth, rows_as_table, write_results
from benchmarks.corpora import newsgroups_files, write_generated

PSIF = str(Path(sys.executable).parent / "psif")

_TFIDF = """
import time
from benchmarks.corpora import newsgroups
from sklearn.feature_extraction.text import TfidfVectorizer
texts = newsgroups()
TfidfVectorizer().fit_transform(texts[:100])
began, cpu = time.perf_counter(), time.process_time()
TfidfVectorizer().fit_transform(texts)
print(time.perf_counter() - began, time.process_time() - cpu)
"""


def run(*args: object, **env: str) -> dict[str, float]:
    """Wall time, CPU time and peak memory of a process."""
    began = time.perf_counter()
    command = [str(arg) for arg in args]
    process = subprocess.Popen(
        command, env={**os.environ, **env}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} ended with status {status}")
    return {
        "seconds": round(time.perf_counter() - began, 2),
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 2),
        "peak_MB": round(usage.ru_maxrss / 1024),
    }


def best(n: int, *args: object) -> dict[str, float]:
    return min((run(*args) for _ in range(n)), key=lambda row: row["seconds"])


def newsgroups(folder: Path) -> list[dict[str, Any]]:
    def tfidf() -> dict[str, float]:
        command = [sys.executable, "-c", _TFIDF]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
        seconds, cpu = map(float, done.stdout.split())
        return {"seconds": round(seconds, 2), "cpu_seconds": round(cpu, 2)}

    files = newsgroups_files()
    out = folder / "v.parquet"
    run(PSIF, "embed", *files, "-o", out)
    # In turns, so that a busy moment of the machine does not fall on one side alone.
    rows: dict[str, list[Any]] = {"tfidf": [], "fit": [], "saved": []}
    for _ in range(2):
        rows["tfidf"].append(tfidf())
        rows["fit"].append(run(PSIF, "embed", *files, "-o", out))
        rows["saved"].append(
            run(PSIF, "embed", *files, "-o", folder / "w.parquet", "--model", folder / "v.model")
        )
    peer, fit, saved = (
        min(rows[name], key=lambda row: row["seconds"]) for name in ("tfidf", "fit", "saved")
    )
    base = peer["seconds"]
    names = {
        "TfidfVectorizer().fit_transform": peer,
        "psif embed, fitting included, 8000 numbers a vector, .parquet": fit,
        "psif embed --model, the same": saved,
    }
    return [
        {
            "task": "20 Newsgroups, 36 MB",
            "what": name,
            **row,
            "times_tfidf": round(row["seconds"] / base, 2),
        }
        for name, row in names.items()
    ]


def scale(folder: Path) -> list[dict[str, Any]]:
    rows = []
    for n_docs in (10_000, 100_000, 1_000_000):
        source = folder / f"{n_docs}.txt"
        write_generated(source, n_docs)
        row = run(PSIF, "embed", source, "-o", folder / "v.parquet", "--dims", "128")
        again = run(
            PSIF, "embed", source, "-o", folder / "w.parquet", "--model", folder / "v.model"
        )
        for what, measured in (("fit and embed", row), ("embed with a saved model", again)):
            each = round(1e6 * measured["seconds"] / n_docs, 1)
            task = f"{n_docs:,} documents of 100 words, 128 numbers"
            rows.append({"task": task, "what": what, **measured, "us_a_document": each})
        source.unlink()
    draw(rows)
    return rows


def draw(rows: list[dict[str, Any]]) -> None:
    """Plot time over documents, with the peak memory beside each point."""
    series: dict[str, list[tuple[float, float]]] = {}
    notes: dict[str, list[str]] = {}
    for row in rows:
        n_docs = int(row["task"].split()[0].replace(",", ""))
        series.setdefault(row["what"], []).append((n_docs, row["seconds"]))
        notes.setdefault(row["what"], []).append(f"{row['peak_MB']} MB")
    plot_growth("cli-scale", series, "documents of 100 words", "seconds", notes)


def start(folder: Path) -> list[dict[str, Any]]:
    small = folder / "small.txt"
    write_generated(small, 200, 30, 500)
    args = (PSIF, "embed", small, "-o", folder / "v.parquet", "-k", 5, "--set", "dim=20")
    cold = run(*args, NUMBA_CACHE_DIR=str(folder / "cold"))
    return [
        {"task": "start", "what": "psif --help", **best(5, PSIF, "--help")},
        {"task": "start", "what": "first psif embed of a small file, compiling", **cold},
        {"task": "start", "what": "second psif embed of a small file", **best(2, *args)},
    ]


PARTS = {"newsgroups": newsgroups, "scale": scale, "start": start}


def main() -> None:
    """Run the parts named, or all, and write results/cli.{md,json}."""
    path = RESULTS / "cli.json"
    results = json.loads(path.read_text())["results"] if path.exists() else {}
    for name in sys.argv[1:] or PARTS:
        with tempfile.TemporaryDirectory() as folder:
            results[name] = PARTS[name](Path(folder))
        text = "\n\n".join(rows_as_table(results[part]) for part in PARTS if part in results)
        if "scale" in results:
            text += "\n\n![Time and memory over documents](cli-scale.svg)"
        write_results("cli", "The command line, from files to files", text, results)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
