"""What we aim for with classifiers of raw texts."""

from __future__ import annotations

from typing import Any

from benchmarks.results import Results
from benchmarks.target import Target

_MILLION = 1_000_000


def classify_targets(results: Results, cores: int) -> list[Target]:
    """Compare ours with bars, and with TF-IDF and model2vec; nothing where it was not measured."""
    ours: Any = results.get("classify/psif")
    if ours is None:
        return []
    tfidf: Any = results.get("classify/tfidf-svc")
    found = []
    for text, bar, form, key, limit, up in (
        ("labels, accuracy", "≥ 87.0", "{:.1f}", "accuracy", 87.0, True),
        ("labels from raw text", "≥ 10,000 documents per second", "{:,.0f}",
         "documents_per_second", 10_000, True),
        ("the label of one short text", "< 150 µs", "{:.0f} µs", "latency_us", 150, False),
        ("a classifier on disk", "< 20 MB", "{:.1f} MB", "model_mb", 20, False),
        ("training a classifier, peak memory", "< 1,200 MB", "{:,.0f} MB", "peak_mb", 1200, False),
    ):  # fmt: skip
        value = ours[key]
        met = value >= limit if up else value < limit
        found.append(Target(text, bar, form.format(value), met))
    text, bar = "training a classifier, against TF-IDF with the same search", "≤ 3 times its time"
    if tfidf is None:
        found.append(Target.missing(text, bar))
    else:
        ratio = ours["seconds"] / tfidf["seconds"]
        found.append(Target(text, bar, f"{ratio:.2f} times", ratio <= 3))
    return [*found, _few(results), _growth(results)]


def _few(results: Results) -> Target:
    text, bar = "labels with 1,000 labelled documents", "≥ 3 points above TF-IDF and model2vec"
    names = ("psif", "tfidf-svc", "model2vec")
    if any(f"classify/few/{name}" not in results for name in names):
        return Target.missing(text, bar)
    ours, *others = (float(results[f"classify/few/{name}"]["accuracy"]) for name in names)
    said = f"{ours:.1f} against {others[0]:.1f} and {others[1]:.1f}"
    return Target(text, bar, said, all(ours >= other + 3 for other in others))


def _growth(results: Results) -> Target:
    text, bar = "training a classifier on a million documents", "< 4,000 MB"
    result = results.get(f"classify/growth/{_MILLION}")
    if result is None:
        return Target.missing(text, bar)
    said = f"{result['peak_mb']:,.0f} MB, {result['seconds']:,.0f} s"
    return Target(text, bar, said, result["peak_mb"] < 4_000)
