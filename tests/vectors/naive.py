"""Slow, obvious twins of the compiled loops."""

from __future__ import annotations

import numpy as np


def cooccurrences(docs: list[list[int]], n_words: int, window: int) -> np.ndarray:
    """Distance-weighted counts, in units of 1 / window."""
    counts = np.zeros((n_words, n_words))
    for doc in docs:
        for i, word in enumerate(doc):
            for j, context in enumerate(doc):
                if i != j and abs(i - j) <= window:
                    counts[word, context] += window + 1 - abs(i - j)
    return counts


def positive_information(
    counts: np.ndarray, smoothing: float = 0.75, shift: float = 1.0
) -> np.ndarray:
    """PPMI of a table of counts, entry by entry."""
    marginals = counts.sum(axis=1)
    smoothed = np.where(marginals > 0, marginals, 0.0) ** smoothing
    out = np.zeros_like(counts)
    for w, c in zip(*np.nonzero(counts), strict=True):
        p_context = smoothed[c] / smoothed.sum()
        out[w, c] = max(0.0, np.log(counts[w, c] / (marginals[w] * p_context)) - np.log(shift))
    return out
