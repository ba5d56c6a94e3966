"""Word-vector trainers: seconds, CPU-seconds, memory, and accuracy through P-SIF.

    python -m benchmarks.vectors                             # writes results/vectors.{json,md}
    python -m benchmarks.vectors --only ppmi sgns gensim-sgns  # gensim at 15 epochs: half an hour
    python -m benchmarks.vectors --only large                # all sets joined, every word
    python -m benchmarks.vectors --quick                     # minutes

A run replaces the rows it measures and keeps the others; each row carries its command, date and
versions. Each trainer runs in a process of its own, so that its memory and CPU time are its own.
Compiled loops are loaded before the clock starts. Protocol "honest": vectors, partitions, weights
and classifier are fitted on training documents only.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.components.report import environment
from benchmarks.vectors_report import TASKS, draw, report
from psif import PSIF, Tokenizer, WordVectors
from psif.text.vocabulary import count_words
from psif.vectors.trainers import train_on_ids

RESULTS = Path(__file__).parent.parent / "results"
MODEL = {"n_topics": 20, "weighting": "idf", "counts": "log", "random_state": 0}
# Name, method, min count, options. The paper's settings for skip-gram; ours for the rest.
TRAINERS: dict[str, dict[str, Any]] = {
    "ppmi": {"method": "ppmi", "min_count": 5},
    "sgns-5": {"method": "sgns", "min_count": 20, "epochs": 5},
    "gensim-sgns-5": {"method": "gensim", "min_count": 20, "epochs": 5},
    "doc2vecc": {"method": "doc2vecc", "min_count": 5, "epochs": 10},
    "sgns": {"method": "sgns", "min_count": 20, "epochs": 15},
    "gensim-fasttext-1": {"method": "gensim", "min_count": 20, "epochs": 1, "subwords": True},
    "gensim-sgns": {"method": "gensim", "min_count": 20, "epochs": 15},
    # A quarter of the training documents, three passes: a comparison that takes a minute a row.
    "sgns-quarter": {"method": "sgns", "min_count": 5, "epochs": 3, "share": 4},
    "gensim-sgns-quarter": {"method": "gensim", "min_count": 5, "epochs": 3, "share": 4},
    "doc2vecc-quarter": {"method": "doc2vecc", "min_count": 5, "epochs": 10, "share": 4},
    "ppmi-quarter": {"method": "ppmi", "min_count": 5, "share": 4},
}
QUICK = ("ppmi", "ppmi-quarter", "sgns-quarter", "gensim-sgns-quarter", "doc2vecc-quarter")
FULL = tuple(name for name in TRAINERS if name not in (*QUICK[1:], "gensim-sgns"))
REUTERS = ("ppmi", "sgns", "doc2vecc")
# Other measurements, by name: a whole fit, growth with the corpus, Reuters, a large vocabulary.
PARTS = ("whole", "growth", "reuters", "large")
GROWTH = {"ppmi": {}, "sgns": {"epochs": 1}, "doc2vecc": {"epochs": 1}}


def root() -> Path:
    return Path(os.environ.get("PSIF_DATA") or "../shared/data")


def read(name: str) -> list[dict[str, Any]]:
    with gzip.open(root() / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


class Meter:
    """Wall and CPU seconds, and the highest memory above what stood before."""

    def __enter__(self) -> Meter:
        self.base = self._resident()
        self.peak = self.base
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        self.start = time.perf_counter(), self._cpu()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self.start[0]
        self.cpu_seconds = self._cpu() - self.start[1]
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(0.02):
            self.peak = max(self.peak, self._resident())

    @staticmethod
    def _cpu() -> float:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime

    @staticmethod
    def _resident() -> int:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize()

    def to_dict(self) -> dict[str, float]:
        """Return the three numbers, rounded."""
        return {
            "seconds": round(self.seconds, 2),
            "cpu_seconds": round(self.cpu_seconds, 2),
            "peak_mb": round((self.peak - self.base) / 1e6, 1),
        }


def train(texts: list[str], settings: dict[str, Any]) -> tuple[WordVectors, dict[str, float]]:
    """Train on texts; the meter covers training alone, ``cut_seconds`` the cutting into words."""
    options = dict(settings)
    texts = texts[:: options.pop("share", 1)]
    started = time.perf_counter()
    method, min_count = options.pop("method"), options.pop("min_count")
    jobs = len(os.sched_getaffinity(0))
    if method == "gensim":
        cut = Tokenizer()
        sentences = [cut(text) for text in texts]
        cut_seconds = time.perf_counter() - started
        with Meter() as meter:
            keyed = _gensim(sentences, min_count, jobs, **options)
        tokens = sum(keyed.get_vecattr(word, "count") for word in keyed.index_to_key)
        facts = {"cut_seconds": round(cut_seconds, 2), "tokens": int(tokens)}
        return WordVectors.from_object(keyed), meter.to_dict() | facts
    vocabulary, docs = count_words(texts, Tokenizer())
    kept, new_ids = vocabulary.keep(vocabulary.counts >= min_count)
    flat = docs.remap(new_ids)
    train_on_ids(method, flat.part(0, 20), kept, dim=8, random_state=0, n_jobs=jobs)
    with Meter() as meter:
        matrix = train_on_ids(method, flat, kept, dim=200, random_state=0, n_jobs=jobs, **options)
    facts = meter.to_dict() | {"words": len(kept), "tokens": len(flat.ids)}
    return WordVectors(kept.words, matrix), facts


def _gensim(
    sentences: list[list[str]], min_count: int, jobs: int, *, epochs: int, subwords: bool = False
) -> Any:
    from gensim.models import FastText, Word2Vec

    kind = FastText if subwords else Word2Vec
    return kind(
        sentences, vector_size=200, window=10, negative=10, min_count=min_count, sample=1e-3,
        sg=1, epochs=epochs, workers=jobs, seed=0,
    ).wv  # fmt: skip


def ridge_scores(train_x: np.ndarray, targets: np.ndarray, test_x: np.ndarray) -> np.ndarray:
    """Least squares with the penalty that does best on every fifth training document."""
    mean = train_x.mean(axis=0)
    train_x, test_x = train_x - mean, test_x - mean
    held = np.arange(len(train_x)) % 5 == 0
    gram_held = train_x[held].T @ train_x[held]
    gram = train_x[~held].T @ train_x[~held]
    eye = np.eye(len(gram), dtype=np.float32)

    def solve(gram: np.ndarray, x: np.ndarray, y: np.ndarray, penalty: float) -> np.ndarray:
        return np.linalg.solve(gram + penalty * eye, x.T @ y)

    unit = float(np.trace(gram)) / len(train_x)
    tried = {}
    for penalty in (0.03, 0.1, 0.3, 1.0, 3.0):
        weights = solve(gram, train_x[~held], targets[~held], penalty * unit)
        best = (train_x[held] @ weights).argmax(axis=1)
        tried[penalty] = float((targets[held][np.arange(held.sum()), best] > 0).mean())
    chosen = max(tried, key=tried.__getitem__) * unit
    return test_x @ solve(gram + gram_held, train_x, targets, chosen)


def score_task(task: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Train on the training texts of one task, embed, classify; accuracy or precision at 1."""
    if task == TASKS[0]:
        rows, tests = read("20news_bydate/train"), read("20news_bydate/test")
        labels = [[row["label"]] for row in rows], [[row["label"]] for row in tests]
    else:
        names = set(json.loads((root() / "reuters21578_modapte/r90_labels.json").read_text()))
        both = []
        for part in ("train", "test"):
            found = read(f"reuters21578_modapte/{part}")
            both.append([row for row in found if names & set(row["labels"])])
        rows, tests = both
        labels = (
            [[x for x in row["labels"] if x in names] for row in rows],
            [[x for x in row["labels"] if x in names] for row in tests],
        )
    texts = [row["text"] for row in rows]
    vectors, facts = train(texts, settings)
    started = time.perf_counter()
    model = PSIF(vectors=vectors, **MODEL).fit(texts)
    fit_seconds = time.perf_counter() - started
    train_x, test_x = model.transform(texts), model.transform([row["text"] for row in tests])
    classes = sorted({label for found in labels[0] for label in found})
    place = {label: i for i, label in enumerate(classes)}
    targets = np.full((len(texts), len(classes)), -1, dtype=np.float32)
    for row, found in enumerate(labels[0]):
        targets[row, [place[label] for label in found]] = 1
    best = ridge_scores(train_x, targets, test_x).argmax(axis=1)
    hits = [classes[i] in found for i, found in zip(best, labels[1], strict=True)]
    return facts | {
        "words": len(vectors),
        "psif_seconds": round(fit_seconds, 2),
        "score": round(100 * float(np.mean(hits)), 2),
    }


