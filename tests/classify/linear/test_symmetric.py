import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from psif.classify.linear.symmetric import SymmetricBlocks


def test_two_blocks_by_hand():
    blocks = SymmetricBlocks(3, 2, n_jobs=1)
    blocks.block(0, 0)[:] = [[1, 2], [2, 3]]
    blocks.block(2, 0)[:] = [[4, 5]]
    blocks.block(2, 2)[:] = [[6]]
    blocks.add(1)
    assert blocks.to_array().tolist() == [[2, 3, 5], [3, 4, 6], [5, 6, 7]]
    assert (blocks @ np.array([[1], [0], [2]], dtype=np.float32)).tolist() == [[12], [15], [19]]


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(1, 40),
    size=st.integers(1, 50),
    n_jobs=st.sampled_from([1, 3]),
    seed=st.integers(0, 99),
)
def test_products_are_those_of_the_dense_matrix(n, size, n_jobs, seed):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, 7)).astype(np.float32) * (rng.random((n, 7)) < 0.4)
    blocks = SymmetricBlocks(n, size, n_jobs)
    blocks.add_products(csr_array(rows))
    columns = rng.normal(size=(n, 3)).astype(np.float32)
    np.testing.assert_allclose(blocks.to_array(), rows @ rows.T, atol=1e-5)
    np.testing.assert_allclose(blocks @ columns, rows @ (rows.T @ columns), atol=1e-4)
    again = SymmetricBlocks(n, size, 4 - n_jobs)
    again.add_products(csr_array(rows))
    assert (again @ columns).tobytes() == (blocks @ columns).tobytes()
