"""A run made up by hand, with numbers that are easy to check."""


def embed(rate, p50):
    return {
        "documents": 100, "documents_a_second": rate, "mb_a_second": rate / 1000,
        "latency": {"p50_us": p50, "p99_us": 5 * p50}, "peak_mb": 300.0,
        "lengths": {"10": {"documents_a_second": 2 * rate}},
    }  # fmt: skip


def fit(seconds, numbers):
    return {"seconds": seconds, "numbers": numbers, "peak_mb": 400.0, "model_mb": 7.0}


def kernel(name, fraction):
    return {
        "name": name, "fraction": fraction, "intensity": 2.0, "flops_a_second": 1e10,
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
        "fit/reference/2": fit(99.0, 8000),
        "embed/reference/2": embed(10.0, 500.0),
        "score/reference": {"accuracy": 84.0, "corpus": "some <documents>"},
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


def run():
    about = {"date": "2026-01-01", "python": "3.11", "cores": 2, "machine": "x", "versions": {}}
    return {
        "command": "psif bench --tiny", "size": "tiny", "corpus": "some <documents>", "cores": 2,
        "environment": about, "results": results(), "ratios": {}, "claims": [],
        "skipped": {"fit/minilm/2": "needs the package torch, which is not installed"},
        "failed": {"sts/doc2vec": "out of memory"},
    }  # fmt: skip
