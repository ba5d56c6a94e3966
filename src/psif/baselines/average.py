"""Plain average of word vectors."""

from __future__ import annotations

from typing import Any

from psif.model.estimator import PSIF
from psif.model.presets import PLAIN


def average(vectors: Any = "ppmi", **options: Any) -> PSIF:
    r"""Mean of the word vectors of a document: P-SIF with one topic and no weights.

    .. math:: x_d = \frac{1}{|d|} \sum_{w \in d} v_w

    Parameters
    ----------
    vectors, **options
        As in :class:`psif.PSIF`.

    References
    ----------
    .. [1] Mikolov, Sutskever, Chen, Corrado, Dean (2013), "Distributed representations of words
       and phrases and their compositionality".
    """
    settings = {"n_topics": 1, "weighting": "uniform", "n_removed": 0, "word_norm": "none"}
    return PSIF(vectors, **{**PLAIN, **settings, **options})
