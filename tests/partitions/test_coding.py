import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif.partitions.coding import sparse_codes
from psif.runtime.norms import unit_rows
from psif.runtime.threads import Workers
from tests import naive


def code(vectors, atoms, n_active, n_jobs=1):
    with Workers(n_jobs) as workers:
        return sparse_codes(vectors, atoms, n_active, workers=workers)


def test_by_hand_two_orthogonal_atoms():
    atoms = np.eye(2, dtype=np.float32)
    vectors = np.array([[3, 1], [1, -4]], dtype=np.float32)
    assert code(vectors, atoms, 1).tolist() == [[3, 0], [0, -4]]
    assert code(vectors, atoms, 2).tolist() == [[3, 1], [1, -4]]


def test_by_hand_oblique_atoms_are_refitted_together():
    # v = (1, 2) = -1 * (1, 0) + 2√2 * (1, 1)/√2 ... the second pick changes the first coefficient.
    atoms = np.array([[1, 0], [np.sqrt(0.5), np.sqrt(0.5)]], dtype=np.float32)
    vectors = np.array([[1, 2]], dtype=np.float32)
    first = 3 * np.sqrt(0.5)
    np.testing.assert_allclose(code(vectors, atoms, 1), [[0, first]], rtol=1e-6)
    np.testing.assert_allclose(code(vectors, atoms, 2), [[-1, 2 * np.sqrt(2)]], rtol=1e-5)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n_words=st.integers(1, 12),
    dim=st.integers(1, 8),
    n_atoms=st.integers(1, 12),
    data=st.data(),
)
def test_agrees_with_the_slow_twin(seed, n_words, dim, n_atoms, data):
    n_active = data.draw(st.integers(1, n_atoms))
    rng = np.random.default_rng(seed)
    atoms = unit_rows(rng.standard_normal((n_atoms, dim)).astype(np.float32))
    vectors = rng.standard_normal((n_words, dim)).astype(np.float32)
    fast = code(vectors, atoms, n_active)
    assert (np.count_nonzero(fast, axis=1) <= n_active).all()
    # Where atoms outnumber dimensions several codes give the same sum: compare what they mean.
    slow = np.array([naive.orthogonal_matching_pursuit(v, atoms, n_active) for v in vectors])
    # Nearly dependent atoms have huge coefficients, whose last digits float32 does not carry.
    atol = 2e-4 + 1e-6 * np.abs(slow).max()
    np.testing.assert_allclose(fast @ atoms, slow @ atoms, atol=atol)
    if n_active <= dim and n_active <= n_atoms // 2:
        np.testing.assert_allclose(fast, slow, atol=5e-3)


def test_more_atoms_and_picks_than_registers_and_bits():
    rng = np.random.default_rng(5)
    atoms = unit_rows(rng.standard_normal((112, 300)).astype(np.float32))
    vectors = rng.standard_normal((3, 300)).astype(np.float32)
    slow = np.array([naive.orthogonal_matching_pursuit(v, atoms, 70) for v in vectors])
    np.testing.assert_allclose(code(vectors, atoms, 70), slow, atol=1e-4)


def test_numbers_that_are_none_end_nothing_but_their_own_row():
    vectors = np.array([[np.nan, 1], [np.inf, 1], [2, 1]], dtype=np.float32)
    with np.errstate(invalid="ignore"):
        codes = code(vectors, np.eye(2, dtype=np.float32), 2)
    assert codes[2].tolist() == [2, 1]


def test_doubled_atoms_are_not_both_used():
    atoms = np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32)
    codes = code(np.array([[2, 1]], dtype=np.float32), atoms, 3)
    np.testing.assert_allclose(codes @ atoms, [[2, 1]])
    assert np.count_nonzero(codes) == 2


def test_a_zero_vector_has_no_codes():
    assert not code(np.zeros((1, 3), np.float32), np.eye(3, dtype=np.float32), 2).any()


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_threads_change_nothing(n_jobs):
    rng = np.random.default_rng(3)
    atoms = unit_rows(rng.standard_normal((10, 6)).astype(np.float32))
    vectors = rng.standard_normal((5000, 6)).astype(np.float32)
    np.testing.assert_array_equal(code(vectors, atoms, 4, n_jobs), code(vectors, atoms, 4, 1))
