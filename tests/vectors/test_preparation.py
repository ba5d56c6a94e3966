import numpy as np
import pytest

from psif.errors import InputError
from psif.vectors.preparation import prepare_vectors


def test_by_hand():
    vectors = np.array([[3, 4], [0, 0], [0, -2]], dtype=np.float32)
    assert prepare_vectors(vectors, "none").tolist() == vectors.tolist()
    np.testing.assert_allclose(prepare_vectors(vectors, "unit"), [[0.6, 0.8], [0, 0], [0, -1]])
    # The mean is (1, 2/3).
    centred = vectors - [1, 2 / 3]
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    np.testing.assert_allclose(prepare_vectors(vectors, "center"), centred, rtol=1e-6)


def test_all_but_the_top_removes_the_dominant_direction():
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((200, 6)).astype(np.float32)
    vectors[:, 0] *= 50
    result = prepare_vectors(vectors, "all-but-the-top")
    assert np.abs(result[:, 0]).max() < 0.05
    np.testing.assert_allclose(np.linalg.norm(result, axis=1), 1, rtol=1e-5)


def test_the_input_is_not_changed():
    vectors = np.array([[3, 4]], dtype=np.float32)
    prepare_vectors(vectors, "unit")
    assert vectors.tolist() == [[3, 4]]


def test_half_precision_becomes_single():
    assert prepare_vectors(np.ones((1, 2), np.float16), "none").dtype == np.float32


def test_unknown_name():
    with pytest.raises(InputError, match="all-but-the-top, zipf, zipf-norms; got 'l2'"):
        prepare_vectors(np.ones((1, 2), np.float32), "l2")


@pytest.mark.parametrize(
    ("how", "length"),
    [
        # Along the axis each word is at ±√½; times (1/2)^(-1/4), then over the root of its norm.
        ("zipf", np.sqrt(np.sqrt(0.5) * 0.5**-0.25)),
        # Times (1/2)^(-3/8), and that is all.
        ("zipf-norms", np.sqrt(0.5) * 0.5**-0.375),
    ],
)
def test_zipf_by_hand(how, length):
    # Two words, equally frequent: mean (1/2, 1/2), covariance along (1, -1)/√2 of 1/2.
    vectors = np.array([[1, 0], [0, 1]], dtype=np.float32)
    result = prepare_vectors(vectors, how, np.array([0.5, 0.5]))
    np.testing.assert_allclose(np.linalg.norm(result, axis=1), length, rtol=1e-5)
    np.testing.assert_allclose(result[0], -result[1], atol=1e-5)


@pytest.mark.parametrize("how", ["zipf", "zipf-norms"])
def test_zipf_shortens_frequent_words(how):
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((50, 5)).astype(np.float32)
    probs = np.full(50, 0.2 / 49)
    probs[0] = 0.8
    norms = np.linalg.norm(prepare_vectors(vectors, how, probs), axis=1)
    assert norms[0] < 0.7 * norms[1:].min()


def test_zipf_without_frequencies_counts_words_alike():
    vectors = np.random.default_rng(0).standard_normal((9, 3)).astype(np.float32)
    alike = prepare_vectors(vectors, "zipf", np.full(9, 1 / 9))
    np.testing.assert_allclose(prepare_vectors(vectors, "zipf"), alike, rtol=1e-4)
    np.testing.assert_allclose(prepare_vectors(vectors, "zipf", np.zeros(9)), alike, rtol=1e-4)


def test_zipf_of_one_word_is_zero_and_finite():
    assert prepare_vectors(np.ones((1, 2), np.float32), "zipf").tolist() == [[0, 0]]
