"""P-SIF itself: with our settings, as published, as a hybrid, and over other vectors."""

from __future__ import annotations

from typing import Any

from psif.baselines.sif import sif
from psif.model.estimator import PSIF
from psif.model.presets import PLAIN, preset


def psif(vectors: Any = "ppmi", **options: Any) -> PSIF:
    """P-SIF with a sparse dictionary (K-SVD): :class:`psif.PSIF` with its defaults.

    References
    ----------
    .. [1] Gupta, Saw, Nokhiz, Netrapalli, Rai, Talukdar (2020), "P-SIF: document embeddings using
       partition averaging".
    """
    return PSIF(vectors, **{**PLAIN, "partition": "ksvd", **options})


def psif_plain(vectors: Any = "ppmi", **options: Any) -> PSIF:
    """P-SIF as published: SIF in 40 topics, nothing else changed."""
    return sif(vectors, **{"n_topics": 40, **options})


def psif_hybrid(vectors: Any = "ppmi", **options: Any) -> PSIF:
    """P-SIF beside columns of exact words: the preset ``classification``.

    More than half of the cosine of two documents comes from the words that both have, so its
    scores are those of a hybrid with TF-IDF and not those of P-SIF alone.
    """
    return PSIF(vectors, **{**preset("classification"), **options})


def psif_gmm(vectors: Any = "ppmi", **options: Any) -> PSIF:
    """P-SIF with a Gaussian mixture, which the paper prefers for single sentences."""
    return PSIF(vectors, **{**PLAIN, "partition": "gmm", **options})


def psif_doc2vecc(*, doc2vecc: Any = "doc2vecc", **options: Any) -> PSIF:
    """P-SIF over Doc2VecC vectors: 20 topics and nothing removed, as the paper says.

    The vectors are trained on the fitted documents. To share vectors between methods, give
    trained ones as ``doc2vecc=``.
    """
    return PSIF(doc2vecc, **{**PLAIN, "n_topics": 20, "n_removed": 0, **options})
