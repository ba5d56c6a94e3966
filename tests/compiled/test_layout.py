import numpy as np
import pytest

from psif.compiled.layout import neighbour_weights, settle


def test_weights_sum_to_what_is_asked():
    far = np.sort(np.random.default_rng(0).uniform(0.1, 2, (50, 15)), axis=1).astype(np.float32)
    weights = np.empty_like(far)
    neighbour_weights(far, np.log2(15), weights)
    np.testing.assert_allclose(weights.sum(axis=1), np.log2(15), atol=1e-3)
    # The nearest neighbour has weight 1, further ones less.
    np.testing.assert_allclose(weights[:, 0], 1)
    assert (np.diff(weights, axis=1) <= 0).all()
    # Twins, and places without a neighbour.
    odd = np.array([[0, 0, 0], [0, 1, np.inf]], dtype=np.float32)
    weights = np.empty_like(odd)
    neighbour_weights(odd, np.log2(3), weights)
    assert weights[0].tolist() == [1, 1, 1]
    assert weights[1, 2] == 0


def test_one_edge_by_hand():
    """Two points at distance 1: each moves by rate * 2 / (1 + 1) towards the other."""
    plane = np.array([[0, 0], [1, 0]], dtype=np.float32)
    heads, tails = np.array([0], dtype=np.int32), np.array([1], dtype=np.int32)
    every, due = np.ones(1, np.float32), np.zeros(1, np.float32)
    settle(plane, heads, tails, every, due, 0, 1, 4, 0, 0)
    assert plane.tolist() == [[1, 0], [0, 0]]
    assert due.tolist() == [1]
    # In the third of four epochs the rate is a half: by 0.5 * 2 / (1 + 1) towards each other.
    settle(plane, heads, tails, every, due, 2, 3, 4, 0, 0)
    assert plane.tolist() == [[0.5, 0], [0.5, 0]]


def test_an_edge_waits_for_its_turn():
    plane = np.array([[0, 0], [1, 0]], dtype=np.float32)
    heads, tails = np.array([0], dtype=np.int32), np.array([1], dtype=np.int32)
    due = np.array([3.0], np.float32)
    settle(plane, heads, tails, np.array([3.0], np.float32), due, 0, 3, 10, 0, 0)
    assert plane.tolist() == [[0, 0], [1, 0]]
    settle(plane, heads, tails, np.array([3.0], np.float32), due, 3, 4, 10, 0, 0)
    assert plane[0, 0] > 0
    assert due.tolist() == [6]


def test_random_points_repel_and_no_step_is_too_long():
    rng = np.random.default_rng(0)
    plane = rng.normal(0, 0.01, (40, 2)).astype(np.float32)
    before = plane.copy()
    heads = np.arange(40, dtype=np.int32)
    # An edge to itself attracts by nothing.
    settle(plane, heads, heads, np.ones(40, np.float32), np.zeros(40, np.float32), 0, 1, 2, 5, 7)
    assert plane.std() > 10 * before.std()
    assert np.abs(plane - before).max() <= 5 * 4
    again = before.copy()
    settle(again, heads, heads, np.ones(40, np.float32), np.zeros(40, np.float32), 0, 1, 2, 5, 7)
    np.testing.assert_array_equal(again, plane)
    assert np.isfinite(plane).all()
    assert pytest.approx(before.mean(), abs=0.01) == 0
