import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from psif.runtime import blas as products
from psif.runtime.blas import inner_product, single_threaded_blas, tall_product

SIZES = st.integers(0, 9)


@given(SIZES, st.integers(1, 4), st.integers(1, 4), st.integers(1, 4), st.integers(0, 99))
def test_blocks_agree_with_the_whole(n_rows, n_left, n_right, block, seed):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((n_rows, n_left), dtype=np.float32)
    b = rng.standard_normal((n_rows, n_right), dtype=np.float32)
    small = rng.standard_normal((n_left, n_right), dtype=np.float32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(products, "ROWS_A_BLOCK", block)
        np.testing.assert_allclose(tall_product(a, small, n_jobs=2), a @ small, atol=1e-5)
        np.testing.assert_allclose(inner_product(a, b, n_jobs=2), a.T @ b, atol=1e-5)


def test_threads_do_not_show(monkeypatch):
    monkeypatch.setattr(products, "ROWS_A_BLOCK", 100)
    a = np.random.default_rng(0).standard_normal((1050, 7), dtype=np.float32)
    with single_threaded_blas():
        one, two = (inner_product(a, a, n_jobs=n) for n in (1, 2))
        np.testing.assert_array_equal(one, two)
        small = one.astype(np.float32)
        np.testing.assert_array_equal(
            tall_product(a, small, n_jobs=1), tall_product(a, small, n_jobs=2)
        )


def blas_threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_blas_has_one_thread_within_and_its_own_after():
    before = blas_threads()
    with single_threaded_blas():
        assert set(blas_threads()) == {1}
    assert blas_threads() == before
