"""A run made up by hand, with numbers that are easy to check."""

from benchmarks.results import Measurement, Run


def embed(rate, p50):
    return {
        "documents": 100, "documents_per_second": rate, "mb_per_second": rate / 1000,
        "latency": {"p50_us": p50, "p99_us": 5 * p50}, "peak_mb": 300.0,
        "lengths": {"10": {"documents_per_second": 2 * rate}},
    }  # fmt: skip


def fit(seconds, numbers):
    return {"seconds": seconds, "numbers": numbers, "peak_mb": 400.0, "model_mb": 7.0}


def kernel(name, fraction):
    return {
        "name": name, "fraction": fraction, "intensity": 2.0, "flops_per_second": 1e10,
        "ceiling": 1e10 / fraction, "bound": "bytes",
    }  # fmt: skip


def results():
    kernels = [kernel("averaging", 0.5), kernel("OMP", 0.25)]
    peaks = {"float32": 1e11, "float64": 5e10}
    return {
        "roofline/2": {"peaks": peaks, "bandwidth": 1e10, "kernels": kernels},
        "dictionary/psif": _dictionary(0.1, 0.7),
        "dictionary/ksvd": _dictionary(4.0, 0.8),
        "fit/psif/2": fit(1.0, 8000),
        "embed/psif/2": embed(1000.0, 50.0),
        "start/psif": {"import_seconds": 0.5, "first_vector_seconds": 1.0},
        "score/psif": {"accuracy": 85.0, "corpus": "some <documents>"},
        "fit/numpy-reference/2": fit(99.0, 8000),
        "embed/numpy-reference/2": embed(10.0, 500.0),
        "score/numpy-reference": {"accuracy": 84.0, "corpus": "some <documents>"},
        "fit/model2vec/2": fit(0.1, 250),
        "embed/model2vec/2": embed(250.0, 100.0),
        "start/model2vec": {"import_seconds": 0.1, "first_vector_seconds": 0.5},
        "growth/dim": {
            "axis": "dim",
            "values": [10, 20, 40],
            "seconds": {"averaging": [1.0, 2.0, 4.0]},
        },
        **_components(),
    }


def _cost(seconds, **more):
    return {"seconds": seconds, "cpu_seconds": 2 * seconds, **more}


def _trainer(seconds, score, **settings):
    return {
        **_cost(seconds), "added_mb": 50.0, "words": 700, "tokens": 90_000, "score": score,
        "settings": settings,
    }  # fmt: skip


def _components():
    """Measurements of parts: the command line, tokenizers, trainers, a cluster."""
    rounds = [
        {"tfidf": _cost(t), "fit": _cost(f, peak_mb=600.0), "saved": _cost(s, peak_mb=300.0)}
        for t, f, s in ((2.0, 3.0, 1.0), (4.0, 8.0, 3.0), (1.0, 9.0, 0.6))
    ]
    runs = {
        "process": [[2.0, 2.0], [4.0, 3.0]], "pair": [[1.0, 2.0], [2.0, 2.0]],
        "one": [[3.0, 4.0], [5.0, 4.0]], "two": [[2.0, 4.0], [2.0, 4.0]],
        "plain": [[4.0, 4.0], [4.0, 4.0]], "embed": [[4.0, 4.0], [4.0, 4.0]],
        "embed_2": [[4.0, 4.0], [4.0, 4.0]],
    }  # fmt: skip
    return {
        "growth/corpus/2": {"documents": 50, "words": 900, "seconds": 1.5, "peak_mb": 210.0},
        "large/dictionary": {
            "words": 2**20, "dim": 256, "topics": 40, "iterations": 10, "seconds": 90.0,
            "peak_mb": 2048.0,
        },
        "command/embed": {"documents": 100, "mb": 30.0, "rounds": rounds},
        "command/documents/1000": {
            "documents": 1000, "numbers": 128,
            "fit": _cost(2.0, peak_mb=400.0), "saved": _cost(0.5, peak_mb=200.0),
        },
        "command/start": {"help": _cost(0.1), "first": _cost(5.0), "second": _cost(1.0)},
        "tokenizing/psif": {
            "documents": 100, "mb": 10.0,
            "ways": {"new vocabulary": _cost(0.4), "known vocabulary": _cost(0.2)},
        },
        "tokenizing/re": {"documents": 100, "mb": 10.0, "ways": {"known vocabulary": _cost(3.0)}},
        "trainers/ppmi": _trainer(1.0, 80.0, method="ppmi"),
        "trainers/sgns": _trainer(30.0, 79.0, method="sgns", epochs=15),
        "trainers/whole": _cost(2.0, added_mb=90.0),
        "trainers/growth/ppmi/8": _trainer(1.0, 0.0, method="ppmi"),
        "trainers/reuters/ppmi": _trainer(1.0, 93.0, method="ppmi"),
        "large/vocabulary": {**_trainer(9.0, 0.0, method="ppmi"), "documents": 400},
        "cluster/fit": {
            "documents": 10, "local_seconds": 3.0, "cluster_seconds": 5.0,
            "bytes_sent_per_document": 1e4, "same_words": True, "largest_difference": 0.0,
        },
        "cluster/transform": {
            "documents": 1_000_000, "numbers": 128, "runs": runs, "bytes_sent_per_document": 0.3,
            "output_bytes_per_document": 528.0, "cores_taken_by_others": 0.1,
        },
        "cluster/memory": {
            "few_documents": 10, "documents": 40, "few_mb": 341.0, "all_mb": 363.0,
            "whole_mb": 426.0,
        },
        "cluster/tasks": {"tasks": 100, "cpu_ms_per_task": 1.8},
    }  # fmt: skip


def _dictionary(seconds, error):
    return {
        "seconds": seconds, "error": error, "words": 500, "dim": 200, "topics": 40,
        "iterations": 10,
    }  # fmt: skip


def environment(date="2026-01-01", command="python -m benchmarks --tiny"):
    return {
        "command": command, "date": date, "python": "3.11", "cores": 2, "machine": "x",
        "versions": {"numpy": "2.0"},
    }  # fmt: skip


def run(values=None):
    values = results() if values is None else values
    return Run(
        "tiny", "some <documents>", 2,
        {name: Measurement(found, environment()) for name, found in values.items()},
        {"fit/minilm/2": "needs the package torch, which is not installed"},
        {"sts/doc2vec": "out of memory"},
    )  # fmt: skip
