"""How time and memory grow with the size of the input."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.corpora import generated
from benchmarks.jobs import Context
from benchmarks.resources import peak_mb, timed
from psif.types import FloatMatrix

_CHUNK = 4096
_REPEATS = 3
# Where an axis starts, and what the others are held at. Smaller jobs fit into caches and take
# milliseconds: their exponents are those of the processor, not of the loops.
_WORDS, _TOPICS, _DIM, _LENGTH = 16_000, 20, 50, 100


def documents(context: Context, n_docs: int) -> dict[str, Any]:
    """Fit on generated documents of 100 words and embed them, keeping no vectors."""
    from psif import PSIF

    settings: dict[str, Any] = {"n_topics": 20, "dim": 100, "random_state": 0}
    PSIF(**settings).fit(list(generated(300)))
    texts = list(generated(n_docs))
    base = peak_mb()
    began = time.perf_counter()
    model = PSIF(**settings).fit(texts)
    fitted = time.perf_counter()
    for start in range(0, n_docs, _CHUNK):
        model.transform(texts[start : start + _CHUNK])
    embedded = time.perf_counter()
    return {
        "documents": n_docs,
        "words": int(model.n_tokens_),
        "vocabulary": len(model.vocabulary_),
        "fit_seconds": fitted - began,
        "embed_seconds": embedded - fitted,
        "peak_mb": peak_mb(),
        "texts_mb": base,
    }


def corpus(context: Context, share: int) -> dict[str, Any]:
    """Fit on one in ``share`` documents of the corpus and embed them, keeping no vectors."""
    from psif import PSIF

    data = context.corpus().data
    texts = [*data.train.texts, *data.test.texts][::share]
    began = time.perf_counter()
    model = PSIF(tokenizer="paper", random_state=0).fit(texts)
    for start in range(0, len(texts), 256):
        model.transform(texts[start : start + 256])
    return {
        "documents": len(texts),
        "words": int(model.n_tokens_),
        "seconds": time.perf_counter() - began,
        "peak_mb": peak_mb(),
    }


def axis(context: Context, name: str) -> dict[str, Any]:
    """Seconds of learning topics and of averaging while one quantity grows."""
    steps = context.size.growth
    at: dict[str, list[int]] = {
        "vocabulary": [_WORDS] * len(steps),
        "topics": [_TOPICS] * len(steps),
        "dim": [_DIM] * len(steps),
        "tokens": [_LENGTH] * len(steps),
    }
    at[name] = [at[name][0] * step for step in steps]
    curves: dict[str, list[float]] = {"atom update": [], "sparse codes": [], "averaging": []}
    for n_words, n_topics, dim, length in zip(*at.values(), strict=True):
        for part, seconds in _costs(n_words, n_topics, dim, length).items():
            curves[part].append(seconds)
    return {"axis": name, "values": at[name], "seconds": curves}


def _costs(n_words: int, n_topics: int, dim: int, length: int) -> dict[str, float]:
    from psif.documents.averaging import WordTopics, sorted_documents
    from psif.partitions.coding import sparse_codes
    from psif.partitions.dictionary import _update_atoms
    from psif.runtime.threads import Workers
    from psif.text.flat import FlatDocs

    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((n_words, dim), dtype=np.float32)
    atoms = _unit(rng.standard_normal((n_topics, dim), dtype=np.float32))
    n_docs = 4_000
    ids = rng.zipf(1.3, n_docs * length).astype(np.int64) % n_words
    offsets = np.arange(n_docs + 1, dtype=np.int64) * length
    docs = sorted_documents(FlatDocs(ids.astype(np.int32), offsets, np.diff(offsets)))
    with Workers() as workers:
        coding, codes = timed(
            lambda: sparse_codes(vectors, atoms, n_topics // 2, workers=workers), _REPEATS + 1
        )
        residual = vectors - codes @ atoms
        update, _ = timed(
            lambda: _update_atoms(atoms.copy(), codes.copy(), residual.copy(), workers),
            _REPEATS + 1,
        )
    words = WordTopics(np.ones(n_words, dtype=np.float32), codes, vectors)
    none = np.zeros((0, words.n_features), dtype=np.float32)
    averaging, _ = timed(lambda: words.average(docs, none), _REPEATS + 1)
    return {"atom update": update, "sparse codes": coding, "averaging": averaging}


def _unit(rows: FloatMatrix) -> FloatMatrix:
    scaled: FloatMatrix = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return scaled
