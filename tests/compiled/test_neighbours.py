import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from psif.compiled.neighbours import grow_tree


@given(
    n=st.integers(1, 400),
    distinct=st.integers(1, 400),
    leaf=st.integers(2, 30),
    seed=st.integers(0, 99),
)
def test_a_tree_holds_every_row_once_in_small_leaves(n, distinct, leaf, seed):
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((distinct, 3)).astype(np.float32)[rng.integers(0, distinct, n)]
    order, bounds = grow_tree(rows, leaf, seed)
    assert sorted(order.tolist()) == list(range(n))
    assert (bounds[0], bounds[-1]) == (0, n)
    sizes = np.diff(bounds)
    assert sizes.min() >= 1
    assert sizes.max() <= leaf
