"""The compiled step of relaxed transport between documents."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from psif.compiled.kernel import kernel

Array: TypeAlias = np.ndarray


@kernel()
def nearest_costs(words: Array, offsets: Array, costs: Array, shares: Array, out: Array) -> None:
    r"""Cost of moving every word of a query to its nearest word of each document.

    .. math:: \mathrm{out}_d = \sum_q s_q \min_{w \in d} c_{w,q}

    Parameters
    ----------
    words : int32 (n,)
        The distinct words of all documents.
    offsets : int64 (n_docs + 1,)
    costs : float32 (n_words, n_query)
        One row per word, so that the innermost loop runs over neighbouring numbers.
    shares : float64 (n_query,)
    out : float64 (n_docs,)
        0 for a document without words.
    """
    n_query = costs.shape[1]
    best = np.empty(n_query, dtype=np.float32)
    for doc in range(len(offsets) - 1):
        low, high = offsets[doc], offsets[doc + 1]
        out[doc] = 0.0
        if low == high:
            continue
        best[:] = np.inf
        for i in range(low, high):
            row = costs[words[i]]
            for q in range(n_query):
                best[q] = min(best[q], row[q])
        for q in range(n_query):
            out[doc] += shares[q] * best[q]
