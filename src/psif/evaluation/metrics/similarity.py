"""Agreement of predicted with given similarities.

Two forms are in use, and their numbers are not comparable. The paper takes the correlation of each
sub-task and averages over the sub-tasks of a year. MTEB pools all pairs of a year and takes one
Spearman correlation, which also asks that the cosines of different sub-tasks are on one scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.stats import rankdata

from psif.classify.linear.losses import Array


def similarity_metrics(truth: Array, predicted: Array) -> dict[str, float]:
    """Pearson's and Spearman's correlation, × 100."""
    truth, predicted = (np.asarray(values, dtype=np.float64) for values in (truth, predicted))
    return {
        "pearson": 100 * pearson(truth, predicted),
        "spearman": 100 * pearson(rankdata(truth), rankdata(predicted)),
    }


def pooled_metrics(truth: Sequence[Array], predicted: Sequence[Array]) -> dict[str, float]:
    """Spearman's correlation over the pairs of all sub-tasks together, × 100, as in MTEB."""
    together = similarity_metrics(np.concatenate(truth), np.concatenate(predicted))
    return {"pooled spearman": together["spearman"]}


def pearson(left: Array, right: Array) -> float:
    """Correlation; 0 where one side is constant, which predicts nothing."""
    left, right = left - left.mean(), right - right.mean()
    scale = np.linalg.norm(left) * np.linalg.norm(right)
    # A constant side is only constant up to rounding.
    return float(left @ right / scale) if scale > 1e-12 * len(left) else 0.0


def cosines(left: Any, right: Any) -> Array:
    """Cosine of each pair of rows; 0 with an empty document."""
    from scipy import sparse

    if sparse.issparse(left):
        dots = np.asarray(left.multiply(right).sum(axis=1)).ravel()
        norms = [np.sqrt(np.asarray(x.multiply(x).sum(axis=1)).ravel()) for x in (left, right)]
    else:
        left, right = np.asarray(left, np.float64), np.asarray(right, np.float64)
        dots = np.einsum("ij,ij->i", left, right)
        norms = [np.linalg.norm(side, axis=1) for side in (left, right)]
    scale = norms[0] * norms[1]
    return np.asarray(np.divide(dots, scale, out=np.zeros(len(dots)), where=scale > 0))
