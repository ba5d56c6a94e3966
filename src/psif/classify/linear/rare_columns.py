"""Inner products of features most of whose columns are nearly always zero.

Columns of exact words stand beside those of the topics: tens of thousands, each nonzero in a few
documents. A dense product would multiply zeros for most of its time. On 20 Newsgroups (4,000 and
32,768 columns) the similarities of test to training documents take a quarter of the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from psif.classify.linear.losses import Array

# Columns that are nonzero in a smaller share of the documents are multiplied as sparse ones.
_RARE = 0.02
# Rows multiplied at a time from sparse features.
_BLOCK = 1024


class SplitColumns:
    """Dense features as a dense and a sparse part.

    Parameters
    ----------
    features : ndarray of shape (n_docs, n_features)
    rare : ndarray of bool
        Which columns are in the sparse part.
    """

    def __init__(self, features: Array, rare: Array) -> None:
        self.rare = rare
        self.common = features[:, ~rare]
        self.sparse = sparse_columns(features, rare)

    def products(self, rows: Array) -> Array:
        """Inner products of dense rows with all documents."""
        from scipy import sparse

        found = np.asarray(rows[:, ~self.rare] @ self.common.T)
        found += (sparse.csr_matrix(rows[:, self.rare]) @ self.sparse.T).toarray()
        return found

    def gram(self) -> Array:
        """Inner products of all documents with each other."""
        gram = np.asarray(self.common @ self.common.T)
        add_sparse_gram(self.sparse, gram)
        return gram


def split_columns(features: Any) -> SplitColumns | None:
    """Return both parts of dense features, or None where most columns are not rare."""
    if not isinstance(features, np.ndarray):
        return None
    rare = np.count_nonzero(features, axis=0) < _RARE * len(features)
    return None if 2 * rare.sum() < len(rare) else SplitColumns(features, rare)


def sparse_columns(features: Array, chosen: Array) -> Any:
    """Return chosen columns as a CSR matrix, with the memory of some rows more."""
    from scipy import sparse

    return sparse.vstack(
        [sparse.csr_matrix(features[rows][:, chosen]) for rows in _blocks(len(features))],
        format="csr",
    )


def add_sparse_gram(features: Any, gram: Array) -> None:
    """Add XXᵀ of a CSR matrix to a dense matrix."""
    transposed = features.T.tocsr()
    for rows in _blocks(features.shape[0]):
        gram[rows] += (features[rows] @ transposed).toarray()


def _blocks(n_rows: int) -> Iterator[slice]:
    return (slice(begin, begin + _BLOCK) for begin in range(0, n_rows, _BLOCK))
