import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from psif.runtime import subspace_iteration
from psif.runtime.subspace_iteration import leading_right_singular_vectors


def falling(n_rows, n_columns, seed=0):
    """A matrix whose singular values fall as those of documents do."""
    rng = np.random.default_rng(seed)
    scale = np.arange(1, n_columns + 1) ** -0.8
    rotation = np.linalg.qr(rng.standard_normal((n_columns, n_columns)))[0]
    return (rng.standard_normal((n_rows, n_columns)) * scale @ rotation).astype(np.float32)


def test_by_hand():
    matrix = np.array([[3, 0], [0, -2], [0, 0]], dtype=np.float32)
    directions, values = leading_right_singular_vectors(matrix, 2, random_state=0)
    np.testing.assert_allclose(directions, np.eye(2), atol=1e-6)
    np.testing.assert_allclose(values, [3, 2], rtol=1e-6)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("shape", [(400, 90), (90, 400), (60, 30)])
def test_agrees_with_the_exact_decomposition(shape, kind, monkeypatch):
    monkeypatch.setattr(subspace_iteration, "_ROWS_PER_BLOCK", 32)
    dense = falling(*shape)
    matrix = dense if kind == "dense" else sparse.csr_array(dense)
    directions, values = leading_right_singular_vectors(matrix, 12, random_state=0)
    _, exact, rows = np.linalg.svd(dense.astype(np.float64), full_matrices=False)
    np.testing.assert_allclose(values, exact[:12], rtol=2e-3)
    np.testing.assert_allclose(directions.T @ directions, np.eye(12), atol=1e-5)
    # The first ones lie far apart; the last ones may mix with what was left out.
    overlaps = np.abs(np.sum(directions[:, :6] * rows[:6].T, axis=0))
    np.testing.assert_allclose(overlaps, 1, atol=1e-3)
    assert (directions[np.abs(directions).argmax(axis=0), range(12)] > 0).all()


@given(st.integers(0, 100), st.integers(1, 5), st.integers(1, 40))
def test_beyond_the_rank_the_basis_is_completed(seed, rank, n_wanted):
    rng = np.random.default_rng(seed)
    matrix = rng.standard_normal((60, rank)) @ rng.standard_normal((rank, 50))
    directions, values = leading_right_singular_vectors(
        matrix.astype(np.float32), n_wanted, random_state=seed
    )
    assert directions.shape == (50, n_wanted)
    np.testing.assert_allclose(directions.T @ directions, np.eye(n_wanted), atol=1e-4)
    assert (values[rank:] < 1e-3 * values[0]).all()


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_threads_change_no_bit(kind):
    matrix = falling(5000, 60)
    if kind == "sparse":
        matrix = sparse.csr_array(matrix * (np.abs(matrix) > 0.1))
    one = leading_right_singular_vectors(matrix, 8, random_state=0, n_jobs=1)
    three = leading_right_singular_vectors(matrix, 8, random_state=0, n_jobs=3)
    for a, b in zip(one, three, strict=True):
        np.testing.assert_array_equal(a, b)
