"""Scores of all documents, and the best of them."""

from __future__ import annotations

from math import sqrt

import numpy as np

from psif.compiled.kernel import kernel

# Sums may be reordered (for vector units) and fused; NaN and infinity keep their meaning.
_SUMS = {"reassoc", "contract", "nsz"}


@kernel(fastmath=_SUMS)
def score_rows(vectors, scales, query, out):  # type: ignore[no-untyped-def]
    """Write the inner product of a query and each row, times the factor of the row.

    Parameters
    ----------
    vectors : int8 (n, n_dims)
    scales : float32 (n,)
    query : float32 (n_dims,)
    out : float32 (n,)
    """
    for row in range(len(vectors)):
        total = np.float32(0)
        for c in range(vectors.shape[1]):
            total += np.float32(vectors[row, c]) * query[c]
        out[row] = total * scales[row]


@kernel()
def deviation(values, live):  # type: ignore[no-untyped-def]
    """Return the standard deviation of the values of documents that are not deleted.

    ``live`` may be empty: no document is deleted.
    """
    n, total, squares = 0, 0.0, 0.0
    for i in range(len(values)):
        if len(live) == 0 or live[i]:
            value = float(values[i])
            n += 1
            total += value
            squares += value * value
    if n == 0:
        return 0.0
    mean = total / n
    variance = squares / n - mean * mean
    # Rounding leaves about 1e-16 of the squares where all values are equal.
    return sqrt(variance) if variance > 1e-13 * squares / n else 0.0


@kernel()
def _worse(scores, docs, i, j):  # type: ignore[no-untyped-def]
    """Whether entry i ranks behind entry j: by score, then by the later document."""
    if scores[i] != scores[j]:
        return scores[i] < scores[j]
    return docs[i] > docs[j]


@kernel()
def _sift(scores, docs, place, n):  # type: ignore[no-untyped-def]
    """Move an entry down a heap whose top is the worst."""
    while True:
        worst = place
        for child in (2 * place + 1, 2 * place + 2):
            if child < n and _worse(scores, docs, child, worst):
                worst = child
        if worst == place:
            return
        scores[place], scores[worst] = scores[worst], scores[place]
        docs[place], docs[worst] = docs[worst], docs[place]
        place = worst


@kernel()
def best_sums(  # type: ignore[no-untyped-def]
    first, first_factor, second, second_factor, allowed, scores, docs
):
    """Find the documents with the largest weighted sum of two scores.

    Only those count whose sum, or first part of it, is positive.

    Parameters
    ----------
    first : float64 (n,)
    second : float32 (n,)
    allowed : bool (n,), or empty: all are
    scores, docs : float64, int64 (k,)
        Written, best first; of equal ones the earlier document first.

    Returns
    -------
    n : int
        Documents found, at most k.
    """
    n, k = 0, len(scores)
    for doc in range(len(first)):
        if len(allowed) and not allowed[doc]:
            continue
        score = first_factor * first[doc] + second_factor * float(second[doc])
        if not (score > 0.0 or first_factor * first[doc] > 0.0):
            continue
        if n < k:
            scores[n], docs[n] = score, doc
            n += 1
            if n == k:
                for place in range(k // 2 - 1, -1, -1):
                    _sift(scores, docs, place, k)
        elif score > scores[0]:
            scores[0], docs[0] = score, doc
            _sift(scores, docs, 0, k)
    if n < k:
        for place in range(n // 2 - 1, -1, -1):
            _sift(scores, docs, place, n)
    for last in range(n - 1, 0, -1):
        scores[0], scores[last] = scores[last], scores[0]
        docs[0], docs[last] = docs[last], docs[0]
        _sift(scores, docs, 0, last)
    return n
