import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from psif.errors import InputError
from psif.partitions.clusters import Clusters
from psif.partitions.mixture import Mixture, cut_tail
from psif.partitions.shaping import add_shared_topic, shape_codes
from psif.partitions.single import SinglePartition
from psif.partitions.tied import TiedMixture


def three_blobs(n=60, dim=4):
    rng = np.random.default_rng(0)
    centres = 10 * np.eye(3, dim)
    labels = np.arange(n) % 3
    return labels, (centres[labels] + rng.standard_normal((n, dim))).astype(np.float32)


def same_grouping(labels, codes):
    """Whether the strongest topic of each word separates exactly the true groups."""
    pairs = {(a, b) for a, b in zip(labels, codes.argmax(axis=1), strict=True)}
    return len(pairs) == len(set(labels))


@pytest.mark.parametrize("covariance", ["tied", "diag", "full"])
def test_mixture_finds_separate_groups(covariance):
    labels, vectors = three_blobs()
    learned = Mixture(3, n_active=3, covariance=covariance).fit(vectors)
    codes = learned.encode(vectors)
    assert same_grouping(labels, codes)
    np.testing.assert_allclose(codes.sum(axis=1), 1, rtol=1e-5)
    assert learned.atoms_.shape == (3, 4)
    assert learned.losses_[-1] <= learned.losses_[0] + 1e-9


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 4), st.integers(1, 5))
def test_tied_mixture_is_that_of_scikit_learn(seed, n_components, dim):
    rng = np.random.default_rng(seed)
    vectors = 100 + rng.standard_normal((40, dim)) @ rng.standard_normal((dim, dim))
    options = {"reg_covar": 1e-2, "max_iter": 4, "random_state": seed}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fast = TiedMixture(n_components, **options).fit(vectors)
        slow = GaussianMixture(n_components, covariance_type="tied", **options).fit(vectors)
    np.testing.assert_allclose(fast.means_, slow.means_, rtol=1e-6)
    np.testing.assert_allclose(fast.lower_bounds_, slow.lower_bounds_, rtol=1e-6)
    new = vectors[:7] + rng.standard_normal((7, dim))
    np.testing.assert_allclose(fast.predict_proba(new), slow.predict_proba(new), atol=1e-6)


def test_threads_change_no_bit_of_a_mixture():
    vectors = np.random.default_rng(0).standard_normal((9_000, 5)).astype(np.float32)
    one, three = (Mixture(4, max_iter=3, n_jobs=n).fit(vectors) for n in (1, 3))
    np.testing.assert_array_equal(one.atoms_, three.atoms_)
    np.testing.assert_array_equal(one.encode(vectors), three.encode(vectors))
    assert one.losses_ == three.losses_


def test_mixture_refuses_unknown_covariance():
    with pytest.raises(InputError, match="'tied', 'diag' or 'full'; got 'round'"):
        Mixture(2, covariance="round").fit(three_blobs()[1])


def test_cut_tail_by_hand():
    p = np.array([[0.6, 0.3, 0.095, 0.005], [0.25, 0.25, 0.25, 0.25]])
    np.testing.assert_allclose(
        cut_tail(p, n_active=3, tail=0.1), [[2 / 3, 1 / 3, 0, 0], [1 / 3, 1 / 3, 1 / 3, 0]]
    )
    # The largest is kept even when it is below the tail.
    np.testing.assert_allclose(cut_tail(p[1:], n_active=2, tail=0.5), [[1, 0, 0, 0]])


def test_clusters_are_one_hot():
    labels, vectors = three_blobs()
    codes = Clusters(3).fit(vectors).encode(vectors)
    assert set(np.unique(codes)) == {0, 1}
    assert (codes.sum(axis=1) == 1).all()
    assert same_grouping(labels, codes)


def test_clusters_survive_fewer_distinct_words_than_topics():
    vectors = np.array([[0, 1], [0, 1], [1, 0], [1, 0]], dtype=np.float32)
    codes = Clusters(3).fit(vectors).encode(vectors)
    assert (codes.sum(axis=1) == 1).all()


def test_single_partition_is_a_column_of_ones_not_a_projection():
    vectors = np.array([[1, 0], [0, -2]], dtype=np.float32)
    assert SinglePartition().fit(vectors).encode(vectors).tolist() == [[1], [1]]


def test_shapes_of_codes_by_hand():
    codes = np.array([[3, -4, 0], [-1, 0, 0], [0, 0, 0]], dtype=np.float32)
    assert shape_codes(codes, "signed").tolist() == codes.tolist()
    assert shape_codes(codes, "nonnegative").tolist() == [[3, 0, 0], [1, 0, 0], [0, 0, 0]]
    np.testing.assert_allclose(
        shape_codes(codes, "unit"), [[0.6, -0.8, 0], [-1, 0, 0], [0, 0, 0]], rtol=1e-6
    )
    assert shape_codes(codes, "nonnegative-unit").tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 0]]
    with pytest.raises(InputError, match="codes must be one of signed, nonnegative"):
        shape_codes(codes, "positive")


def test_a_shared_topic_mixes_sif_into_the_kernel():
    codes = np.array([[1, 0], [0, 1]], dtype=np.float32)
    mixed = add_shared_topic(codes, 0.25)
    np.testing.assert_allclose(mixed[0], [0.5, np.sqrt(0.75), 0], rtol=1e-6)
    np.testing.assert_allclose(mixed @ mixed.T, 0.25 + 0.75 * codes @ codes.T, rtol=1e-6)
