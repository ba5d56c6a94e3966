import numpy as np
import pytest
from scipy import sparse
from scipy.stats import pearsonr, spearmanr

from psif.evaluation.metrics.similarity import cosines, pearson, similarity_metrics


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


def test_a_constant_predicts_nothing():
    assert pearson(np.array([1.0, 2, 3]), np.full(3, 0.1)) == 0


def test_cosines_of_dense_and_sparse_rows():
    left = np.array([[1.0, 0], [1, 1], [0, 0]])
    right = np.array([[2.0, 0], [1, 0], [1, 1]])
    expected = [1, np.sqrt(0.5), 0]
    np.testing.assert_allclose(cosines(left, right), expected)
    np.testing.assert_allclose(cosines(sparse.csr_array(left), sparse.csr_array(right)), expected)
