"""A Gaussian mixture whose components share one covariance, fast in many dimensions."""

from __future__ import annotations

from typing import Self

import numpy as np

from psif.runtime.blas import single_threaded_blas, single_threaded_libraries
from psif.runtime.threads import map_ranges
from psif.types import DoubleMatrix, DoubleVector

_ROWS_PER_BLOCK = 2048
# As scikit-learn: no component without any weight, and when to stop.
_LEAST_WEIGHT = 10 * float(np.finfo(np.float64).eps)
_TOLERANCE = 1e-3


class TiedMixture:
    r"""Expectation-maximisation for a mixture of Gaussians with one covariance.

    With one covariance :math:`\Sigma = L L^T` the distances of all words from all K means are those
    of whitened words from whitened means,

    .. math:: (v - \mu_j)^T \Sigma^{-1} (v - \mu_j) = \|L^{-1} v - L^{-1} \mu_j\|^2,

    which takes n d² + n K d multiplications; a general implementation takes n K d². The scatter
    :math:`V^T V`, from which the covariance is updated, is the same in every iteration. All sums
    go over blocks of words in a fixed order, so threads do not change the result.

    Parameters
    ----------
    n_components : int
    reg_covar : float
        Added to the variances.
    max_iter : int
    random_state : int
        Of the k-means start.
    n_jobs : int or None

    Attributes
    ----------
    means_ : ndarray of shape (n_components, dim)
    lower_bounds_ : list of float
        Mean log-likelihood of a word at each iteration.
    """

    def __init__(
        self,
        n_components: int,
        *,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, vectors: DoubleMatrix) -> Self:
        """Fit from a k-means start."""
        labels = self._start(vectors)
        # Measured from the overall mean: differences of large squares would lose digits.
        self._centre = vectors.mean(axis=0)
        centred = vectors - self._centre
        self.lower_bounds_: list[float] = []
        with single_threaded_blas():
            scatter = self._scatter(centred)
            members = np.eye(self.n_components)[labels]
            self._maximise(members.sum(axis=0), members.T @ centred, scatter)
            before = -np.inf
            for _ in range(self.max_iter):
                weights, sums, likelihood = self._expect(centred)
                self._maximise(weights, sums, scatter)
                self.lower_bounds_.append(likelihood / len(centred))
                if abs(self.lower_bounds_[-1] - before) < _TOLERANCE:
                    break
                before = self.lower_bounds_[-1]
        self.means_ = self._means + self._centre
        return self

    def predict_proba(self, vectors: DoubleMatrix) -> DoubleMatrix:
        """Responsibilities of the components, shape (n_words, n_components)."""
        responsibilities = np.empty((len(vectors), self.n_components))

        def work(start: int, stop: int) -> None:
            centred = vectors[start:stop] - self._centre
            responsibilities[start:stop] = self._responsibilities(centred)[0]

        with single_threaded_blas():
            map_ranges(work, len(vectors), size=_ROWS_PER_BLOCK, n_jobs=self.n_jobs)
        return responsibilities

    def _start(self, vectors: DoubleMatrix) -> np.ndarray:
        from sklearn.cluster import KMeans

        kmeans = KMeans(self.n_components, n_init=1, random_state=self.random_state)
        with single_threaded_libraries():
            labels: np.ndarray = kmeans.fit(vectors).labels_
        return labels

    def _scatter(self, centred: DoubleMatrix) -> DoubleMatrix:
        """Return VᵀV."""

        def work(start: int, stop: int) -> DoubleMatrix:
            product: DoubleMatrix = centred[start:stop].T @ centred[start:stop]
            return product

        total = np.zeros((centred.shape[1], centred.shape[1]))
        for part in map_ranges(work, len(centred), size=_ROWS_PER_BLOCK, n_jobs=self.n_jobs):
            total += part
        return total

    def _expect(self, centred: DoubleMatrix) -> tuple[DoubleVector, DoubleMatrix, float]:
        """Sum over all words: responsibilities, words times these, and log-likelihoods."""

        def work(start: int, stop: int) -> tuple[DoubleVector, DoubleMatrix, float]:
            block = centred[start:stop]
            responsibilities, likelihoods = self._responsibilities(block)
            weights: DoubleVector = responsibilities.sum(axis=0)
            return weights, responsibilities.T @ block, float(likelihoods.sum())

        parts = map_ranges(work, len(centred), size=_ROWS_PER_BLOCK, n_jobs=self.n_jobs)
        weights, sums, likelihood = parts[0]
        for part in parts[1:]:
            weights += part[0]
            sums += part[1]
            likelihood += part[2]
        return weights, sums, likelihood

    def _responsibilities(self, centred: DoubleMatrix) -> tuple[DoubleMatrix, DoubleVector]:
        """Responsibilities and log-likelihood of each word."""
        words, means = centred @ self._whitening, self._means @ self._whitening
        squares = (words**2).sum(axis=1)[:, None] + (means**2).sum(axis=1) - 2 * words @ means.T
        log_det = np.log(np.diag(self._whitening)).sum()
        logs = log_det - 0.5 * (centred.shape[1] * np.log(2 * np.pi) + squares)
        logs += self._log_weights
        highest = logs.max(axis=1, keepdims=True)
        shares = np.exp(logs - highest)
        totals = shares.sum(axis=1, keepdims=True)
        likelihoods: DoubleVector = (np.log(totals) + highest).ravel()
        return shares / totals, likelihoods

    def _maximise(self, weights: DoubleVector, sums: DoubleMatrix, scatter: DoubleMatrix) -> None:
        """Means, covariance and weights from the sums over all words."""
        from scipy.linalg import solve_triangular

        weights = weights + _LEAST_WEIGHT
        self._means = sums / weights[:, None]
        covariance = (scatter - (self._means * weights[:, None]).T @ self._means) / weights.sum()
        covariance.flat[:: len(covariance) + 1] += self.reg_covar
        lower = np.linalg.cholesky(covariance)
        identity = np.eye(len(covariance))
        self._whitening = solve_triangular(lower, identity, lower=True).T
        self._log_weights = np.log(weights / weights.sum())
