"""Raw texts to labels."""

from __future__ import annotations

from typing import Any

from benchmarks.classifiers import NAMES, label_peer
from benchmarks.report.section import Section, number
from benchmarks.results import Results


def classify_sections(results: Results) -> list[Section]:
    """Return the classifiers, those with few labels, and the growth of ours."""
    return [_peers(results), _growth(results)]


def _peers(results: Results) -> Section:
    rows = []
    for name in NAMES:
        found: Any = results.get(f"classify/{name}")
        if found is None:
            continue
        few: Any = results.get(f"classify/few/{name}")
        rows.append(
            [
                label_peer(name).title,
                f"{found['accuracy']:.1f}",
                number(None if few is None else few["accuracy"], ".1f"),
                f"{found['seconds']:.1f}",
                f"{found['fit']['cpu_seconds']:.1f}",
                f"{found['peak_mb']:,.0f}",
                f"{found['documents_per_second']:,.0f}",
                f"{found['latency_us']:,.0f}",
                f"{found['model_mb']:.1f}",
                number(found.get("saved_accuracy"), ".1f"),
            ]
        )
    header = [
        "", "accuracy", "with 1,000 labels", "seconds to train", "CPU-seconds", "peak MB",
        "documents per second", "one short text, µs", "model, MB",
        "accuracy as saved",
    ]  # fmt: skip
    text = (
        "From raw text, all choices on training documents. psif and TF-IDF have the same tokens, "
        "losses, values of C and folds; with 1,000 labels (mean of three draws) both also read the "
        "other training documents without labels. Our model is saved as int8."
    )
    return Section("Classifiers of raw texts", text, [header, *rows])


def _growth(results: Results) -> Section:
    found: list[Any] = [
        value for name, value in results.items() if name.startswith("classify/growth/")
    ]
    rows = [
        [
            f"{row['documents']:,}",
            f"{row['seconds']:.1f}",
            f"{1e6 * row['seconds'] / row['documents']:.0f}",
            f"{row['peak_mb']:,.0f}",
            f"{row['texts_mb']:,.0f}",
            f"{row['accuracy']:.1f}",
        ]
        for row in sorted(found, key=lambda row: int(row["documents"]))
    ]
    header = [
        "documents", "seconds to train", "µs per document", "peak MB", "MB before", "accuracy",
    ]  # fmt: skip
    text = (
        "PSIFClassifier on generated documents of 100 words in ten classes. The texts themselves "
        "are in memory before training begins."
    )
    return Section("Classifier: growth with documents", text, [header, *rows])
