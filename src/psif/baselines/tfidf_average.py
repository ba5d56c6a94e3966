"""Average of word vectors, each times its tf-idf."""

from __future__ import annotations

from typing import Any

from psif.model.estimator import PSIF
from psif.model.presets import PLAIN


def tfidf_average(vectors: Any = "ppmi", **options: Any) -> PSIF:
    r"""Mean of the word vectors of a document, rare words counting for more.

    .. math:: x_d = \frac{1}{|d|} \sum_{w \in d} \mathrm{idf}_w \, v_w, \qquad
              \mathrm{idf}_w = \ln \frac{1 + N}{1 + \mathrm{df}_w} + 1

    A word that occurs n times enters n times: that is its term frequency.

    Parameters
    ----------
    vectors, **options
        As in :class:`psif.PSIF`.

    References
    ----------
    .. [1] Singh, Mukerjee (2015), "Words are not equal: graded weighting model for building
       composite document vectors".
    """
    settings = {"n_topics": 1, "weighting": "idf", "n_removed": 0, "word_norm": "none"}
    return PSIF(vectors, **{**PLAIN, **settings, **options})
