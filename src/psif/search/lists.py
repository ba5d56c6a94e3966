"""The approximate index of large collections: documents in lists of neighbours.

Vectors are grouped around centroids, as in an inverted file (Sivic and Zisserman, 2003); a query
looks only at the lists whose centroids are nearest. FAISS finds the centroids; who reads the index
does not need it.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from psif.errors import FormatError, MissingExtraError
from psif.runtime.blas import single_threaded_libraries
from psif.types import CountVector, DoubleVector, FloatMatrix, IdVector

# Above so many documents a segment gets lists, unless the user says otherwise.
APPROXIMATE_FROM = 1_000_000
# docs/search.md has the recall that this share of the lists gives.
_SHARE = 0.01
_LEAST_LISTS, _MOST_LISTS = 8, 4_096
# Documents per list that centroids are learned from.
_SAMPLE = 64
_BLOCK = 1 << 15


@dataclass(frozen=True, eq=False)
class Lists:
    """Which documents are near which centroid.

    Attributes
    ----------
    centroids : ndarray of float32, shape (n_lists, n_dims)
    ends : ndarray of int64, shape (n_lists,)
        Where each list ends in ``docs``.
    docs : ndarray of int32, shape (n_docs,)
    """

    centroids: FloatMatrix
    ends: CountVector
    docs: IdVector

    @classmethod
    def learn(cls, rows: Any) -> Lists:
        """Group the vectors of :class:`psif.search.rows.Rows`."""
        if find_spec("faiss") is None:
            raise MissingExtraError("faiss", "faiss", "an approximate index")
        import faiss

        n_docs = len(rows.vectors)
        n_lists = max(1, min(n_docs, _MOST_LISTS, int(4 * np.sqrt(n_docs))))
        rng = np.random.default_rng(0)
        sample = np.sort(rng.choice(n_docs, min(n_docs, _SAMPLE * n_lists), replace=False))
        with single_threaded_libraries():
            # One thread: sums over threads would depend on their number.
            threads = faiss.omp_get_max_threads()
            faiss.omp_set_num_threads(1)
            try:
                learner = faiss.Kmeans(
                    rows.n_dims, n_lists, niter=8, seed=0, spherical=True,
                    min_points_per_centroid=1, max_points_per_centroid=_SAMPLE,
                )  # fmt: skip
                learner.train(rows.take(sample).astype(np.float32))
                nearest = np.empty(n_docs, dtype=np.int64)
                for start in range(0, n_docs, _BLOCK):
                    here = np.arange(start, min(start + _BLOCK, n_docs))
                    block = rows.take(here).astype(np.float32)
                    nearest[here] = learner.index.search(block, 1)[1][:, 0]
            finally:
                faiss.omp_set_num_threads(threads)
        docs = np.argsort(nearest, kind="stable").astype(np.int32)
        ends = np.cumsum(np.bincount(nearest, minlength=n_lists))
        return cls(np.ascontiguousarray(learner.centroids, dtype=np.float32), ends, docs)

    def near(self, direction: DoubleVector) -> IdVector:
        """Return the documents of the nearest lists."""
        products = self.centroids @ direction.astype(np.float32)
        n_lists = min(len(products), max(_LEAST_LISTS, int(_SHARE * len(products))))
        chosen = np.argsort(-products, kind="stable")[:n_lists]
        starts = self.ends - np.diff(self.ends, prepend=0)
        return np.concatenate([self.docs[starts[i] : self.ends[i]] for i in chosen.tolist()])

    # As named arrays

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Everything as arrays, for a file."""
        return {
            "lists.centroids": self.centroids,
            "lists.ends": self.ends,
            "lists.docs": self.docs,
        }

    @classmethod
    def from_arrays(cls, get: Any) -> Lists:
        """Inverse of :meth:`to_arrays`."""
        return cls(
            get("lists.centroids", np.float32, 2),
            get("lists.ends", np.int64),
            get("lists.docs", np.int32),
        )

    def check(self, n_docs: int, n_dims: int) -> None:
        """Raise if the arrays do not fit: compiled loops do not look."""
        fits = (
            self.centroids.shape == (len(self.ends), n_dims)
            and len(self.docs) == n_docs
            and len(self.ends) > 0
            and int(self.ends[-1]) == n_docs
            and not (np.diff(self.ends, prepend=0) < 0).any()
            and np.isfinite(self.centroids).all()
            and (np.sort(self.docs) == np.arange(n_docs, dtype=np.int32)).all()
        )
        if not fits:
            raise FormatError("the lists of neighbours are damaged.")


def wants_lists(n_docs: int, approximate: bool | None) -> bool:
    """Whether a segment gets lists: as the user says, or by its size where FAISS is there."""
    if approximate is None:
        return n_docs > APPROXIMATE_FROM and find_spec("faiss") is not None
    return approximate and n_docs > 0
