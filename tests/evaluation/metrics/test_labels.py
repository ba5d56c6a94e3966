import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import coverage_error as sklearn_coverage
from sklearn.metrics import f1_score, ndcg_score

from psif.evaluation.metrics.labels import label_metrics


def test_by_hand():
    # Six labels. Document 1 has labels 0 and 2, ranked first and third; document 2 has label 5,
    # ranked second.
    truth = np.array([[1, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1]], dtype=bool)
    scores = np.array([[3.0, 2, 1, -1, -2, -3], [-2, -3, -4, -5, 2, 1.0]])
    found = label_metrics(truth, scores)
    assert found["P@1"] == pytest.approx(50)
    assert found["P@5"] == pytest.approx(100 * (2 / 5 + 1 / 5) / 2)
    third, second = 1 / np.log2(4), 1 / np.log2(3)
    standard = ((1 + third) / (1 + second) + second / 1) / 2
    assert found["nDCG@5"] == pytest.approx(100 * standard)
    five = sum(1 / np.log2(r + 1) for r in range(1, 6))
    assert found["nDCG@5 (authors)"] == pytest.approx(100 * ((1 + third) + second) / five / 2)
    assert found["coverage_error"] == pytest.approx((3 + 2) / 2)
    assert found["LRAP"] == pytest.approx(100 * ((1 + 2 / 3) / 2 + 1 / 2) / 2)
    # Predicted: 0, 1, 2 and 4, 5; three of the five are right, of three true labels.
    assert found["F1 (micro)"] == pytest.approx(100 * 2 * 3 / (5 + 3))
    assert found["F1 (samples)"] == pytest.approx(100 * (4 / 5 + 2 / 3) / 2)
    assert found["F1 (macro)"] == pytest.approx(100 * 3 / 6)
    assert found["F1 (weighted)"] == pytest.approx(100)


def test_a_perfect_ranking_of_single_labels_shows_the_ceiling_of_the_authors_variant():
    truth = np.eye(6, dtype=bool)
    found = label_metrics(truth, np.where(truth, 1.0, -1.0))
    assert found["nDCG@5"] == pytest.approx(100)
    assert found["nDCG@5 (authors)"] == pytest.approx(100 / 2.9485, rel=1e-4)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 8), st.integers(2, 9), st.integers(0, 10**6))
def test_agrees_with_scikit_learn(n_docs, n_labels, seed):
    rng = np.random.default_rng(seed)
    truth = rng.random((n_docs, n_labels)) < 0.3
    truth[np.arange(n_docs), rng.integers(0, n_labels, n_docs)] = True
    scores = rng.permuted(np.tile(np.arange(n_labels) - n_labels / 2, (n_docs, 1)), axis=1)
    found = label_metrics(truth, scores)
    assert found["coverage_error"] == pytest.approx(sklearn_coverage(truth, scores))
    assert found["nDCG@5"] == pytest.approx(100 * ndcg_score(truth, scores, k=5))
    for average in ("micro", "macro", "samples", "weighted"):
        expected = f1_score(truth, scores > 0, average=average, zero_division=0)
        assert found[f"F1 ({average})"] == pytest.approx(100 * expected)
