"""Accuracy on short and on long documents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from psif.classify.linear.losses import Array

# Words of a document: from, to below. Each bin is about twice as wide as the one before.
BINS: tuple[tuple[int, int | None], ...] = ((0, 50), (50, 100), (100, 200), (200, 400), (400, None))
# A share of fewer documents says little.
LEAST_DOCS = 100


def n_words(texts: Sequence[str]) -> Array:
    """Words of each text, as spaces divide them."""
    return np.array([len(text.split()) for text in texts], dtype=np.int64)


def bin_name(low: int, high: int | None) -> str:
    """Name of a bin, also that of a part of a task."""
    return f"{low}+ words" if high is None else f"{low}–{high - 1} words"


def accuracy_by_length(truth: Array, predicted: Array, lengths: Array) -> dict[str, float]:
    """Accuracy × 100 of each bin that has enough documents."""
    found = {}
    for low, high in BINS:
        inside = (lengths >= low) & (lengths < (np.inf if high is None else high))
        if np.count_nonzero(inside) >= LEAST_DOCS:
            found[bin_name(low, high)] = 100 * float(np.mean(truth[inside] == predicted[inside]))
    return found
