"""What is done to word vectors before they are partitioned and averaged."""

from __future__ import annotations

import numpy as np

from psif.errors import InputError
from psif.norms import unit_rows
from psif.types import FloatMatrix

PREPARATIONS = ("none", "unit", "center", "all-but-the-top")
_TOP_DIRECTIONS_A_HUNDRED = 1  # Mu & Viswanath advise dim / 100 directions.


def prepare_vectors(vectors: FloatMatrix, how: str) -> FloatMatrix:
    r"""Return word vectors ready for use, float32 and contiguous.

    Parameters
    ----------
    vectors : ndarray of shape (n_words, dim)
    how : {"none", "unit", "center", "all-but-the-top"}
        - "none": as they are (the paper);
        - "unit": :math:`v_w / \|v_w\|`, zero rows stay zero;
        - "center": the mean removed, then unit norm;
        - "all-but-the-top": the mean and the leading dim / 100 (at least one) principal
          directions removed, then unit norm (Mu, Viswanath 2018).
    """
    if how not in PREPARATIONS:
        raise InputError(f"word_norm must be one of {', '.join(PREPARATIONS)}; got {how!r}.")
    result = np.array(vectors, dtype=np.float32, order="C")
    if how in ("center", "all-but-the-top"):
        result -= result.mean(axis=0, dtype=np.float64).astype(np.float32)
    if how == "all-but-the-top":
        _remove_top_directions(result)
    return result if how == "none" else unit_rows(result)


def _remove_top_directions(vectors: FloatMatrix) -> None:
    n_top = max(1, vectors.shape[1] * _TOP_DIRECTIONS_A_HUNDRED // 100)
    covariance = (vectors.T @ vectors).astype(np.float64)
    top = np.linalg.eigh(covariance)[1][:, -n_top:].astype(np.float32)
    vectors -= (vectors @ top) @ top.T
