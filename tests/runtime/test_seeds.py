import numpy as np
import pytest
from sklearn.utils import check_random_state

from psif.runtime.seeds import draw_seed


@pytest.mark.parametrize("state", [0, 1, 2**32 - 1, np.int64(7), True])
def test_a_number_gives_what_scikit_learn_would(state):
    expected = check_random_state(state).randint(2**31 - 1)
    assert draw_seed(state) == draw_seed(state) == expected


def test_a_generator_moves_on():
    first, second = np.random.RandomState(3), np.random.RandomState(3)
    seeds = [draw_seed(first), draw_seed(first)]
    assert seeds == [second.randint(2**31 - 1), second.randint(2**31 - 1)]


def test_none_asks_the_global_generator():
    np.random.seed(5)  # noqa: NPY002
    seeds = [draw_seed(None), draw_seed(None)]
    np.random.seed(5)  # noqa: NPY002
    assert seeds == [draw_seed(None), draw_seed(None)]
    assert seeds[0] != seeds[1]


def test_anything_else_is_refused():
    with pytest.raises(ValueError, match="cannot be used to seed"):
        draw_seed("chance")
