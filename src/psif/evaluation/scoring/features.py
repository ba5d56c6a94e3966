"""Vectors of documents as features: unit rows, float32."""

from __future__ import annotations

from typing import Any

import numpy as np


def unit_features(vectors: Any) -> Any:
    """Scale every row to length 1, so that one grid of C suits every method; zeros stay zeros.

    Dense float32 vectors are changed in place.
    """
    from scipy import sparse
    from sklearn.preprocessing import normalize

    if sparse.issparse(vectors):
        return normalize(vectors.tocsr().astype(np.float32))
    dense = np.ascontiguousarray(vectors, dtype=np.float32)
    # Without the squares of all numbers at once, which take the memory of the vectors again.
    norms = np.sqrt(np.einsum("ij,ij->i", dense, dense))[:, None]
    norms[norms == 0] = 1
    # In place: vectors of 67,000 documents take gigabytes.
    dense /= norms
    return dense
