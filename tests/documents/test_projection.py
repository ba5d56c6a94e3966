import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif.documents.projection import (
    fold_words,
    learn_projection,
    random_directions,
    with_random_rest,
)
from psif.errors import InputError
from tests.worlds import make_world, random_components, worlds


def pca_world():
    world = make_world(0, n_words=60, n_topics=4, dim=10, lengths=[25] * 80)
    return world, random_components(world, 1)


@settings(max_examples=40, deadline=None)
@given(world=worlds(min_docs=1), n_removed=st.integers(0, 2), n_dims=st.integers(1, 4))
def test_folded_words_average_to_projected_documents(world, n_removed, n_dims):
    words = world.words
    components = random_components(world, n_removed)
    projection = np.random.default_rng(0).standard_normal((words.n_features, n_dims))
    table = fold_words(words, components, projection.astype(np.float32))
    folded = words.average_table(world.docs, table)
    projected = words.average(world.docs, components) @ projection
    np.testing.assert_allclose(folded, projected, atol=5e-4)


def test_pca_keeps_inner_products_of_low_rank_documents():
    world, components = pca_world()
    full = world.words.average(world.docs, components)
    projection = learn_projection(world.words, world.docs, components, 39)
    np.testing.assert_allclose(projection.T @ projection, np.eye(39), atol=1e-4)
    compact = full @ projection
    # 40 dimensions less one removed component: 39 hold everything.
    np.testing.assert_allclose(compact @ compact.T, full @ full.T, atol=1e-5)


def test_pca_loses_no_more_than_the_best_projection():
    world, components = pca_world()
    full = world.words.average(world.docs, components)
    projection = learn_projection(world.words, world.docs, components, 5)
    values = np.linalg.svd(full, compute_uv=False) ** 2
    assert ((full @ projection) ** 2).sum() == pytest.approx(values[:5].sum(), rel=1e-3)


def test_random_directions_keep_inner_products_roughly_and_are_seeded():
    projection = random_directions(40, 40, 3)
    np.testing.assert_array_equal(projection, random_directions(40, 40, 3))
    x = np.ones(40) / np.sqrt(40)
    assert np.linalg.norm(x @ projection) == pytest.approx(1, abs=0.4)


def test_pca_and_random_keep_inner_products_on_average():
    world, components = pca_world()
    full = world.words.average(world.docs, components)
    options = {"method": "pca+random"}
    found = [
        learn_projection(world.words, world.docs, components, 12, random_state=seed, **options)
        for seed in range(200)
    ]
    # The nine principal directions of "pca", then three that are orthogonal to them.
    leading = found[0][:, :9]
    best = learn_projection(world.words, world.docs, components, 9)
    np.testing.assert_allclose(leading @ (leading.T @ best), best, atol=2e-2)
    np.testing.assert_allclose(leading.T @ found[0][:, 9:], 0, atol=1e-5)
    products = np.mean([(full @ p) @ (full @ p).T for p in found], axis=0)
    lost = np.abs((full @ best) @ (full @ best).T - full @ full.T).max()
    assert np.abs(products - full @ full.T).max() < 0.3 * lost


def test_the_random_rest_by_hand():
    # What the leading direction e1 misses of (3, 4) is (0, 4); one random number carries it.
    projection = with_random_rest(np.array([[1.0], [0.0]], dtype=np.float32), 2, 0)
    assert projection[:, 0].tolist() == [1, 0]
    assert projection[0, 1] == 0
    assert with_random_rest(projection[:, :1], 1, 0).shape == (2, 1)


def test_bad_sizes():
    world = make_world(0, n_words=9, n_topics=3, dim=4, lengths=[5, 5, 5])
    none = random_components(world, 0)
    with pytest.raises(InputError, match=r"n_dims=13 must lie between 1 and n_topics \* dim = 12"):
        learn_projection(world.words, world.docs, none, 13)
    # Three documents span three dimensions; the fourth is random.
    projection = learn_projection(world.words, world.docs, none, 4)
    full = world.words.average(world.docs, none)
    kept = full @ projection[:, :3]
    np.testing.assert_allclose(kept @ kept.T, full @ full.T, atol=1e-4)
    assert np.abs(projection[:, :3].T @ projection[:, 3]).max() < 1e-4
    with pytest.raises(InputError, match=r"pca, pca\+random; got 'umap'"):
        learn_projection(world.words, world.docs, none, 2, method="umap")
