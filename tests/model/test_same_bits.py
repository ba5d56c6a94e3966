"""The same model, to the last bit, for any number of threads: ours and those of BLAS."""

import hashlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from psif import PSIF
from psif.model.presets import PRESETS

# Large enough for BLAS and OpenMP to use their threads.
N_DOCS, N_WORDS = 700, 500


def texts():
    rng = np.random.default_rng(0)
    letters = np.array(list("bcdfghjklm"))
    words = ["".join(letters[[i // 100, i // 10 % 10, i % 10]]) + "a" for i in range(N_WORDS)]
    common = 1 / np.arange(1, N_WORDS + 1)
    docs = []
    for i in range(N_DOCS):
        topical = np.roll(common, 60 * (i % 8)) + 0.3 * common
        docs.append(" ".join(rng.choice(words, rng.integers(20, 60), p=topical / topical.sum())))
    return docs


def models():
    for name in PRESETS:
        options = {"train_options": {"epochs": 1}} if name == "paper" else {}
        if name == "compact":
            options["n_dims"] = 64
        yield name, PSIF.from_preset(name, random_state=0, **options)
    yield "gmm", PSIF(partition="gmm", n_topics=6, dim=50, random_state=0)
    yield "kmeans", PSIF(partition="kmeans", n_topics=6, dim=50, random_state=0)
    yield "top", PSIF(word_norm="all-but-the-top", n_topics=60, dim=50, random_state=0)
    yield "doc2vecc", PSIF("doc2vecc", train_options={"epochs": 1}, dim=50, random_state=0)


def digests(n_jobs):
    corpus = texts()
    found = {}
    for name, model in models():
        vectors = model.set_params(n_jobs=n_jobs).fit_transform(corpus)
        arrays = (model.words_.vectors, model.words_.codes, model.components_, vectors)
        found[name] = [hashlib.sha256(np.ascontiguousarray(a)).hexdigest() for a in arrays]
    return found


@pytest.fixture(scope="module")
def found():
    """Digests of all models, by threads of BLAS and our own threads."""
    results = {}
    for n_blas in ("1", "2"):
        threads = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
        environment = {**os.environ, **dict.fromkeys(threads, n_blas)}
        command = [sys.executable, "-W", "ignore", "-m", "tests.model.test_same_bits"]
        output = subprocess.run(command, env=environment, capture_output=True, check=True).stdout
        for n_jobs, result in json.loads(output).items():
            results[n_blas, n_jobs] = result
    return results


@pytest.mark.parametrize("name", [*PRESETS, "gmm", "kmeans", "top", "doc2vecc"])
def test_threads_change_no_bit(found, name):
    assert len({tuple(result[name]) for result in found.values()}) == 1
    assert len(found) == 4


if __name__ == "__main__":
    print(json.dumps({n_jobs: digests(n_jobs) for n_jobs in (1, 2)}))
