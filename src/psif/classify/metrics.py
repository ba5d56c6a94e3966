"""Measures of predicted classes and labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from psif.classify.linear.losses import Array


class ClassScores(NamedTuple):
    """Precision, recall and F1 of one class, × 100, and how many documents it has."""

    label: str
    precision: float
    recall: float
    f1: float
    n_docs: int


def class_scores(truth: Array, predicted: Array, n_classes: int) -> tuple[Array, Array, Array]:
    """Precision, recall and F1 of every class, in 0 … 1; 0 where there is nothing to divide by."""
    hits = np.bincount(truth[truth == predicted], minlength=n_classes).astype(np.float64)
    precision = _share(hits, np.bincount(predicted, minlength=n_classes))
    recall = _share(hits, np.bincount(truth, minlength=n_classes))
    return precision, recall, _share(2 * precision * recall, precision + recall)


def class_table(truth: Array, predicted: Array, labels: Sequence[str]) -> list[ClassScores]:
    """Return the table of classes, as the paper's appendix has it."""
    precision, recall, f1 = (100 * part for part in class_scores(truth, predicted, len(labels)))
    sizes = np.bincount(truth, minlength=len(labels))
    return [
        ClassScores(label, float(precision[i]), float(recall[i]), float(f1[i]), int(sizes[i]))
        for i, label in enumerate(labels)
    ]


def class_metrics(truth: Array, predicted: Array, n_classes: int) -> dict[str, float]:
    """Accuracy, and the means over classes of precision, recall and F1 (macro averages)."""
    precision, recall, f1 = class_scores(truth, predicted, n_classes)
    # Classes that occur neither in the truth nor in the answers say nothing.
    present = np.union1d(truth, predicted)
    return {
        "accuracy": 100 * float(np.mean(truth == predicted)),
        "precision": 100 * float(precision[present].mean()),
        "recall": 100 * float(recall[present].mean()),
        "f1": 100 * float(f1[present].mean()),
    }


def macro_f1(truth: Array, predicted: Array, n_classes: int) -> float:
    """Return the measure by which C is chosen."""
    return class_metrics(truth, predicted, n_classes)["f1"]


def micro_f1(truth: Array, predicted: Array) -> float:
    """F1 over all decisions together."""
    hits = float(np.sum(truth & predicted))
    total = float(truth.sum() + predicted.sum())
    return 2 * hits / total if total else 0.0


def _share(part: Array, whole: Array) -> Array:
    whole = np.asarray(whole, dtype=np.float64)
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)
