r"""Measures for several labels per document, from decision values.

``nDCG@5`` is the standard one. ``nDCG@5 (authors)`` divides by five ideal hits even where a
document has fewer labels, as the authors' code does; with one label per document it cannot exceed
1 / 2.948, so their 50 is near its ceiling. The paper's F1 does not say its averaging; the name
here always does.
"""

from __future__ import annotations

import numpy as np

from psif.classify.linear.losses import Array
from psif.classify.metrics import micro_f1


def label_metrics(truth: Array, scores: Array) -> dict[str, float]:
    """All measures of the Reuters table.

    Parameters
    ----------
    truth : ndarray of bool, shape (n_docs, n_labels)
        Every document has a label.
    scores : ndarray of shape (n_docs, n_labels)
        A label is predicted where its score is positive; ranks are by score.
    """
    hits = ranked_hits(truth, scores)
    sizes = truth.sum(axis=1)
    return {
        "P@1": 100 * precision_at(hits, 1),
        "P@5": 100 * precision_at(hits, 5),
        "nDCG@5": 100 * ndcg_at(hits, 5, np.minimum(sizes, 5)),
        "nDCG@5 (authors)": 100 * ndcg_at(hits, 5, np.full(len(sizes), 5)),
        "coverage_error": coverage_error(truth, scores),
        "LRAP": 100 * ranking_precision(truth, scores),
        "F1 (micro)": 100 * micro_f1(truth, scores > 0),
        "F1 (macro)": 100 * _macro_f1(truth, scores > 0),
        "F1 (samples)": 100 * _samples_f1(truth, scores > 0),
        "F1 (weighted)": 100 * _weighted_f1(truth, scores > 0),
    }


def ranked_hits(truth: Array, scores: Array) -> Array:
    """Whether each place of the ranking, best first, holds a true label."""
    order = np.argsort(-scores, axis=1, kind="stable")
    return np.take_along_axis(truth, order, axis=1)


def precision_at(hits: Array, k: int) -> float:
    """Share of the first k places that are hits."""
    return float(hits[:, :k].sum(axis=1).mean() / k)


def ndcg_at(hits: Array, k: int, n_ideal: Array) -> float:
    r"""Discounted gain of the first k places, over that of ``n_ideal`` hits at the top.

    .. math:: \sum_{r \le k} \frac{\text{hit}_r}{\log_2(r + 1)} \Big/
              \sum_{r \le n} \frac{1}{\log_2(r + 1)}
    """
    # An answer of fewer than k places (few labels in all) has only those.
    places = min(k, hits.shape[1])
    discounts = 1 / np.log2(np.arange(2, k + 2))
    gains = hits[:, :places] @ discounts[:places]
    ideal = np.concatenate([[0.0], np.cumsum(discounts)])[n_ideal]
    return float(np.mean(gains / ideal))


def coverage_error(truth: Array, scores: Array) -> float:
    """How far down the ranking one must go to meet all true labels, on average; 1 or more.

    Tied labels count in full, as in scikit-learn.
    """
    worst = np.where(truth, scores, np.inf).min(axis=1, keepdims=True)
    return float((scores >= worst).sum(axis=1).mean())


def ranking_precision(truth: Array, scores: Array) -> float:
    """Label ranking average precision: at each true label, the share of true ones so far."""
    from sklearn.metrics import label_ranking_average_precision_score

    return float(label_ranking_average_precision_score(truth, scores))


def _macro_f1(truth: Array, predicted: Array) -> float:
    """Mean over labels; a label that is neither there nor predicted counts 0."""
    return float(_f1(truth, predicted, axis=0).mean())


def _weighted_f1(truth: Array, predicted: Array) -> float:
    return float(np.average(_f1(truth, predicted, axis=0), weights=truth.sum(axis=0)))


def _samples_f1(truth: Array, predicted: Array) -> float:
    return float(_f1(truth, predicted, axis=1).mean())


def _f1(truth: Array, predicted: Array, axis: int) -> Array:
    hits = (truth & predicted).sum(axis=axis)
    total = truth.sum(axis=axis) + predicted.sum(axis=axis)
    return np.asarray(np.divide(2.0 * hits, total, out=np.zeros(len(total)), where=total > 0))
