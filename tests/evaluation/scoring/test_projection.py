import numpy as np
import pytest
from scipy import sparse

from psif.evaluation.scoring import projection
from psif.evaluation.scoring.projection import (
    VectorPairs,
    _gradients,
    _probabilities,
    learn_pairs,
    reduce_pairs,
    soft_targets,
)


def test_a_score_is_shared_between_its_neighbours():
    expected = [[1, 0, 0, 0, 0], [0, 0, 0.4, 0.6, 0], [0, 0, 0, 0, 1], [0, 1, 0, 0, 0]]
    np.testing.assert_allclose(soft_targets(np.array([1, 3.6, 5, 2])), expected, atol=1e-12)


def test_gradients_are_those_of_the_loss():
    rng = np.random.default_rng(0)
    pairs = VectorPairs(rng.normal(size=(6, 3)), rng.normal(size=(6, 3)))
    targets = rng.dirichlet(np.ones(4), size=6)
    start = rng.normal(size=(3, 3))
    parameters = {
        "projection": rng.normal(size=(3, 3)),
        "product": rng.normal(size=(3, 4)),
        "distance": rng.normal(size=(3, 4)),
        "offset": rng.normal(size=4),
    }

    def loss():
        entropy = -np.mean((targets * np.log(_probabilities(parameters, pairs))).sum(axis=1))
        away = np.square(parameters["projection"] - start).sum()
        decayed = sum(np.square(parameters[name]).sum() for name in ("product", "distance"))
        return entropy + 0.5e-4 * (away + decayed)

    found = _gradients(parameters, start, pairs, targets)
    for name, values in parameters.items():
        for place in np.ndindex(values.shape):
            old = values[place]
            values[place] = old + 1e-6
            above = loss()
            values[place] = old - 1e-6
            below = loss()
            values[place] = old
            assert found[name][place] == pytest.approx((above - below) / 2e-6, abs=1e-6)


def test_few_dimensions_are_only_turned():
    rng = np.random.default_rng(0)
    pairs = VectorPairs(rng.normal(size=(8, 5)), rng.normal(size=(8, 5)))
    (turned,) = reduce_pairs(pairs)
    before, after = pairs.left @ pairs.right.T, turned.left @ turned.right.T
    np.testing.assert_allclose(after, before * (after[0, 0] / before[0, 0]), atol=1e-4)
    thin = VectorPairs(*(sparse.csr_array(side) for side in pairs))
    np.testing.assert_allclose(np.abs(reduce_pairs(thin)[0].left), np.abs(turned.left), atol=1e-5)


def test_wide_vectors_become_narrow():
    rng = np.random.default_rng(0)
    pairs = VectorPairs(rng.normal(size=(320, 400)), rng.normal(size=(320, 400)))
    train, other = reduce_pairs(pairs, VectorPairs(pairs.left[:2], pairs.right[:2]))
    assert train.left.shape == (320, 300)
    np.testing.assert_allclose(other.left, train.left[:2], atol=1e-5)


def test_learns_which_dimension_tells_pairs_apart(monkeypatch):
    monkeypatch.setattr(projection, "WIDTH", 48)
    monkeypatch.setattr(projection, "_RATE", 3e-3)
    # The class is whether the first coordinates agree in sign; the others are noise.
    rng = np.random.default_rng(0)

    def sample(n):
        left, right = rng.normal(size=(n, 6)), rng.normal(size=(n, 6))
        return VectorPairs(left, right), (left[:, 0] * right[:, 0] > 0).astype(int)

    train, wanted = sample(4000)
    dev, dev_wanted = sample(200)
    test, test_wanted = sample(300)
    predict = learn_pairs(
        train, np.eye(2)[wanted], dev,
        lambda shares: float(np.mean(shares.argmax(axis=1) == dev_wanted)),
    )  # fmt: skip
    assert np.mean(predict(test).argmax(axis=1) == test_wanted) > 0.9
