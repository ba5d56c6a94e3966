import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif.errors import InputError
from psif.partitions import dictionary
from psif.partitions.dictionary import Dictionary
from psif.runtime.norms import unit_rows
from psif.runtime.threads import Workers
from tests import naive


def sparse_data(rng, n_words=400, n_atoms=12, dim=8, n_active=2):
    """Words that really are sparse sums of a few atoms, with a little noise."""
    atoms = unit_rows(rng.standard_normal((n_atoms, dim)).astype(np.float32))
    codes = np.zeros((n_words, n_atoms), dtype=np.float32)
    for row in codes:
        row[rng.choice(n_atoms, n_active, replace=False)] = rng.uniform(0.5, 2, n_active)
    noise = 0.01 * rng.standard_normal((n_words, dim)).astype(np.float32)
    return atoms, codes @ atoms + noise


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n_words=st.integers(2, 30),
    dim=st.integers(1, 7),
    n_atoms=st.integers(1, 6),
)
def test_atom_sweep_agrees_with_the_slow_twin(seed, n_words, dim, n_atoms):
    rng = np.random.default_rng(seed)
    vectors = rng.standard_normal((n_words, dim)).astype(np.float32)
    atoms = unit_rows(rng.standard_normal((n_atoms, dim)).astype(np.float32))
    codes = rng.standard_normal((n_words, n_atoms)).astype(np.float32)
    codes[rng.random(codes.shape) < 0.5] = 0
    slow_atoms, slow_codes = naive.ksvd_sweep(vectors, atoms, codes)
    residual = vectors - codes @ atoms
    with Workers(1) as workers:
        dictionary._update_atoms(atoms, codes, residual, workers)
    np.testing.assert_allclose(atoms, slow_atoms, atol=1e-3)
    np.testing.assert_allclose(codes, slow_codes, atol=5e-3)
    np.testing.assert_allclose(residual, vectors - codes @ atoms, atol=1e-3)


def test_words_with_negative_coefficients_take_part_in_the_update():
    # Both words lie on the axis (1, 2)/√5, one in each direction; the atom must turn onto it.
    vectors = np.array([[1, 2], [-2, -4]], dtype=np.float32)
    atoms = np.array([[1, 0]], dtype=np.float32)
    codes = np.array([[1], [-2]], dtype=np.float32)
    residual = vectors - codes @ atoms
    with Workers(1) as workers:
        dictionary._update_atoms(atoms, codes, residual, workers)
    np.testing.assert_allclose(atoms, [[1 / np.sqrt(5), 2 / np.sqrt(5)]], rtol=1e-6)
    np.testing.assert_allclose(codes.ravel(), [np.sqrt(5), -2 * np.sqrt(5)], rtol=1e-6)


def test_recovers_the_atoms_that_made_the_data():
    true_atoms, vectors = sparse_data(np.random.default_rng(0), n_words=2000)
    learned = Dictionary(12, n_active=2, init="data", max_iter=60, tol=1e-6).fit(vectors)
    cosines = np.abs(true_atoms @ learned.atoms_.T).max(axis=1)
    assert (cosines > 0.97).sum() >= 10
    assert min(learned.losses_) < 0.2


@pytest.mark.parametrize("init", ["svd", "data"])
def test_loss_is_reported_and_falls(init):
    _, vectors = sparse_data(np.random.default_rng(1))
    learned = Dictionary(10, n_active=3, init=init, max_iter=8, tol=0).fit(vectors)
    assert len(learned.losses_) >= 2
    assert min(learned.losses_) < learned.losses_[0]
    codes = learned.encode(vectors)
    loss = np.linalg.norm(vectors - codes @ learned.atoms_) / np.linalg.norm(vectors)
    assert loss == pytest.approx(min(learned.losses_), rel=1e-4)


def test_atoms_have_unit_norm_and_codes_at_most_k_nonzeros():
    _, vectors = sparse_data(np.random.default_rng(2))
    learned = Dictionary(9, max_iter=4).fit(vectors)
    np.testing.assert_allclose(np.linalg.norm(learned.atoms_, axis=1), 1, rtol=1e-5)
    assert (np.count_nonzero(learned.encode(vectors), axis=1) <= 4).all()  # K // 2


def test_strongest_words_of_a_topic_have_positive_codes():
    _, vectors = sparse_data(np.random.default_rng(5))
    codes = Dictionary(6, max_iter=3).fit(vectors - 3).encode(vectors - 3)
    assert ((codes**3).sum(axis=0) >= 0).all()


def test_stops_when_the_improvement_is_small():
    _, vectors = sparse_data(np.random.default_rng(3))
    patient = Dictionary(10, max_iter=30, tol=1e-9).fit(vectors)
    hasty = Dictionary(10, max_iter=30, tol=0.05).fit(vectors)
    assert len(hasty.losses_) < len(patient.losses_)


def test_dead_and_doubled_atoms_are_replaced_by_badly_coded_words():
    vectors = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 5]], dtype=np.float32)
    atoms = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=np.float32)
    codes = np.array([[1, 0, 0], [0, 0, 1], [0, 0, 0]], dtype=np.float32)
    residual = vectors - codes @ atoms
    assert dictionary._replace_dead(atoms, codes, residual, vectors) == 1
    np.testing.assert_allclose(atoms, [[1, 0, 0], [0, 0, 1], [0, 1, 0]])


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_threads_change_nothing(n_jobs):
    _, vectors = sparse_data(np.random.default_rng(4), n_words=9000)
    one = Dictionary(10, max_iter=3, n_jobs=1).fit(vectors)
    many = Dictionary(10, max_iter=3, n_jobs=n_jobs).fit(vectors)
    np.testing.assert_array_equal(one.atoms_, many.atoms_)


def test_more_atoms_than_dimensions_and_zero_rows():
    rng = np.random.default_rng(6)
    vectors = rng.standard_normal((50, 3)).astype(np.float32)
    vectors[7] = 0
    learned = Dictionary(8, n_active=5, max_iter=3).fit(vectors)
    codes = learned.encode(vectors)
    assert np.isfinite(learned.atoms_).all()
    assert not codes[7].any()


def test_same_seed_same_atoms_other_seed_other_atoms():
    _, vectors = sparse_data(np.random.default_rng(8))
    a, b, c = (
        Dictionary(6, init="data", max_iter=1, random_state=s).fit(vectors) for s in (1, 1, 2)
    )
    np.testing.assert_array_equal(a.atoms_, b.atoms_)
    assert not np.allclose(a.atoms_, c.atoms_)


def test_bad_sizes():
    vectors = np.ones((4, 2), dtype=np.float32)
    with pytest.raises(InputError, match=r"n_topics=5 is more than the 4 words"):
        Dictionary(5).fit(vectors)
    with pytest.raises(InputError, match=r"n_active=3 must lie between 1 and n_topics=2"):
        Dictionary(2, n_active=3).fit(vectors)
    with pytest.raises(InputError, match="init must be"):
        Dictionary(2, init="random").fit(vectors)
