"""How well clusters of vectors agree with the classes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from psif.classify.linear.losses import Array


def clustering_metrics(
    vectors: Any, labels: Array, *, random_state: int | None = 0
) -> dict[str, float]:
    """V-measure, normalised mutual information and adjusted Rand index of k-means, × 100.

    There are as many clusters as classes; the best of three starts by k-means' own objective.
    V-measure with equal weights is NMI with the arithmetic mean: NMI here takes the geometric.
    """
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.metrics import (
        adjusted_rand_score,
        normalized_mutual_info_score,
        v_measure_score,
    )

    n_classes = len(np.unique(labels))
    with warnings.catch_warnings():
        # Fewer distinct documents than classes: k-means says so, the score shows it.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = KMeans(n_classes, n_init=3, random_state=random_state).fit_predict(vectors)
    return {
        "V-measure": 100 * float(v_measure_score(labels, found)),
        "NMI": 100 * float(normalized_mutual_info_score(labels, found, average_method="geometric")),
        "ARI": 100 * float(adjusted_rand_score(labels, found)),
    }
