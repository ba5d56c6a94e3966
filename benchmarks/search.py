"""Search beside bm25s: time to build, memory, size, and the time of a query.

``python -m benchmarks.search --documents 1000000`` makes documents of 100 words out of real ones:
each is ten pieces of ten words from real documents of one group. Both packages get the same texts
in memory, stem them, and store them with the index. Every step runs in a process of its own, one
after the other; compare within a run. Processor seconds are printed too, for busy machines.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import quantiles
from typing import Any

import numpy as np

from benchmarks.resources import cost, folder_mb, peak_mb

N_QUERIES, K = 200, 10
_PIECES, _PIECE = 10, 10


def documents(n_docs: int, seed: int = 0) -> Iterator[str]:
    """Yield documents of 100 words, each out of real documents of one group."""
    from benchmarks.corpora import labelled_corpus

    data = labelled_corpus().data
    groups: dict[Any, list[str]] = {}
    for text, label in zip(data.train.texts, data.train.labels, strict=True):
        groups.setdefault(label, []).extend(text.split())
    words = [np.array(group, dtype=object) for group in groups.values() if len(group) > 10 * _PIECE]
    rng = np.random.default_rng(seed)
    for number in rng.integers(len(words), size=n_docs).tolist():
        starts = rng.integers(len(words[number]) - _PIECE, size=_PIECES)
        places = (starts[:, None] + np.arange(_PIECE)).ravel()
        yield " ".join(words[number][places])


def queries(n_docs: int) -> list[str]:
    """Return six neighbouring words of some documents each."""
    texts = list(documents(n_docs, seed=1))
    return [" ".join(text.split()[i % 90 : i % 90 + 6]) for i, text in enumerate(texts)]


# Steps: each runs in a process of its own and returns what it measured.


def build_psif(texts: list[str], folder: Path) -> dict[str, float]:
    """Learn a model, index and save."""
    from psif import Index

    Index.build(texts[:200])  # loops are compiled or read before the clock starts
    return cost(lambda: Index.build(texts).save(folder))


def build_bm25s(texts: list[str], folder: Path) -> dict[str, float]:
    """Tokenise, stem, index and save."""
    import bm25s
    import Stemmer

    def build() -> None:
        stemmer = Stemmer.Stemmer("english")
        tokens = bm25s.tokenize(texts, stopwords=None, stemmer=stemmer, show_progress=False)
        index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        index.index(tokens, show_progress=False)
        index.save(folder, corpus=texts)

    return cost(build)


def query_psif(asked: list[str], folder: Path) -> dict[str, float]:
    """Time single queries, then all of them together with one thread and with all."""
    from psif import Index

    index = Index.load(folder)
    times = _latency(lambda query: [hit.id for hit in index.search(query, K)], asked)
    for name, n_jobs in (("one_thread", 1), ("all_threads", None)):
        began = time.perf_counter()
        index.search_many(asked, K, n_jobs=n_jobs)
        times[f"queries_per_second_{name}"] = len(asked) / (time.perf_counter() - began)
    return times


def query_bm25s(asked: list[str], folder: Path) -> dict[str, float]:
    """Time single queries."""
    import bm25s
    import Stemmer

    index = bm25s.BM25.load(folder)
    stemmer = Stemmer.Stemmer("english")

    def ask(query: str) -> Any:
        tokens = bm25s.tokenize([query], stopwords=None, stemmer=stemmer, show_progress=False)
        return index.retrieve(tokens, k=K, show_progress=False)

    return _latency(ask, asked)


def _latency(ask: Callable[[str], Any], asked: list[str]) -> dict[str, float]:
    for query in asked[:5]:
        ask(query)
    times, began = [], time.process_time()
    for query in asked:
        start = time.perf_counter()
        ask(query)
        times.append(1e3 * (time.perf_counter() - start))
    cpu = 1e3 * (time.process_time() - began) / len(asked)
    cuts = quantiles(times, n=100)
    return {"p50_ms": cuts[49], "p99_ms": cuts[98], "cpu_ms": cpu}


STEPS: dict[str, Callable[[list[str], Path], dict[str, float]]] = {
    "build-bm25s": build_bm25s,
    "build-psif": build_psif,
    "query-bm25s": query_bm25s,
    "query-psif": query_psif,
}


def run_step(name: str, source: Path, folder: Path) -> dict[str, float]:
    """Run a step in this process."""
    texts = source.read_text(encoding="utf-8").split("\n")[:-1]
    return {**STEPS[name](texts, folder), "peak_mb": peak_mb()}


def measure(n_docs: int, workspace: Path) -> dict[str, Any]:
    """Run all steps, each in a process of its own."""
    source, asked = workspace / "documents.txt", workspace / "queries.txt"
    with source.open("w", encoding="utf-8") as file:
        file.writelines(f"{text}\n" for text in documents(n_docs))
    asked.write_text("".join(f"{query}\n" for query in queries(N_QUERIES)), encoding="utf-8")
    found: dict[str, Any] = {"documents": n_docs, "text_mb": source.stat().st_size / 1e6}
    for step in STEPS:
        folder = workspace / step.partition("-")[2]
        texts = source if step.startswith("build") else asked
        command = [sys.executable, "-m", "benchmarks.search", "--step", step, texts, folder]
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=True)
        found[step] = json.loads(done.stdout)
        found[step]["index_mb"] = folder_mb(folder)
        print(f"{step}: {done.stdout.strip()}", file=sys.stderr, flush=True)
    return found


def report(found: dict[str, Any]) -> str:
    """Say how psif stands beside bm25s, and beside the bars."""
    ours, theirs = found["build-psif"], found["build-bm25s"]
    asked, peer = found["query-psif"], found["query-bm25s"]
    many = asked["queries_per_second_all_threads"] / asked["queries_per_second_one_thread"]
    rows = [
        ("seconds to build, over bm25s", ours["seconds"] / theirs["seconds"], "at most 2"),
        ("processor seconds to build, over bm25s", ours["cpu_seconds"] / theirs["cpu_seconds"], ""),
        ("peak memory of building, GB", ours["peak_mb"] / 1024, "at most 4"),
        ("size of the index, over the text", ours["index_mb"] / found["text_mb"], "at most 1.5"),
        ("query p50, ms more than bm25s", asked["p50_ms"] - peer["p50_ms"], "at most 10"),
        ("processor ms per query, psif", asked["cpu_ms"], ""),
        ("processor ms per query, bm25s", peer["cpu_ms"], ""),
        ("queries together: all threads over one", many, ""),
    ]
    lines = [f"{found['documents']:,} documents, {found['text_mb']:,.0f} MB of text"]
    lines += [f"{name:<42} {value:8.2f}  {bar}".rstrip() for name, value, bar in rows]
    return "\n".join(lines)


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--json", type=Path, help="Also write all numbers to this file.")
    parser.add_argument("--step", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        name, source, folder = options.step
        print(json.dumps(run_step(name, Path(source), Path(folder))))
        return
    with tempfile.TemporaryDirectory() as workspace:
        found = measure(options.documents, Path(workspace))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(report(found))


if __name__ == "__main__":
    main()
