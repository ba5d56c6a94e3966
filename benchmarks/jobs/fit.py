"""How long a method learns, in how much memory, and how large its model is."""

from __future__ import annotations

import time
from typing import Any

from benchmarks.jobs import Context
from benchmarks.peers import peer_class
from benchmarks.resources import folder_mb, peak_mb
from psif.runtime.atomic import atomic_folder


def fit(context: Context, peer: str) -> dict[str, Any]:
    """Fit on the training documents, raw text in, and save the model."""
    method = peer_class(peer)(context.workspace, context.size)
    corpus = context.corpus()
    texts = corpus.data.train.texts
    if method.learns:
        # Loads and compiles what the real fit will use: that is cold start, measured elsewhere.
        # A thousand documents span what compact vectors need.
        few = texts[:: max(1, len(texts) // 1000)]
        peer_class(peer)(context.workspace, context.size).fit(few)
    wall, cpu = time.perf_counter(), time.process_time()
    method.fit(texts)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = peak_mb()
    vectors = method.embed(texts[:2])
    folder = context.model_folder(peer)
    if folder.is_symlink():
        method.save(folder)
    else:
        with atomic_folder(folder) as part:
            part.rmdir()
            method.save(part)
    return {
        "corpus": corpus.name,
        "documents": len(texts),
        "seconds": wall + method.earlier_seconds,
        "cpu_seconds": cpu,
        "earlier_seconds": method.earlier_seconds,
        "peak_mb": peak,
        "model_mb": folder_mb(folder.resolve()),
        "numbers": int(vectors.shape[1]),
    }
