"""Axes of features that span fewer dimensions than they have numbers.

A P-SIF vector is linear in the counts of a document's words: with V words, the vectors of any
number of documents span at most V dimensions, however many topics there are. Lists of
ingredients have 1,700 different words and 16,000 features.
"""

from __future__ import annotations

import numpy as np

from psif.classify.linear.losses import Array

# The sketch must leave this share of its rows unused, or the rank may be above its size.
_MARGIN = 0.1
# Axes that carry less than this share of the strongest's square are rounding.
_NEGLIGIBLE = 1e-10
# What the axes may miss of a document's square, and on how many documents that is looked at.
_LOSS = 1e-5
_PROBES = 512


def row_axes(features: Array, most: int) -> Array | None:
    r"""Return orthonormal axes (n_features, r) of all rows, or None when r would be near ``most``.

    A count sketch (Clarkson, Woodruff 2013) adds every row, with a random sign, to one of s
    sums: with probability near 1 the sums span what the rows span, when that is clearly less than
    s dimensions. One pass over the features; the eigenvectors of the s × s products do the rest.
    """
    from scipy.sparse import csr_matrix

    n_docs = len(features)
    rng = np.random.default_rng(0)
    signs = rng.choice(np.array([-1, 1], dtype=features.dtype), size=n_docs)
    places = rng.integers(0, most, size=n_docs)
    sketch = csr_matrix((signs, (places, np.arange(n_docs))), shape=(most, n_docs))
    sums = (sketch @ features).astype(np.float64)
    values, vectors = np.linalg.eigh(sums @ sums.T)
    kept = values > _NEGLIGIBLE * values[-1]
    if not 0 < kept.sum() <= (1 - _MARGIN) * most:
        return None
    axes = (sums.T @ (vectors[:, kept] / np.sqrt(values[kept]))).astype(features.dtype)
    probes = features[rng.choice(n_docs, size=min(_PROBES, n_docs), replace=False)]
    probes = probes.astype(np.float64)
    squares = np.square(probes).sum(axis=1)
    seen = np.square(probes @ axes).sum(axis=1)
    return axes if np.all(squares - seen <= _LOSS * squares) else None
