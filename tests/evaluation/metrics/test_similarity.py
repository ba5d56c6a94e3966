import numpy as np
import pytest
from scipy import sparse
from scipy.stats import pearsonr, spearmanr

from psif.evaluation.metrics.similarity import (
    cosines,
    pearson,
    pooled_metrics,
    similarity_metrics,
)


def test_correlations_by_hand():
    # Deviations (-1, 0, 1) and (-4/3, -1/3, 5/3): 3 / sqrt(2 · 14/3).
    found = similarity_metrics(np.array([1, 2, 3]), np.array([1, 2, 4]))
    assert found["pearson"] == pytest.approx(100 * 3 / np.sqrt(2 * 14 / 3))
    assert found["spearman"] == pytest.approx(100)


def test_agrees_with_scipy_with_ties():
    rng = np.random.default_rng(0)
    truth, predicted = rng.integers(0, 6, 50), rng.integers(0, 9, 50)
    found = similarity_metrics(truth, predicted)
    assert found["pearson"] == pytest.approx(100 * pearsonr(truth, predicted).statistic)
    assert found["spearman"] == pytest.approx(100 * spearmanr(truth, predicted).statistic)


def test_pooling_asks_for_one_scale_over_all_sub_tasks():
    # Each sub-task alone is in perfect order.
    truth = [np.array([0.0, 1.0, 2.0]), np.array([3.0, 4.0, 5.0])]
    predicted = [np.array([0.5, 0.6, 0.7]), np.array([0.1, 0.2, 0.3])]
    for one, other in zip(truth, predicted, strict=True):
        assert similarity_metrics(one, other)["spearman"] == pytest.approx(100)
    # Together the ranks are 1 2 3 4 5 6 and 4 5 6 1 2 3: rho = 1 - 6 · (6 · 3²) / (6 · 35).
    assert pooled_metrics(truth, predicted) == {
        "pooled spearman": pytest.approx(100 * (1 - 6 * 54 / 210))
    }


def test_pooling_with_ties_by_hand():
    # Ranks 1.5 1.5 3 4 and 1 2 3.5 3.5: deviations (-1, -1, .5, 1.5) and (-1.5, -.5, 1, 1).
    truth = [np.array([1.0, 1.0]), np.array([2.0, 5.0])]
    predicted = [np.array([0.1, 0.2]), np.array([0.9, 0.9])]
    expected = (1.5 + 0.5 + 0.5 + 1.5) / np.sqrt(4.5 * 4.5)
    assert pooled_metrics(truth, predicted)["pooled spearman"] == pytest.approx(100 * expected)


def test_a_constant_predicts_nothing():
    assert pearson(np.array([1.0, 2, 3]), np.full(3, 0.1)) == 0


def test_cosines_of_dense_and_sparse_rows():
    left = np.array([[1.0, 0], [1, 1], [0, 0]])
    right = np.array([[2.0, 0], [1, 0], [1, 1]])
    expected = [1, np.sqrt(0.5), 0]
    np.testing.assert_allclose(cosines(left, right), expected)
    np.testing.assert_allclose(cosines(sparse.csr_array(left), sparse.csr_array(right)), expected)
