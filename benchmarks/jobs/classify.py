"""Raw texts to labels: training, accuracy, speed, size, few labels, growth."""

from __future__ import annotations

import shutil
import statistics
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.classifiers import label_peer
from benchmarks.classifiers.base import LabelPeer
from benchmarks.corpora import generated_themes, of_length
from benchmarks.jobs import Context
from benchmarks.resources import Meter, folder_mb, peak_mb

_SHORT = 10
_FEW, _DRAWS = 1_000, 3
_CLASSES = 10


def label(context: Context, peer: str) -> dict[str, Any]:
    """Train on the training documents and label the test documents."""
    data = context.corpus().data
    method = label_peer(peer)(context.workspace, context.threads)
    train, labels = list(data.train.texts), [str(name) for name in data.train.labels]
    with Meter() as meter:
        method.fit(train, labels)
    found: dict[str, Any] = {
        "documents": len(train),
        "seconds": meter.seconds,
        "fit": meter.to_dict(),
        "peak_mb": peak_mb(),
    }
    test = list(data.test.texts)
    found["accuracy"] = _accuracy(method.predict(test), data.test.labels)
    began = time.perf_counter()
    method.predict(test)
    found["documents_per_second"] = len(test) / (time.perf_counter() - began)
    found["latency_us"] = _latency(method, test, context.size.latency_calls)
    folder = context.workspace / "classifiers" / peer
    if folder.exists():
        shutil.rmtree(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    method.save(folder)
    found["model_mb"] = folder_mb(folder)
    if method.load(folder):
        found["saved_accuracy"] = _accuracy(method.predict(test), data.test.labels)
    return found


def _latency(method: LabelPeer, texts: Sequence[str], n_calls: int) -> float:
    """Median microseconds of one text of ten words."""
    seconds = []
    for text in of_length(texts, _SHORT, n_calls):
        began = time.perf_counter()
        method.predict([text])
        seconds.append(time.perf_counter() - began)
    return 1e6 * statistics.median(seconds)


def few(context: Context, peer: str) -> dict[str, Any]:
    """Mean accuracy with a thousand labels, the other training documents without labels."""
    data = context.corpus().data
    texts, labels = list(data.train.texts), [str(name) for name in data.train.labels]
    scores = []
    began = time.perf_counter()
    for seed in range(_DRAWS):
        order = np.random.default_rng(seed).permutation(len(texts)).tolist()
        some, rest = order[:_FEW], order[_FEW:]
        method = label_peer(peer)(context.workspace, context.threads)
        method.fit(
            [texts[i] for i in some],
            [labels[i] for i in some],
            [texts[i] for i in rest] if method.uses_unlabelled else (),
        )
        scores.append(_accuracy(method.predict(list(data.test.texts)), data.test.labels))
    return {
        "labels": min(_FEW, len(texts)),
        "accuracy": statistics.mean(scores),
        "scores": scores,
        "seconds": time.perf_counter() - began,
    }


def growth(context: Context, n_docs: int) -> dict[str, Any]:
    """Train on generated documents of 100 words in ten classes."""
    texts, labels = [], []
    for text, theme in generated_themes(n_docs):
        texts.append(text)
        labels.append(f"c{theme % _CLASSES}")
    held = max(1, min(1_000, n_docs // 10))
    base = peak_mb()
    method = label_peer("psif")(context.workspace, context.threads)
    with Meter() as meter:
        method.fit(texts[held:], labels[held:])
    return {
        "documents": n_docs,
        **meter.to_dict(),
        "texts_mb": base,
        "peak_mb": peak_mb(),
        "accuracy": _accuracy(method.predict(texts[:held]), labels[:held]),
    }


def _accuracy(found: Sequence[str], wanted: Sequence[Any]) -> float:
    pairs = zip(found, map(str, wanted), strict=True)
    return 100 * sum(a == b for a, b in pairs) / len(wanted)
