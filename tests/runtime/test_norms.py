import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from psif.runtime.norms import unit_rows, write_unit_rows


def test_by_hand():
    rows = np.array([[3, 4], [0, 0], [0, -2]], dtype=np.float32)
    np.testing.assert_allclose(unit_rows(rows), [[0.6, 0.8], [0, 0], [0, -1]], rtol=1e-6)


@given(
    st.lists(st.sampled_from([-3, -1, 0, 1, 2]), min_size=3, max_size=3).filter(any),
    st.sampled_from([1e-42, 1e-25, 1e-12, 1, 1e12, 1e19, 1e38]),
)
def test_lengths_of_any_size(row, scale):
    scaled = (np.array([row]) * scale).astype(np.float32)
    result = unit_rows(scaled)
    exact = scaled.astype(np.float64)
    np.testing.assert_allclose(result, exact / np.linalg.norm(exact), rtol=1e-6)
    assert result.dtype == np.float32


def test_nan_stays():
    assert np.isnan(unit_rows(np.array([[np.nan, 1]], dtype=np.float32))).any()


@given(st.integers(0, 2_500), st.integers(1, 4), st.integers(0, 99))
def test_writing_in_blocks_changes_no_bit(n_rows, dim, seed):
    rows = np.random.default_rng(seed).normal(size=(n_rows, dim)).astype(np.float32)
    rows[seed::7] *= np.float32([0, 1e-30, 1e30][seed % 3])
    out = np.full((n_rows, dim), np.nan, dtype=np.float32)
    lengths = write_unit_rows(rows, out)
    np.testing.assert_array_equal(out, unit_rows(rows))
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(lengths, np.linalg.norm(rows, axis=1))