def end_to_end() -> dict[str, Any]:
    """Raw texts to a fitted model, vectors and all, as a user runs it."""
    texts = [row["text"] for row in read("20news_bydate/train")]
    PSIF(vectors="ppmi", **MODEL | {"n_topics": 2}).fit(texts[:50])
    with Meter() as meter:
        PSIF(vectors="ppmi", **MODEL).fit(texts)
    return meter.to_dict()


def grow(method: str, share: int) -> dict[str, Any]:
    """Train on one in ``share`` documents of the whole corpus."""
    rows = read("20news_bydate/train") + read("20news_bydate/test")
    texts = [row["text"] for row in rows[::share]]
    return train(texts, {"method": method, "min_count": 5, **GROWTH[method]})[1]


def large() -> dict[str, Any]:
    """Train on the texts of all sets joined, every word that occurs, counts kept in 1 GB."""
    texts: list[str] = []
    for path in sorted(root().rglob("*.jsonl.gz")):
        for row in read(path.relative_to(root()).as_posix().removesuffix(".jsonl.gz")):
            texts += [row["text"]] if "text" in row else [row["text_a"], row["text_b"]]
    texts = list(dict.fromkeys(texts))
    facts = train(texts, {"method": "ppmi", "min_count": 1, "max_memory": 1e9})[1]
    return facts | {"documents": len(texts)}


