import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

import psif.compiled.simd_plain as plain
from psif.compiled.registers import aligned_zeros, lanes_for, panel_width
from psif.compiled.simd import add_rows, bits_of


@njit
def one_panel(rows, at, factors, place, chosen, fresh, sums, target, lanes):
    add_rows(rows, at, factors, place, chosen, fresh, sums, target, lanes)


@njit
def bits(number):
    return bits_of(number)


@pytest.mark.parametrize(
    ("n_columns", "itemsize", "n_vectors", "width"),
    # 200 floats are 25 vectors of 8: two panels of 13; 40 doubles are 10 vectors of 4: one panel.
    [(200, 4, 13, 104), (40, 8, 10, 40), (1, 4, 1, 8), (104, 4, 13, 104), (105, 4, 7, 56)],
)
def test_by_hand_registers_of_a_panel(n_columns, itemsize, n_vectors, width):
    lanes = lanes_for(n_columns, itemsize)
    assert len(lanes) == n_vectors
    assert panel_width(lanes, itemsize) == width


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 1000),
    chosen=st.sets(st.integers(0, 63)),
    fresh=st.booleans(),
    dtype=st.sampled_from([np.float32, np.float64]),
)
def test_adds_as_a_loop_over_rows_does(seed, chosen, fresh, dtype):
    rng = np.random.default_rng(seed)
    lanes = (None, None)
    width = panel_width(lanes, np.dtype(dtype).itemsize)
    rows = rng.standard_normal((64, 2 * width + 3)).astype(dtype)
    factors = rng.standard_normal((64, 5)).astype(dtype)
    sums = rng.standard_normal(3 * width).astype(dtype)
    expected = sums.astype(np.float64)
    if fresh:
        expected[width : 2 * width] = 0
    for t in sorted(chosen):
        expected[width : 2 * width] += factors[t, 2].astype(float) * rows[t, 3 : 3 + width]
    mask = np.uint64(sum(1 << t for t in chosen))
    plain_sums = sums.copy()
    one_panel(rows, 3, factors, 2, mask, fresh, sums, width, lanes)
    np.testing.assert_allclose(sums, expected, atol=1e-5 if dtype == np.float32 else 1e-13)
    plain.add_rows(rows, 3, factors, 2, mask, fresh, plain_sums, width, lanes)
    np.testing.assert_allclose(plain_sums, expected, atol=1e-5 if dtype == np.float32 else 1e-13)


def test_zeros_begin_with_a_cache_line():
    for shape in ((3,), (5, 7), (2, 3, 4)):
        zeros = aligned_zeros(shape, np.float64)
        assert zeros.ctypes.data % 64 == 0
        assert zeros.shape == shape
        assert not zeros.any()


@given(st.floats(min_value=0), st.floats(min_value=0))
def test_bits_come_in_the_order_of_numbers(a, b):
    a, b = a + 0.0, b + 0.0  # minus zero has another sign bit
    assert (bits(a) < bits(b)) == (a < b)
    assert bits(a) == plain.bits_of(a)
