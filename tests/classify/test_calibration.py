import numpy as np
import pytest

from psif.classify.calibration import fit_temperature, probabilities


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("scale", [0.5, 3.0])
def test_the_scale_of_sampled_labels_is_found(several, scale):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(5000, 3))
    chances = probabilities(values, scale, several)
    if several:
        targets = rng.random(chances.shape) < chances
    else:
        targets = np.array([rng.multinomial(1, row) for row in chances], dtype=bool)
    assert fit_temperature(values, targets, several) == pytest.approx(scale, rel=0.1)


def test_two_classes_are_a_sigmoid_worked_out_by_hand():
    np.testing.assert_allclose(
        probabilities(np.array([[0.0], [np.log(3)]]), 1.0, False), [[0.5, 0.5], [0.25, 0.75]]
    )
    np.testing.assert_allclose(
        probabilities(np.array([[0.0, np.log(2), 0.0]]), 1.0, False), [[0.25, 0.5, 0.25]]
    )


def test_large_values_do_not_overflow():
    with np.errstate(over="raise", invalid="raise"):
        found = probabilities(np.array([[1e4, -1e4]]), 1.0, True)
    assert found.tolist() == [[1.0, 0.0]]


def test_documents_that_were_not_held_out_do_not_count():
    values = np.array([[1.0], [np.nan], [-1.0]])
    targets = np.array([[False, True], [True, False], [True, False]])
    assert fit_temperature(values, targets, False) == pytest.approx(
        fit_temperature(values[[0, 2]], targets[[0, 2]], False)
    )
    assert fit_temperature(None, targets, False) == 1.0
    assert fit_temperature(values[1:2], targets[1:2], False) == 1.0


def test_a_few_documents_that_are_all_right_do_not_give_certainty():
    values = np.array([[1.0], [-1.0], [1.0], [-1.0]])
    targets = values > 0
    scale = fit_temperature(values, np.hstack([~targets, targets]), False)
    assert 0.6 < probabilities(values, scale, False).max() < 0.95
