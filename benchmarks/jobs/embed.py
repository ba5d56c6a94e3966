"""How fast a fitted method turns raw text into vectors."""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.corpora import of_length
from benchmarks.jobs import Context
from benchmarks.peers import peer_class
from benchmarks.peers.base import Peer
from benchmarks.resources import peak_mb

# Vectors are not kept: 18,846 of 8,000 numbers are 600 MB that say nothing about speed.
_FIRST, _CHUNK = 8, 1024
_WORDS_A_LENGTH = 200_000
_SHORT = 12  # words of a short document


def embed(context: Context, peer: str) -> dict[str, Any]:
    """Speed on the corpus, on documents of given lengths, and of one document at a time."""
    size = context.size
    texts = context.corpus().texts
    method = peer_class(peer)(context.workspace, size)
    method.load(context.model_folder(peer))
    method.embed(texts[:32])
    found = _speed(method, texts, size.seconds)
    found["peak_mb"] = peak_mb()
    found["latency"] = _latency(method, of_length(texts, _SHORT, size.latency_calls), size.seconds)
    found["lengths"] = {}
    for n_words in size.lengths:
        documents = of_length(texts, n_words, max(2, min(5_000, _WORDS_A_LENGTH // n_words)))
        found["lengths"][str(n_words)] = _speed(method, documents, size.seconds / 4)
    return found


def _speed(method: Peer, texts: Sequence[str], limit: float) -> dict[str, Any]:
    """Embed until all is done or the time is up.

    What is done within the limit stands for the whole: documents come in random order.
    """
    chunk = _FIRST
    done, n_bytes, wall, cpu = 0, 0, 0.0, 0.0
    while done < len(texts) and wall < limit:
        part = texts[done : done + chunk]
        began, began_cpu = time.perf_counter(), time.process_time()
        method.embed(part)
        spent = time.perf_counter() - began
        wall, cpu = wall + spent, cpu + time.process_time() - began_cpu
        done, n_bytes = done + len(part), n_bytes + sum(len(text.encode()) for text in part)
        if spent < limit / 16:  # a slow method must not overrun its time by a large chunk
            chunk = min(2 * chunk, _CHUNK)
    return {
        "documents": done,
        "documents_per_second": done / wall,
        "documents_per_cpu_second": done / max(cpu, 1e-9),
        "mb_per_second": n_bytes / 1e6 / wall,
        "whole": done == len(texts),
    }


def _latency(method: Peer, texts: Sequence[str], limit: float) -> dict[str, float]:
    """Microseconds of one short document, called alone, warm."""
    for text in texts[:5]:
        method.embed([text])
    gc.collect()
    spent: list[float] = []
    for text in texts:
        began = time.perf_counter()
        method.embed([text])
        spent.append(time.perf_counter() - began)
        if sum(spent) > limit and len(spent) >= 20:
            break
    p50, p99 = np.percentile(spent, [50, 99]) * 1e6
    return {"p50_us": float(p50), "p99_us": float(p99), "calls": len(spent), "words": _SHORT}
