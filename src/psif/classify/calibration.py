r"""Decision values to probabilities by one temperature.

With decision values f of documents that were held out when C was chosen, the scale a minimises the
log loss of :math:`\mathrm{softmax}(a f)` (one label per document) or
:math:`\sigma(a f)` (several labels, or two classes). One number cannot change which class wins.
See Platt (1999) and Guo et al. (2017), "On calibration of modern neural networks".
"""

from __future__ import annotations

import numpy as np

from psif.classify.linear.losses import Array

# Limits of ln a: few documents that are all right would ask for an infinite scale.
_LIMITS = (-4.0, 4.0)


def fit_temperature(decided: Array | None, targets: Array, several: bool) -> float:
    """Return the scale a; 1 where there are no held-out values.

    Parameters
    ----------
    decided : ndarray of shape (n_docs, m) or None
        NaN in rows that were not held out. One column for two classes.
    targets : ndarray of bool, shape (n_docs, n_classes)
    several : bool
    """
    if decided is None:
        return 1.0
    rows = np.isfinite(decided).all(axis=1)
    if not rows.any():
        return 1.0
    from scipy.optimize import minimize_scalar

    values, wanted = decided[rows].astype(np.float64), targets[rows]
    # Platt's targets: as if one more document were of each kind, so that a few documents that are
    # all classified well do not ask for certainty.
    soft = (wanted + 1 / len(wanted)) / (1 + 2 / len(wanted))
    if not several:
        soft = soft / soft.sum(axis=1, keepdims=True)

    def loss(log_scale: float) -> float:
        found = probabilities(values, float(np.exp(log_scale)), several)
        found = np.clip(found, 1e-12, 1 - 1e-12)
        likelihood = soft * np.log(found)
        if several:
            likelihood += (1 - soft) * np.log(1 - found)
        return -float(likelihood.sum(axis=1).mean())

    return float(np.exp(minimize_scalar(loss, bounds=_LIMITS, method="bounded").x))


def probabilities(values: Array, scale: float, several: bool) -> Array:
    """Probabilities of all classes, (n_docs, n_classes)."""
    scaled = scale * np.asarray(values, dtype=np.float64)
    if several:
        return _sigmoid(scaled)
    if scaled.shape[1] == 1:
        second = _sigmoid(scaled)
        return np.hstack([1 - second, second])
    scaled -= scaled.max(axis=1, keepdims=True)
    np.exp(scaled, out=scaled)
    return np.asarray(scaled / scaled.sum(axis=1, keepdims=True))


def _sigmoid(values: Array) -> Array:
    e = np.exp(-np.abs(values))
    return np.asarray(np.where(values >= 0, 1, e) / (1 + e))
