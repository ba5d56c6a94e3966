import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif.compiled.ranking import best_sums, deviation, score_rows

numbers = st.integers(-4, 4).map(float)  # few values, so that many are equal


@given(st.lists(st.tuples(numbers, numbers, st.booleans()), max_size=40), st.integers(1, 12))
def test_best_are_the_first_of_a_stable_sort(rows, k):
    first = np.array([row[0] for row in rows])
    second = np.array([row[1] for row in rows], dtype=np.float32)
    allowed = np.array([row[2] for row in rows], dtype=bool)
    scores, docs = np.empty(k), np.empty(k, dtype=np.int64)
    n = best_sums(first, 0.5, second, 2.0, allowed, scores, docs)
    total = 0.5 * first + 2.0 * second
    expected = [i for i in np.argsort(-total, kind="stable") if allowed[i]]
    expected = [i for i in expected if total[i] > 0 or first[i] > 0][:k]
    assert docs[:n].tolist() == expected
    assert scores[:n].tolist() == [total[i] for i in expected]


@given(st.lists(st.tuples(numbers, st.booleans()), max_size=30))
def test_deviation_is_that_of_the_live(rows):
    values = np.array([row[0] for row in rows])
    live = np.array([row[1] for row in rows], dtype=bool)
    everything = np.zeros(0, dtype=bool)
    expected = values[live].std() if live.any() else 0.0
    assert deviation(values, live) == pytest.approx(expected, abs=1e-6)
    if len(values):
        assert deviation(values.astype(np.float32), everything) == pytest.approx(
            values.std(), abs=1e-6
        )


def test_equal_scores_do_not_deviate():
    assert deviation(np.full(1_000, 0.1), np.zeros(0, dtype=bool)) == 0.0


def test_rows_are_scored_by_inner_products():
    rng = np.random.default_rng(0)
    vectors = rng.integers(-127, 128, (37, 19)).astype(np.int8)
    scales, query = rng.random(37, dtype=np.float32), rng.random(19, dtype=np.float32)
    out = np.zeros(37, dtype=np.float32)
    score_rows(vectors, scales, query, out)
    assert out == pytest.approx((vectors * scales[:, None]) @ query, rel=1e-4, abs=1e-3)
