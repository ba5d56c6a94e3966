r"""Rankings against judgements, as ``trec_eval`` measures them.

With :math:`g_i` the judgement of the document at place i (0 where there is none),

.. math:: \mathrm{DCG@}k = \sum_{i=1}^{k} \frac{g_i}{\log_2 (i + 1)}, \qquad
          \mathrm{nDCG@}k = \frac{\mathrm{DCG@}k}{\max \mathrm{DCG@}k}

A document with a judgement above 0 is relevant. Queries without a relevant document are left out.

References
----------
.. [1] Järvelin, Kekäläinen (2002), "Cumulated gain-based evaluation of IR techniques".
.. [2] Burges et al. (2005), "Learning to rank using gradient descent", for gains of 2^g - 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

Judgements = Mapping[str, float]
"""Judgements of one query, by document."""
N_RANKED = 1_000
"""Places of a ranking that are looked at: the usual depth of a run of TREC."""


def ndcg(
    ranking: Sequence[str],
    judged: Judgements,
    k: int = 10,
    gain: Callable[[float], float] = lambda grade: grade,
) -> float:
    """Normalised discounted cumulative gain of the first ``k`` places.

    >>> round(ndcg(["b", "a"], {"a": 1}), 4)
    0.6309
    """
    best = sorted((gain(grade) for grade in judged.values() if grade > 0), reverse=True)[:k]
    found = [gain(max(0.0, judged.get(name, 0.0))) for name in ranking[:k]]
    return _discounted(found) / _discounted(best) if best else 0.0


def recall(ranking: Sequence[str], judged: Judgements, k: int = 100) -> float:
    """Share of the relevant documents that are among the first ``k``."""
    relevant = _relevant(judged)
    return len(relevant.intersection(ranking[:k])) / len(relevant) if relevant else 0.0


def average_precision(ranking: Sequence[str], judged: Judgements) -> float:
    """Mean precision at the places of the relevant documents; one not found adds 0."""
    relevant = _relevant(judged)
    n_found, total = 0, 0.0
    for place, name in enumerate(ranking, start=1):
        if name in relevant:
            n_found += 1
            total += n_found / place
    return total / len(relevant) if relevant else 0.0


def reciprocal_rank(ranking: Sequence[str], judged: Judgements, k: int = 10) -> float:
    """One over the place of the first relevant document; 0 if it is not among the first ``k``."""
    relevant = _relevant(judged)
    places = (place for place, name in enumerate(ranking[:k], start=1) if name in relevant)
    return 1 / next(places, np.inf)


def ranking_metrics(
    rankings: Mapping[str, Sequence[str]], judgements: Mapping[str, Judgements]
) -> dict[str, float]:
    """Means over the judged queries, × 100; a query without a ranking counts 0.

    ``nDCG@10`` has the judgements as gains, as trec_eval and BEIR have it; ``nDCG@10 (2^g-1)`` is
    the other common form. The two are equal where judgements are 0 or 1.
    """
    judged = {name: grades for name, grades in judgements.items() if _relevant(grades)}
    pairs = [(list(rankings.get(name, ())), grades) for name, grades in judged.items()]

    def mean(measure: Callable[[Sequence[str], Judgements], float]) -> float:
        return 100 * float(np.mean([measure(ranking, grades) for ranking, grades in pairs]))

    return {
        "nDCG@10": mean(ndcg),
        "nDCG@10 (2^g-1)": mean(lambda r, g: ndcg(r, g, gain=lambda grade: 2.0**grade - 1)),
        "recall@100": mean(recall),
        "MAP": mean(average_precision),
        "MRR@10": mean(reciprocal_rank),
    }


def _relevant(judged: Judgements) -> set[str]:
    return {name for name, grade in judged.items() if grade > 0}


def _discounted(gains: Sequence[float]) -> float:
    return float(sum(gain / np.log2(place + 1) for place, gain in enumerate(gains, start=1)))
