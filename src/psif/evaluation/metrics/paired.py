"""Whether one method is better than another on the same documents, or only luckier."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Documents are drawn this often; p-values are no finer than two parts of it.
N_RESAMPLES = 10_000
_AT_A_TIME = 250


class Difference(NamedTuple):
    """A difference × 100, its 95 % interval, a two-sided p-value, and the documents behind it."""

    difference: float
    low: float
    high: float
    p: float
    n_documents: int


def paired_bootstrap(
    first: NDArray[np.bool_],
    second: NDArray[np.bool_],
    documents: NDArray[np.int64],
    *,
    n_resamples: int = N_RESAMPLES,
    random_state: int = 0,
) -> Difference:
    r"""Compare two methods by drawing test documents again, with replacement.

    With :math:`d_j = a_j - b_j` the difference of a single decision (1 right, 0 wrong), the
    statistic is the mean of d. A document that several seeds or splits decided is drawn with all
    of its decisions, since those are not independent:

    .. math:: \hat\Delta = \frac{\sum_i n^*_i S_i}{\sum_i n^*_i m_i}, \qquad
              S_i = \sum_{j \in i} d_j, \quad m_i = |i|

    where :math:`n^*_i` says how often document i was drawn. The p-value is twice the share of
    draws on the other side of zero, draws that are exactly zero among them.

    Parameters
    ----------
    first, second : ndarray of bool
        Whether each decision of either method is right.
    documents : ndarray of int
        The document of each decision.

    References
    ----------
    .. [1] Efron, Tibshirani (1993), "An introduction to the bootstrap", chapters 13 and 16.
    """
    _, places = np.unique(documents, return_inverse=True)
    gains = np.bincount(places, first.astype(np.float64) - second.astype(np.float64))
    sizes = np.bincount(places).astype(np.float64)
    n = len(gains)
    rng = np.random.default_rng(random_state)
    drawn = []
    for start in range(0, n_resamples, _AT_A_TIME):
        times = rng.multinomial(n, np.full(n, 1 / n), size=min(_AT_A_TIME, n_resamples - start))
        drawn.append((times @ gains) / (times @ sizes))
    found = np.concatenate(drawn)
    low, high = np.quantile(found, [0.025, 0.975])
    p = min(1.0, 2 * max(min((found <= 0).mean(), (found >= 0).mean()), 1 / n_resamples))
    total = gains.sum() / sizes.sum()
    return Difference(100 * float(total), 100 * float(low), 100 * float(high), float(p), n)
