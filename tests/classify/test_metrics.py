import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from psif.classify.metrics import class_metrics, class_table


def test_by_hand():
    # Class 0: two documents, one found, one answer for it was wrong.
    truth, predicted = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 1, 0])
    metrics = class_metrics(truth, predicted, 3)
    assert metrics["accuracy"] == pytest.approx(60)
    assert metrics["precision"] == pytest.approx(100 * (1 / 2 + 2 / 3 + 0) / 3)
    assert metrics["recall"] == pytest.approx(100 * (1 / 2 + 1 + 0) / 3)
    assert metrics["f1"] == pytest.approx(100 * (1 / 2 + 4 / 5 + 0) / 3)


def test_the_table_has_a_row_a_class():
    table = class_table(np.array([0, 0, 1]), np.array([0, 1, 1]), ["cat", "dog"])
    assert table[0] == ("cat", 100.0, 50.0, pytest.approx(200 / 3), 2)
    assert table[1].label == "dog"
    assert table[1].precision == 50.0


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=40))
def test_agrees_with_scikit_learn(pairs):
    truth, predicted = np.array(pairs).T
    expected = precision_recall_fscore_support(truth, predicted, average="macro", zero_division=0)[
        :3
    ]
    metrics = class_metrics(truth, predicted, 5)
    found = [metrics[name] / 100 for name in ("precision", "recall", "f1")]
    np.testing.assert_allclose(found, expected)
