"""What is done to word vectors before they are partitioned and averaged."""

from __future__ import annotations

import numpy as np

from psif.errors import InputError
from psif.norms import unit_rows
from psif.types import DoubleVector, FloatMatrix

PREPARATIONS = ("none", "unit", "center", "all-but-the-top", "zipf")
_TOP_DIRECTIONS_A_HUNDRED = 1  # Mu & Viswanath advise dim / 100 directions.


def prepare_vectors(
    vectors: FloatMatrix, how: str, probs: DoubleVector | None = None
) -> FloatMatrix:
    r"""Return word vectors ready for use, float32 and contiguous.

    Parameters
    ----------
    vectors : ndarray of shape (n_words, dim)
    how : {"none", "unit", "center", "all-but-the-top", "zipf"}
        - "none": as they are (the paper);
        - "unit": :math:`v_w / \|v_w\|`, zero rows stay zero;
        - "center": the mean removed, then unit norm;
        - "all-but-the-top": the mean and the leading dim / 100 (at least one) principal
          directions removed, then unit norm (Mu, Viswanath 2018);
        - "zipf": see :func:`scale_by_frequency`.
    probs : ndarray of shape (n_words,), optional
        p(w), for "zipf"; without it all words are alike.
    """
    if how not in PREPARATIONS:
        raise InputError(f"word_norm must be one of {', '.join(PREPARATIONS)}; got {how!r}.")
    result = np.array(vectors, dtype=np.float32, order="C")
    if how == "zipf":
        return scale_by_frequency(unit_rows(result), probs)
    if how in ("center", "all-but-the-top"):
        result -= result.mean(axis=0, dtype=np.float64).astype(np.float32)
    if how == "all-but-the-top":
        _remove_top_directions(result)
    return result if how == "none" else unit_rows(result)


def scale_by_frequency(vectors: FloatMatrix, probs: DoubleVector | None) -> FloatMatrix:
    r"""Half-whiten word vectors as running text sees them.

    .. math:: \mu = \sum_w p(w) v_w, \qquad
              \Sigma = \sum_w p(w) (v_w - \mu)(v_w - \mu)^T, \qquad
              z_w = \Sigma^{-1/4} (v_w - \mu), \qquad v'_w = z_w / \|z_w\|^{1/2}

    Frequent words lie near the mean of text and become short: the norm of a vector then tells how
    much its word says, and little is left for a common component. The square roots (of the
    whitening, of the norm) are between leaving vectors alone and whitening them wholly, and did
    better than both on development data.

    References
    ----------
    .. [1] Yokoi, Bao, Kurita, Shimodaira (2024), "Zipfian whitening".
    """
    shares = np.ones(len(vectors)) if probs is None or not probs.any() else probs
    shares = (shares / shares.sum()).astype(np.float64)
    centred = vectors - (shares @ vectors).astype(np.float32)
    covariance = (centred * shares[:, None].astype(np.float32)).T @ centred
    values, directions = np.linalg.eigh(covariance.astype(np.float64))
    # Directions that text hardly uses are not blown up; where it uses none, nothing is scaled.
    largest = float(values[-1])
    spread = np.maximum(values, 1e-6 * largest) if largest > 1e-12 else np.ones_like(values)
    scale = directions * spread**-0.25
    scaled: FloatMatrix = centred @ scale.astype(np.float32)
    norms = np.linalg.norm(scaled, axis=1, keepdims=True)
    result: FloatMatrix = np.divide(
        scaled, np.sqrt(norms), out=np.zeros_like(scaled), where=norms > 0
    )
    return result


def _remove_top_directions(vectors: FloatMatrix) -> None:
    n_top = max(1, vectors.shape[1] * _TOP_DIRECTIONS_A_HUNDRED // 100)
    covariance = (vectors.T @ vectors).astype(np.float64)
    top = np.linalg.eigh(covariance)[1][:, -n_top:].astype(np.float32)
    vectors -= (vectors @ top) @ top.T
