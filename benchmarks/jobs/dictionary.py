"""Dictionary learning beside packages that do it, on the same word vectors."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.jobs import Context
from benchmarks.resources import peak_mb
from psif.runtime.threads import Workers
from psif.types import FloatMatrix

_ITERATIONS = 10
_DIM, _TOPICS = 200, 40
_SEED = 0


def learn(context: Context, package: str) -> dict[str, Any]:
    """Ten iterations of one package; the error is that of coding all words with our own coder."""
    vectors = word_vectors(context)
    n_topics = min(_TOPICS, len(vectors) // 3)
    n_active = n_topics // 2
    run = LEARNERS[package]
    run(vectors[: 2 * n_topics], n_topics, n_active)  # loads and compiles
    wall, cpu = time.perf_counter(), time.process_time()
    atoms = run(vectors, n_topics, n_active)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {
        "seconds": wall,
        "cpu_seconds": cpu,
        "error": relative_error(vectors, atoms, n_active),
        "words": len(vectors),
        "dim": int(vectors.shape[1]),
        "topics": n_topics,
        "iterations": _ITERATIONS,
        "peak_mb": peak_mb(),
    }


def large(context: Context) -> dict[str, Any]:
    """Fit on as many vectors as a published table has, drawn around 200 centres."""
    from psif.partitions.dictionary import Dictionary

    n_words, dim = context.size.large_words, 300
    rng = np.random.default_rng(_SEED)
    centres = rng.standard_normal((200, dim)).astype(np.float32)
    vectors = rng.standard_normal((n_words, dim), dtype=np.float32)
    vectors += 2 * centres[rng.integers(0, len(centres), n_words)]
    began = time.perf_counter()
    Dictionary(_TOPICS, max_iter=_ITERATIONS, tol=0, random_state=_SEED).fit(vectors)
    return {
        "words": n_words,
        "dim": dim,
        "topics": _TOPICS,
        "iterations": _ITERATIONS,
        "seconds": time.perf_counter() - began,
        "peak_mb": peak_mb(),
    }


def word_vectors(context: Context) -> FloatMatrix:
    """Unit-normed vectors of the most frequent words, trained once on the corpus."""
    from psif.runtime.atomic import atomic_path
    from psif.runtime.norms import unit_rows
    from psif.vectors.table import WordVectors

    path = context.workspace / "dictionary-words.npy"
    if not path.exists():
        texts = context.corpus().data.train.texts
        trained = WordVectors.train(texts, dim=_DIM, tokenizer="paper", random_state=_SEED)
        with atomic_path(path) as part, part.open("wb") as file:
            np.save(file, unit_rows(trained.matrix[: context.size.dictionary_words]))
    found: FloatMatrix = np.load(path)
    return found


def relative_error(vectors: FloatMatrix, atoms: FloatMatrix, n_active: int) -> float:
    """Return ‖V - αA‖ / ‖V‖."""
    from psif.partitions.coding import sparse_codes

    atoms = atoms / np.maximum(np.linalg.norm(atoms, axis=1, keepdims=True), 1e-12)
    with Workers() as workers:
        codes = sparse_codes(vectors, atoms.astype(np.float32), n_active, workers=workers)
    return float(np.linalg.norm(vectors - codes @ atoms) / np.linalg.norm(vectors))


def _psif(vectors: FloatMatrix, n_topics: int, n_active: int) -> FloatMatrix:
    from psif.partitions.dictionary import Dictionary

    learned = Dictionary(
        n_topics, n_active=n_active, max_iter=_ITERATIONS, tol=0, random_state=_SEED
    )
    return learned.fit(vectors).atoms_


def _ksvd(vectors: FloatMatrix, n_topics: int, n_active: int) -> FloatMatrix:
    from ksvd import ApproximateKSVD

    learned = ApproximateKSVD(n_topics, max_iter=_ITERATIONS, transform_n_nonzero_coefs=n_active)
    found: FloatMatrix = learned.fit(vectors).components_
    return found


def _dictlearn(vectors: FloatMatrix, n_topics: int, n_active: int) -> FloatMatrix:
    from dictlearn import DictionaryLearning

    learned = DictionaryLearning(
        n_topics, n_nonzero_coefs=n_active, max_iter=_ITERATIONS, random_state=_SEED
    )
    found: FloatMatrix = learned.fit(vectors).components_
    return found


def _spams(vectors: FloatMatrix, n_topics: int, n_active: int) -> FloatMatrix:
    """Online learning, not K-SVD: a pass over the words in batches of 512 for each iteration."""
    import spams

    steps = _ITERATIONS * max(1, len(vectors) // 512)
    learned = spams.trainDL(
        np.asfortranarray(vectors.T, dtype=np.float64), K=n_topics, mode=3, lambda1=n_active,
        iter=steps, batchsize=512, numThreads=-1, verbose=False,
    )  # fmt: skip
    return np.asarray(learned.T, dtype=np.float32)


Learner = Callable[[FloatMatrix, int, int], FloatMatrix]
LEARNERS: dict[str, Learner] = {
    "psif": _psif,
    "ksvd": _ksvd,
    "dictlearn": _dictlearn,
    "spams-bin": _spams,
}
