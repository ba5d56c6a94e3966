"""What is done to word vectors before they are partitioned and averaged."""

from __future__ import annotations

import warnings

import numpy as np

from psif.errors import InputError, PsifWarning
from psif.runtime.blas import inner_product, single_threaded_blas, tall_product
from psif.runtime.norms import unit_rows
from psif.types import DoubleVector, FloatMatrix

PREPARATIONS = ("none", "unit", "center", "all-but-the-top", "zipf", "zipf-norms")
# Mu and Viswanath advise to remove dim / 100 directions.
_DIM_PER_TOP_DIRECTION = 100
# Powers of two between which the largest number of a table must lie: a document vector is a sum
# of products of vectors and codes, and its square must still be a 32-bit number.
_EXPONENTS = (-24, 24)


def prepare_vectors(
    vectors: FloatMatrix,
    how: str,
    probs: DoubleVector | None = None,
    *,
    n_jobs: int | None = None,
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
    n_jobs : int or None

    Notes
    -----
    A table whose largest number is below 2⁻²⁴ or above 2²⁴ is first scaled by a power of two, since
    its squares would not be 32-bit numbers. Only "none" keeps a trace of that, and warns.
    """
    if how not in PREPARATIONS:
        raise InputError(f"word_norm must be one of {', '.join(PREPARATIONS)}; got {how!r}.")
    result = np.array(vectors, dtype=np.float32, order="C")
    _scale_into_range(result, warn=how == "none")
    with single_threaded_blas():
        if how == "zipf":
            return _root_of_norms(whiten_by_frequency(unit_rows(result), probs, 0.5, n_jobs=n_jobs))
        if how == "zipf-norms":
            return whiten_by_frequency(unit_rows(result), probs, 0.75, n_jobs=n_jobs)
        if how in ("center", "all-but-the-top"):
            result -= result.mean(axis=0, dtype=np.float64).astype(np.float32)
        if how == "all-but-the-top":
            _remove_top_directions(result, n_jobs)
    return result if how == "none" else unit_rows(result)


def _scale_into_range(vectors: FloatMatrix, *, warn: bool) -> None:
    """Scale by a power of two, in place, where numbers are too small or too large to square."""
    largest = float(max(vectors.max(initial=0), -vectors.min(initial=0)))
    exponent = int(np.frexp(largest)[1])
    if not largest or _EXPONENTS[0] <= exponent <= _EXPONENTS[1]:
        return
    # In two steps: 2 ** 140 is no 32-bit number.
    np.ldexp(vectors, -exponent // 2, out=vectors)
    np.ldexp(vectors, -exponent - (-exponent // 2), out=vectors)
    if warn:
        warnings.warn(
            f"the largest number of the word vectors is {largest:.3g}; they were scaled by "
            f"2**{-exponent}, because their squares are too small or too large for 32-bit numbers.",
            PsifWarning,
            stacklevel=3,
        )


def whiten_by_frequency(
    vectors: FloatMatrix, probs: DoubleVector | None, power: float, *, n_jobs: int | None = None
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
    weights = shares[:, None].astype(np.float32)
    centred = vectors - inner_product(weights, vectors, n_jobs=n_jobs).astype(np.float32)
    covariance = inner_product(centred * weights, centred, n_jobs=n_jobs)
    values, directions = np.linalg.eigh(covariance)
    # Directions that text hardly uses are not blown up; where it uses none, nothing is scaled.
    largest = float(values[-1])
    spread = np.maximum(values, 1e-6 * largest) if largest > 1e-12 else np.ones_like(values)
    scale = directions * spread ** (-power / 2)
    return tall_product(centred, scale.astype(np.float32), n_jobs=n_jobs)


def _root_of_norms(vectors: FloatMatrix) -> FloatMatrix:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    result: FloatMatrix = np.divide(
        vectors, np.sqrt(norms), out=np.zeros_like(vectors), where=norms > 0
    )
    return result


def _remove_top_directions(vectors: FloatMatrix, n_jobs: int | None) -> None:
    n_top = max(1, vectors.shape[1] // _DIM_PER_TOP_DIRECTION)
    covariance = inner_product(vectors, vectors, n_jobs=n_jobs)
    top = np.linalg.eigh(covariance)[1][:, -n_top:].astype(np.float32)
    vectors -= tall_product(tall_product(vectors, top, n_jobs=n_jobs), top.T, n_jobs=n_jobs)
