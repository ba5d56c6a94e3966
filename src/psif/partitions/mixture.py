"""Gaussian mixture over word vectors: overlapping clusters, for short texts."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np

from psif.errors import InputError
from psif.partitions.base import check_sizes
from psif.runtime.blas import single_threaded_libraries
from psif.runtime.threads import ranges
from psif.types import DoubleMatrix, FloatMatrix

# Expectation-maximisation sees at most this many words (the most frequent come first in a
# table); clusters of word vectors are stable long before, and time would grow with the rest.
_MOST_WORDS_TO_FIT = 20_000
_WORDS_PER_PIECE = 8_192


class Mixture:
    r"""Topics as the components of a Gaussian mixture; codes are responsibilities.

    .. math:: \alpha_{w,j} = P(j \mid v_w) =
              \frac{\pi_j N(v_w; \mu_j, \Sigma_j)}{\sum_i \pi_i N(v_w; \mu_i, \Sigma_i)}

    The long tail of each word's responsibilities, beyond the ``n_active`` largest or below
    ``tail``, is cut and the rest rescaled to sum to 1.

    Parameters
    ----------
    n_topics : int
    n_active : int or None
        Most topics that a word keeps; ``None`` is K // 2.
    covariance : {"tied", "diag", "full"}, default="tied"
    tail : float, default=0.01
        Responsibilities below this are cut (the largest is always kept).
    max_iter : int, default=50
    random_state : int, default=0
    n_jobs : int or None

    Attributes
    ----------
    atoms_ : ndarray of shape (n_topics, dim)
        The means.
    losses_ : list of float
        Negative mean log-likelihood of a word after each iteration.
    """

    def __init__(
        self,
        n_topics: int,
        *,
        n_active: int | None = None,
        covariance: str = "tied",
        tail: float = 0.01,
        max_iter: int = 50,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_topics = n_topics
        self.n_active = n_active
        self.covariance = covariance
        self.tail = tail
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, vectors: FloatMatrix) -> Self:
        """Fit by expectation-maximisation from a k-means start."""
        check_sizes(len(vectors), self.n_topics, self.n_active)
        if self.covariance not in ("tied", "diag", "full"):
            raise InputError(
                f"covariance must be 'tied', 'diag' or 'full'; got {self.covariance!r}."
            )
        sample = vectors[:_MOST_WORDS_TO_FIT].astype(np.float64)
        # Variances are floored relative to the data's own: unit-normed vectors have tiny ones.
        floor = max(1e-3 * float(sample.var()), 1e-12)
        self._mixture = self._fitted(sample, floor)
        self.losses_ = [-float(bound) for bound in self._mixture.lower_bounds_]
        self.atoms_ = self._mixture.means_.astype(np.float32)
        return self

    def _fitted(self, sample: DoubleMatrix, floor: float) -> Any:
        options: dict[str, Any] = {
            "reg_covar": floor, "max_iter": self.max_iter, "random_state": self.random_state,
        }  # fmt: skip
        if self.covariance == "tied":
            from psif.partitions.tied import TiedMixture

            return TiedMixture(self.n_topics, n_jobs=self.n_jobs, **options).fit(sample)
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.mixture import GaussianMixture

        with single_threaded_libraries(), warnings.catch_warnings():
            # A mixture stopped early still gives usable responsibilities; losses_ tells.
            warnings.simplefilter("ignore", ConvergenceWarning)
            return GaussianMixture(self.n_topics, covariance_type=self.covariance, **options).fit(
                sample
            )

    def encode(self, vectors: FloatMatrix) -> FloatMatrix:
        """Responsibilities with their tail cut, rows summing to 1."""
        n_active = check_sizes(self.n_topics, self.n_topics, self.n_active)
        codes = np.empty((len(vectors), self.n_topics), dtype=np.float32)
        with single_threaded_libraries():
            for start, stop in ranges(len(vectors), _WORDS_PER_PIECE):
                shares = self._mixture.predict_proba(vectors[start:stop].astype(np.float64))
                codes[start:stop] = cut_tail(shares, n_active, self.tail)
        return codes


def cut_tail(responsibilities: np.ndarray, n_active: int, tail: float) -> np.ndarray:
    """Keep the ``n_active`` largest of each row and none below ``tail``; rescale to sum to 1."""
    rows = np.arange(len(responsibilities))
    order = np.argsort(-responsibilities, axis=1, kind="stable")
    kept = np.zeros_like(responsibilities)
    for rank in range(n_active):
        column = order[:, rank]
        value = responsibilities[rows, column]
        kept[rows, column] = value if rank == 0 else np.where(value >= tail, value, 0)
    result: np.ndarray = kept / kept.sum(axis=1, keepdims=True)
    return result
