"""What is done to word vectors before they are partitioned and averaged."""

from __future__ import annotations

import numpy as np

from psif.errors import InputError
from psif.runtime.norms import unit_rows
from psif.types import DoubleVector, FloatMatrix

PREPARATIONS = ("none", "unit", "center", "all-but-the-top", "zipf", "zipf-norms")
_TOP_DIRECTIONS_A_HUNDRED = 1  # Mu & Viswanath advise dim / 100 directions.


def prepare_vectors(
    vectors: FloatMatrix, how: str, probs: DoubleVector | None = None
) -> FloatMatrix:
    r"""Return word vectors ready for use, float32 and contiguous.

    Parameters
    ----------
    vectors : ndarray of shape (n_words, dim)
    how : {"none", "unit", "center", "all-but-the-top", "zipf", "zipf-norms"}
        - "none": as they are (the paper);
        - "unit": :math:`v_w / \|v_w\|`, zero rows stay zero;
        - "center": the mean removed, then unit norm;
        - "all-but-the-top": the mean and the leading dim / 100 (at least one) principal
          directions removed, then unit norm (Mu, Viswanath 2018);
        - "zipf": half-whitened by frequency, :func:`whiten_by_frequency` with 1/2, then
          :math:`v_w / \|v_w\|^{1/2}` (documents, whose words have weights of their own);
        - "zipf-norms": with 3/4, the norms as they come out (single sentences).
    probs : ndarray of shape (n_words,), optional
        p(w), for the last two; without it all words are alike.
    """
    if how not in PREPARATIONS:
        raise InputError(f"word_norm must be one of {', '.join(PREPARATIONS)}; got {how!r}.")
    result = np.array(vectors, dtype=np.float32, order="C")
    if how == "zipf":
        return _root_of_norms(whiten_by_frequency(unit_rows(result), probs, 0.5))
    if how == "zipf-norms":
        return whiten_by_frequency(unit_rows(result), probs, 0.75)
    if how in ("center", "all-but-the-top"):
        result -= result.mean(axis=0, dtype=np.float64).astype(np.float32)
    if how == "all-but-the-top":
        _remove_top_directions(result)
    return result if how == "none" else unit_rows(result)


def whiten_by_frequency(
    vectors: FloatMatrix, probs: DoubleVector | None, power: float
) -> FloatMatrix:
    r"""Whiten word vectors in part, as running text sees them.

    .. math:: \mu = \sum_w p(w) v_w, \qquad
              \Sigma = \sum_w p(w) (v_w - \mu)(v_w - \mu)^T, \qquad
              z_w = \Sigma^{-q/2} (v_w - \mu)

    Frequent words lie near the mean of text and become short: the norm of a vector then tells how
    much its word says, and little is left for a common component. A power q between leaving
    vectors alone (0) and whitening them wholly (1) did better than both on development data.

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
    scale = directions * spread ** (-power / 2)
    result: FloatMatrix = centred @ scale.astype(np.float32)
    return result


def _root_of_norms(vectors: FloatMatrix) -> FloatMatrix:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    result: FloatMatrix = np.divide(
        vectors, np.sqrt(norms), out=np.zeros_like(vectors), where=norms > 0
    )
    return result


def _remove_top_directions(vectors: FloatMatrix) -> None:
    n_top = max(1, vectors.shape[1] * _TOP_DIRECTIONS_A_HUNDRED // 100)
    covariance = (vectors.T @ vectors).astype(np.float64)
    top = np.linalg.eigh(covariance)[1][:, -n_top:].astype(np.float32)
    vectors -= (vectors @ top) @ top.T
