import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from psif.documents.components import common_components, word_combination, word_projections
from psif.errors import InputError
from tests import naive
from tests.worlds import make_world, worlds


def dense(world):
    words = world.words
    none = np.zeros((0, words.n_features))
    return naive.document_vectors(
        world.lists, words.weights, words.codes, words.vectors, none, words.counts
    )


def same_subspace(a, b, atol=1e-3):
    np.testing.assert_allclose(a.T @ a, b.T @ b, atol=atol)


@settings(max_examples=60, deadline=None)
@given(world=worlds(min_docs=4, min_length=1), n_removed=st.integers(1, 2))
def test_agrees_with_the_svd_of_all_documents(world, n_removed):
    rows = dense(world)
    values = np.linalg.svd(rows, compute_uv=False)
    # A direction is only defined where its singular value stands apart from the next.
    assume(len(values) > n_removed and values[n_removed] < 0.9 * values[n_removed - 1])
    assume(values[n_removed - 1] > 1e-2)
    fast = common_components(world.words, world.docs, n_removed)
    same_subspace(fast, naive.leading_directions(rows, n_removed), atol=5e-3)


@pytest.mark.parametrize("n_removed", [1, 3])
def test_many_dimensions_use_iterations_and_agree_too(n_removed):
    world = make_world(1, n_words=200, n_topics=8, dim=25, lengths=[40] * 120)
    fast = common_components(world.words, world.docs, n_removed)
    slow = naive.leading_directions(dense(world), n_removed)
    same_subspace(fast, slow, atol=1e-4)
    np.testing.assert_allclose(fast @ fast.T, np.eye(n_removed), atol=1e-5)


@settings(max_examples=30, deadline=None)
@given(world=worlds())
def test_vocabulary_products_by_their_definition(world):
    words = world.words
    rng = np.random.default_rng(0)
    u = rng.standard_normal((words.n_topics, words.dim))
    h = rng.standard_normal(len(words.codes))
    topic_vectors = np.array(
        [np.outer(c, v).ravel() for c, v in zip(words.codes, words.vectors, strict=True)]
    )
    np.testing.assert_allclose(word_projections(words, u), topic_vectors @ u.ravel(), atol=1e-4)
    np.testing.assert_allclose(word_combination(words, h).ravel(), topic_vectors.T @ h, atol=1e-4)


def test_threads_change_nothing():
    world = make_world(2, n_words=300, n_topics=5, dim=20, lengths=[30] * 2000)
    one = common_components(world.words, world.docs, 2, n_jobs=1)
    two = common_components(world.words, world.docs, 2, n_jobs=2)
    np.testing.assert_array_equal(one, two)


def test_none_removed_and_too_many():
    world = make_world(0, n_words=5, n_topics=2, dim=2, lengths=[3, 4, 0])
    assert common_components(world.words, world.docs, 0).shape == (0, 4)
    with pytest.raises(InputError, match=r"removing 2 .* from 2 documents .* Try n_removed=1"):
        common_components(world.words, world.docs, 2)
    with pytest.raises(InputError, match="n_removed must be 0 or more; got -1"):
        common_components(world.words, world.docs, -1)
