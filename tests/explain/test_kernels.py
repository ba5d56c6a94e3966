import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif import kernels
from psif.documents.averaging import sorted_documents
from psif.errors import InputError
from psif.text.flat import FlatDocs
from tests import naive
from tests.worlds import make_world


@st.composite
def two_documents(draw):
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    dim, n_topics = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    n, m = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    shapes = ((n, dim), (n, n_topics), (m, dim), (m, n_topics))
    return [rng.standard_normal(shape) for shape in shapes]


def test_by_hand():
    # A has words (1, 0) and (0, 1); B has (2, 3). Topics: first, second; B half and half.
    a, t_a = np.array([[1, 0], [0, 1]]), np.array([[1, 0], [0, 1]])
    b, t_b = np.array([[2, 3]]), np.array([[0.5, 0.5]])
    assert kernels.average(a, b) == (2 + 3) / 2
    assert kernels.topical(a, t_a, b, t_b) == ((2 + 0.5) + (3 + 0.5)) / 2
    assert kernels.partition(a, t_a, b, t_b) == (2 * 0.5 + 3 * 0.5) / 2
    assert kernels.relaxed_word_mover(a, b) == (2 + 3) / 2
    assert kernels.relaxed_word_mover(b, a) == 3


@settings(max_examples=60, deadline=None)
@given(documents=two_documents())
def test_agree_with_their_definitions(documents):
    a, _, b, _ = documents
    close = pytest.approx
    assert kernels.average(a, b) == close(naive.kernel_average(a, b), abs=1e-9)
    assert kernels.topical(*documents) == close(naive.kernel_topical(*documents), abs=1e-9)
    assert kernels.partition(*documents) == close(naive.kernel_partition(*documents), abs=1e-9)
    assert kernels.relaxed_word_mover(a, b) == close(
        naive.kernel_relaxed_word_mover(a, b), abs=1e-9
    )


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), lengths=st.tuples(st.integers(1, 20), st.integers(1, 20)))
def test_inner_product_of_psif_documents_is_the_third_kernel(seed, lengths):
    world = make_world(seed, n_words=15, n_topics=3, dim=4, lengths=lengths)
    words = world.words
    x = words.average(world.docs, np.zeros((0, words.n_features), np.float32))
    (a, b) = world.lists
    weighted = words.vectors * words.weights[:, None]
    kernel = kernels.partition(weighted[a], words.codes[a], weighted[b], words.codes[b])
    assert float(x[0] @ x[1]) == pytest.approx(kernel, abs=1e-4)


def test_one_topic_turns_the_third_kernel_into_the_first():
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((4, 3)), rng.standard_normal((5, 3))
    assert kernels.partition(a, np.ones((4, 1)), b, np.ones((5, 1))) == pytest.approx(
        kernels.average(a, b)
    )


def test_topical_kernel_is_the_sum_form():
    # Mean of v ⊕ t: its inner product is K1 over vectors plus K1 over topics.
    rng = np.random.default_rng(1)
    a, t_a, b, t_b = (rng.standard_normal(s) for s in ((4, 3), (4, 2), (5, 3), (5, 2)))
    joined = kernels.average(np.hstack([a, t_a]), np.hstack([b, t_b]))
    assert kernels.topical(a, t_a, b, t_b) == pytest.approx(joined)
    assert joined == pytest.approx(kernels.average(a, b) + kernels.average(t_a, t_b))


def test_relaxed_word_mover_bounds_the_average_and_is_exact_for_single_words():
    rng = np.random.default_rng(2)
    a, b = rng.standard_normal((6, 3)), rng.standard_normal((5, 3))
    assert kernels.relaxed_word_mover(a, b) >= kernels.average(a, b)
    assert kernels.relaxed_word_mover(a[:1], b[:1]) == pytest.approx(kernels.average(a[:1], b[:1]))


def test_bad_documents():
    one, two = np.ones((1, 2)), np.ones((1, 3))
    with pytest.raises(InputError, match="at least one word; got shape \\(0, 2\\)"):
        kernels.average(np.ones((0, 2)), one)
    with pytest.raises(InputError, match="have 2 and 3 dimensions"):
        kernels.relaxed_word_mover(one, two)
    with pytest.raises(InputError, match="document a has 1 word vectors but 2 topic vectors"):
        kernels.partition(one, np.ones((2, 2)), one, one)


def test_sif_is_one_partition():
    """K = 1: the document is the plain weighted mean of word vectors."""
    world = make_world(5, n_words=10, n_topics=1, dim=3, lengths=[7])
    words = world.words
    ones = type(words)(words.weights, np.ones_like(words.codes), words.vectors)
    docs = sorted_documents(FlatDocs.from_lists(world.lists))
    ids = world.lists[0]
    mean = np.mean([words.weights[i] * words.vectors[i] for i in ids], axis=0)
    np.testing.assert_allclose(ones.average(docs, np.zeros((0, 3), np.float32))[0], mean, rtol=1e-4)