def run_alone(kind: str, *arguments: str) -> dict[str, Any]:
    """Run one measurement in a new process."""
    command = [sys.executable, "-m", "benchmarks.vectors", "--one", kind, *arguments]
    print(kind, *arguments, file=sys.stderr, flush=True)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    facts: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print("   ", facts, file=sys.stderr, flush=True)
    return facts


def one(kind: str, arguments: list[str]) -> dict[str, Any]:
    if kind == "score":
        return score_task(arguments[0], TRAINERS[arguments[1]])
    if kind == "grow":
        return grow(arguments[0], int(arguments[1]))
    return end_to_end() if kind == "whole" else large()


def plan(only: list[str], *, quick: bool) -> list[tuple[str, ...]]:
    """Measurements to make, the slowest last."""
    names = [name for name in only if name in TRAINERS]
    methods = ["ppmi"] if quick else list(GROWTH)
    steps: list[tuple[str, ...]] = [("whole",)] if "whole" in only else []
    steps += [("score", TASKS[0], name) for name in names if "fasttext" not in name]
    if "growth" in only:
        steps += [("grow", method, str(share)) for method in methods for share in (8, 4, 2, 1)]
    if "reuters" in only:
        steps += [("score", TASKS[1], name) for name in REUTERS]
    steps += [("large",)] if "large" in only else []
    return steps + [("score", TASKS[0], name) for name in names if "fasttext" in name]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", choices=[*TRAINERS, *PARTS], default=[*FULL, *PARTS])
    parser.add_argument("--quick", action="store_true", help="small trainings, no Reuters")
    parser.add_argument("--one", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(one(arguments.one[0], arguments.one[1:])))
        return
    only = [*QUICK, "whole", "growth"] if arguments.quick else arguments.only
    about = environment(["gensim"]) | {
        "command": " ".join(["python -m benchmarks.vectors", *sys.argv[1:]])
    }
    for step in plan(only, quick=arguments.quick):
        settings = TRAINERS.get(step[-1], {}) if step[0] == "score" else {}
        measured = run_alone(*step) | {"settings": settings, "made": about}
        # After each measurement: an interrupted run keeps what it has.
        write("/".join(step), measured)


def write(name: str, row: dict[str, Any]) -> None:
    """Put one row into the results, read anew: another run may have written meanwhile."""
    path = RESULTS / "vectors.json"
    RESULTS.mkdir(exist_ok=True)
    facts = json.loads(path.read_text()) if path.exists() else {"model": MODEL, "rows": {}}
    facts["rows"][name] = row
    path.write_text(json.dumps(facts, indent=2) + "\n")
    (RESULTS / "vectors.md").write_text(report(facts["rows"]))
    draw(facts["rows"])


if __name__ == "__main__":
    main()
