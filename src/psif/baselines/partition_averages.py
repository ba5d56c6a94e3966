"""P-SIF itself, with each of its partitions, as the paper's tables name it."""

from __future__ import annotations

from typing import Any

from psif.baselines.sif import sif
from psif.model.estimator import PSIF


def psif(vectors: Any = "ppmi", **options: Any) -> PSIF:
    """P-SIF with a sparse dictionary (K-SVD): :class:`psif.PSIF` as it is.

    References
    ----------
    .. [1] Gupta, Saw, Nokhiz, Netrapalli, Rai, Talukdar (2020), "P-SIF: document embeddings using
       partition averaging".
    """
    return PSIF(vectors, **{"partition": "ksvd", **options})


def psif_plain(vectors: Any = "ppmi", **options: Any) -> PSIF:
    """SIF in 40 topics and nothing else: what partitions are worth by themselves."""
    return sif(vectors, **{"n_topics": 40, **options})


def psif_gmm(vectors: Any = "ppmi", **options: Any) -> PSIF:
    """P-SIF with a Gaussian mixture, which the paper prefers for single sentences."""
    return PSIF(vectors, **{"partition": "gmm", **options})


def psif_doc2vecc(*, doc2vecc: Any = "doc2vecc", **options: Any) -> PSIF:
    """P-SIF over Doc2VecC vectors: 20 topics and nothing removed, as the paper says.

    The vectors are trained on the documents that are fitted. Give ``doc2vecc=`` some that were
    trained already to share them between methods.
    """
    return PSIF(doc2vecc, **{"n_topics": 20, "n_removed": 0, **options})
