import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif.documents import averaging
from psif.documents.averaging import WordTopics, sorted_documents
from psif.errors import InputError
from psif.runtime.threads import Workers
from psif.text.flat import FlatDocs
from tests import naive
from tests.worlds import make_world, random_components, worlds


def flat(*docs):
    return sorted_documents(FlatDocs.from_lists([list(doc) for doc in docs]))


def none_removed(words):
    return np.zeros((0, words.n_features), dtype=np.float32)


def test_by_hand_two_topics_three_words():
    words = WordTopics(
        weights=np.array([1, 0.5, 0.25], dtype=np.float32),
        codes=np.array([[1, 0], [0, 2], [1, -1]], dtype=np.float32),
        vectors=np.array([[1, 2], [3, 4], [4, 0]], dtype=np.float32),
    )
    # Document (w0, w1, w1, w2), |d| = 4:
    #   topic 0: (1·1·(1,2) + .25·1·(4,0)) / 4          = (2, 2) / 4
    #   topic 1: (2·.5·2·(3,4) + .25·(-1)·(4,0)) / 4     = (5, 8) / 4
    result = words.average(flat([0, 1, 1, 2]), none_removed(words))
    np.testing.assert_allclose(result, [[0.5, 0.5, 1.25, 2.0]])


def test_by_hand_log_counts():
    words = WordTopics(np.ones(2, np.float32), np.ones((2, 1), np.float32),
                       np.eye(2, dtype=np.float32), counts="log")  # fmt: skip
    factor = 1 + np.log(3)
    expected = np.array([[factor, 1]]) / (factor + 1)
    result = words.average(flat([0, 1, 0, 0]), none_removed(words))
    np.testing.assert_allclose(result, expected, rtol=1e-6)


@settings(max_examples=80, deadline=None)
@given(world=worlds(), n_removed=st.integers(0, 2))
def test_agrees_with_the_slow_twin(world, n_removed):
    words = world.words
    components = random_components(world, n_removed)
    fast = words.average(world.docs, components, n_jobs=1)
    assert fast.dtype == np.float32
    slow = naive.document_vectors(
        world.lists, words.weights, words.codes, words.vectors, components, words.counts
    ).reshape(fast.shape)
    np.testing.assert_allclose(fast, slow, atol=2e-5)


@pytest.mark.parametrize("dim", [5, 120])
def test_long_documents_with_many_distinct_words(dim):
    # 120 dimensions are two panels of registers; 64 distinct words are one tile.
    world = make_world(0, n_words=700, n_topics=3, dim=dim, lengths=[3000, 1, 0, 900, 64, 65])
    words = world.words
    components = random_components(world, 1)
    slow = naive.document_vectors(
        world.lists, words.weights, words.codes, words.vectors, components
    )
    np.testing.assert_allclose(words.average(world.docs, components), slow, atol=1e-5)


@settings(max_examples=30, deadline=None)
@given(world=worlds(min_docs=1), data=st.data())
def test_batches_threads_and_order_change_no_bit(world, data):
    words, docs = world.words, world.docs
    components = random_components(world, 1)
    whole = words.average(docs, components, n_jobs=2)
    cut = data.draw(st.integers(0, len(docs)))
    parts = [words.average(docs.part(a, b), components, n_jobs=1) for a, b in
             ((0, cut), (cut, len(docs)))]  # fmt: skip
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    shuffled = flat(*(data.draw(st.permutations(doc)) for doc in world.lists))
    np.testing.assert_array_equal(words.average(shuffled, components), whole)


@settings(max_examples=40, deadline=None)
@given(world=worlds(), absolute=st.booleans())
def test_average_of_table_rows(world, absolute):
    words = world.words
    table = np.random.default_rng(1).standard_normal((len(words.codes), 3)).astype(np.float32)
    fast = words.average_table(world.docs, table, absolute=absolute)
    one_topic = np.ones((len(table), 1))
    rows = np.abs(table) if absolute else table
    slow = [naive.document_matrix(d, words.weights, one_topic, rows, words.counts)
            for d in world.lists]  # fmt: skip
    np.testing.assert_allclose(fast, np.array(slow).reshape(fast.shape), atol=1e-5)


@settings(max_examples=40, deadline=None)
@given(world=worlds(), small=st.sampled_from([0, 1 << 16]))
def test_moment_is_the_product_with_the_share_matrix(world, small):
    words = world.words
    n_words = len(words.codes)
    ones = np.ones((n_words, 1))
    # Row d of S: the document with the identity for word vectors.
    identity = np.eye(n_words)
    shares = np.array(
        [naive.document_matrix(d, words.weights, ones, identity, words.counts) for d in world.lists]
    ).reshape(len(world.docs), n_words)
    values = np.random.default_rng(2).standard_normal(n_words)
    with Workers(2) as workers, pytest.MonkeyPatch.context() as patch:
        # Few words go another way than many.
        patch.setattr(averaging, "_SMALL", small)
        fast = words.moment(world.docs, values, workers)
    np.testing.assert_allclose(fast, shares.T @ (shares @ values), atol=1e-6)


@given(st.lists(st.lists(st.integers(0, 5), max_size=6), max_size=4))
def test_sorting_agrees_with_its_twin(lists):
    docs = sorted_documents(FlatDocs.from_lists(lists))
    assert [d.tolist() for d in docs] == [sorted(doc) for doc in lists]
    assert docs.ids.dtype == np.int32


def test_sorting_leaves_the_input_alone():
    docs = FlatDocs.from_lists([[3, 1, 2], [], [2, 0]])
    assert [d.tolist() for d in sorted_documents(docs)] == [[1, 2, 3], [], [0, 2]]
    assert docs.ids.tolist() == [3, 1, 2, 2, 0]


def test_unknown_counts():
    with pytest.raises(InputError, match="'raw' or 'log'; got 'sqrt'"):
        make_world(0, 2, 1, 1, [1], counts="sqrt")
