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
    }


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
