"""Doc2VecC: word vectors trained to be averaged."""

from __future__ import annotations

from typing import Any

from psif.model.estimator import PSIF
from psif.model.presets import PLAIN


def doc2vecc_average(*, doc2vecc: Any = "doc2vecc", **options: Any) -> PSIF:
    r"""Mean of word vectors that were trained for that.

    .. math:: x_d = \frac{1}{|d|} \sum_{w \in d} v_w

    Training predicts each word from its neighbours and from a randomly thinned (corrupted) mean
    of the document, so that the mean is what the vectors are made for. They are trained on the
    documents that are fitted; give ``doc2vecc=`` some that were trained already to share them.

    References
    ----------
    .. [1] Chen (2017), "Efficient vector representation for documents through corruption".
    """
    settings = {"n_topics": 1, "weighting": "uniform", "n_removed": 0, "word_norm": "none"}
    return PSIF(doc2vecc, **{**PLAIN, **settings, **options})
