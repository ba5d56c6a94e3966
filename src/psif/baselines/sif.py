"""Smooth inverse frequency, whole and in its two parts."""

from __future__ import annotations

from typing import Any

from psif.model.estimator import PSIF
from psif.model.presets import PLAIN

_ONE_TOPIC = {"n_topics": 1, "word_norm": "none"}


def sif(vectors: Any = "ppmi", **options: Any) -> PSIF:
    r"""SIF (W and R): weighted average, common component removed; P-SIF with one topic.

    .. math:: x_d = (I - u u^T) \frac{1}{|d|} \sum_{w \in d} \frac{a}{a + p(w)} \, v_w

    with u the first singular vector of the documents that were fitted, kept for new ones.

    Parameters
    ----------
    vectors, **options
        As in :class:`psif.PSIF`; ``a=1e-3``, ``n_removed=1``.

    References
    ----------
    .. [1] Arora, Liang, Ma (2017), "A simple but tough-to-beat baseline for sentence embeddings".
    """
    return PSIF(vectors, **{**PLAIN, **_ONE_TOPIC, "weighting": "sif", "n_removed": 1, **options})


def sif_weights_only(vectors: Any = "ppmi", **options: Any) -> PSIF:
    r"""SIF's W: weighted average, nothing removed; see :func:`sif`."""
    return PSIF(vectors, **{**PLAIN, **_ONE_TOPIC, "weighting": "sif", "n_removed": 0, **options})


def sif_removal_only(vectors: Any = "ppmi", **options: Any) -> PSIF:
    r"""SIF's R: plain average, common component removed; see :func:`sif`."""
    return PSIF(
        vectors, **{**PLAIN, **_ONE_TOPIC, "weighting": "uniform", "n_removed": 1, **options}
    )
