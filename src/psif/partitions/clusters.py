"""Hard k-means clusters of word vectors, as in the bag of word vectors (BoWV)."""

from __future__ import annotations

import warnings
from typing import Self

import numpy as np

from psif.partitions.base import check_sizes
from psif.runtime.blas import single_threaded_libraries
from psif.types import FloatMatrix


class Clusters:
    """Every word belongs to its nearest of K centres, with coefficient 1.

    Parameters
    ----------
    n_topics : int
    max_iter : int, default=50
    random_state : int, default=0

    Attributes
    ----------
    atoms_ : ndarray of shape (n_topics, dim)
        The centres.
    losses_ : list of float
        Relative distance ‖V - centres‖ / ‖V‖ at the end.

    References
    ----------
    .. [1] Gupta et al. (2016), the bag-of-word-vectors model.
    """

    def __init__(self, n_topics: int, *, max_iter: int = 50, random_state: int = 0) -> None:
        self.n_topics = n_topics
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, vectors: FloatMatrix) -> Self:
        """Find the centres (scikit-learn, k-means++ start)."""
        from sklearn.cluster import KMeans
        from sklearn.exceptions import ConvergenceWarning

        check_sizes(len(vectors), self.n_topics, None)
        vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        self._kmeans = KMeans(
            self.n_topics, n_init=1, max_iter=self.max_iter, random_state=self.random_state
        )
        with single_threaded_libraries(), warnings.catch_warnings():
            # Fewer distinct vectors than clusters leaves some empty: harmless here.
            warnings.simplefilter("ignore", ConvergenceWarning)
            self._kmeans.fit(vectors)
            scale = float(np.linalg.norm(vectors)) or 1.0
        self.atoms_: FloatMatrix = self._kmeans.cluster_centers_.astype(np.float32)
        self.losses_ = [float(np.sqrt(self._kmeans.inertia_)) / scale]
        return self

    def encode(self, vectors: FloatMatrix) -> FloatMatrix:
        """One-hot codes."""
        with single_threaded_libraries():
            nearest = self._kmeans.predict(np.ascontiguousarray(vectors, dtype=np.float32))
        codes = np.zeros((len(vectors), self.n_topics), dtype=np.float32)
        codes[np.arange(len(vectors)), nearest] = 1
        return codes
