"""The command line from files to files: against TF-IDF, by number of documents, and start-up."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.corpora import write_generated
from benchmarks.jobs import Context
from benchmarks.resources import cost, run_command

_DIMS = 128


def _psif(*arguments: object, **variables: str) -> dict[str, float]:
    return run_command(sys.executable, "-m", "psif", *arguments, **variables)


def embed(context: Context) -> dict[str, Any]:
    """``psif embed`` with and without fitting, against ``TfidfVectorizer().fit_transform``.

    They take turns, so that a busy moment of the machine does not hit one of them alone: compare
    within a round, then take the median over rounds. TF-IDF gets its texts in memory; ``psif
    embed`` is a whole process that reads and writes files.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    files = context.corpus_files()
    corpus = context.corpus().data
    texts = [*corpus.train.texts, *corpus.test.texts]
    TfidfVectorizer().fit_transform(texts[:100])
    with tempfile.TemporaryDirectory(dir=context.workspace) as name:
        folder = Path(name)
        fit = ("embed", *files, "-o", folder / "fit.parquet")
        saved = ("embed", *files, "-o", folder / "saved.parquet", "--model", folder / "fit.model")
        _psif(*fit)  # compiles the loops, if nobody did before
        rounds = [
            {
                "tfidf": cost(lambda: TfidfVectorizer().fit_transform(texts)),
                "fit": _psif(*fit),
                "saved": _psif(*saved),
            }
            for _ in range(context.size.rounds)
        ]
    mb = sum(len(text.encode()) for text in texts) / 1e6
    return {"documents": len(texts), "mb": mb, "rounds": rounds}


def documents(context: Context, n_docs: int) -> dict[str, Any]:
    """``psif embed`` on generated documents of 100 words, with and without fitting."""
    with tempfile.TemporaryDirectory(dir=context.workspace) as name:
        folder = Path(name)
        source = folder / "documents.txt"
        write_generated(source, n_docs)
        model = folder / "fit.model"
        fit = _psif("embed", source, "-o", folder / "fit.parquet", "--dims", _DIMS)
        saved = _psif("embed", source, "-o", folder / "saved.parquet", "--model", model)
    return {"documents": n_docs, "numbers": _DIMS, "fit": fit, "saved": saved}


def start(context: Context) -> dict[str, Any]:
    """Seconds of ``psif --help`` and of ``psif embed`` on a small file, cold and warm."""
    with tempfile.TemporaryDirectory(dir=context.workspace) as name:
        folder = Path(name)
        small = folder / "small.txt"
        write_generated(small, 200, 30, 500)
        arguments = ("embed", small, "-o", folder / "v.parquet", "-k", 5, "--set", "dim=20")
        cold = _psif(*arguments, NUMBA_CACHE_DIR=str(folder / "cold"))
        return {
            "help": _best([_psif("--help") for _ in range(5)]),
            "first": cold,
            "second": _best([_psif(*arguments) for _ in range(2)]),
        }


def _best(runs: list[dict[str, float]]) -> dict[str, float]:
    return min(runs, key=lambda run: run["seconds"])
