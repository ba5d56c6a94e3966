"""A Gaussian mixture with one covariance, fast in many dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.mixture import GaussianMixture


class TiedMixture(GaussianMixture):
    r"""scikit-learn's tied mixture with the words whitened once, not once a component.

    With one covariance :math:`\Sigma = L L^T` the distances of all words from all K means are those
    of whitened words from whitened means,

    .. math:: (v - \mu_j)^T \Sigma^{-1} (v - \mu_j) = \|L^{-1} v - L^{-1} \mu_j\|^2,

    n d² + n K d multiplications where the library spends n K d²: with 60 components of 300
    dimensions a pass takes a fiftieth of the time.
    """

    def __init__(
        self,
        n_components: int,
        *,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        random_state: int | None = None,
    ) -> None:
        super().__init__(
            n_components,
            covariance_type="tied",
            reg_covar=reg_covar,
            max_iter=max_iter,
            random_state=random_state,
        )

    def _estimate_log_prob(self, X: np.ndarray, xp: Any = None) -> np.ndarray:
        whitening = self.precisions_cholesky_
        # Measured from the overall mean: differences of large squares would lose digits.
        centre = self.means_.mean(axis=0)
        words, means = (X - centre) @ whitening, (self.means_ - centre) @ whitening
        squares = (words**2).sum(axis=1)[:, None] + (means**2).sum(axis=1) - 2 * words @ means.T
        log_det = np.log(np.diag(whitening)).sum()
        result: np.ndarray = log_det - 0.5 * (X.shape[1] * np.log(2 * np.pi) + squares)
        return result
