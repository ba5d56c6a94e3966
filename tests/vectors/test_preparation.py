import warnings

import numpy as np
import pytest

from psif import PSIF, WordVectors
from psif.errors import InputError
from psif.vectors.preparation import PREPARATIONS, prepare_vectors
from tests import corpora


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


@pytest.mark.parametrize("scale", [1e19, 1e-25, 3e38, 1e-44])
@pytest.mark.parametrize("how", PREPARATIONS)
def test_numbers_that_cannot_be_squared_are_scaled(how, scale):
    rng = np.random.default_rng(0)
    small = (rng.integers(-64, 65, (40, 3)) / 64).astype(np.float32)
    scaled = (small.astype(np.float64) * scale).astype(np.float32)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = prepare_vectors(scaled, how)
    assert len(caught) == (how == "none")
    expected = prepare_vectors(scaled.astype(np.float64) / scale, how)
    ratio = np.abs(result).max() / np.abs(expected).max()
    assert how == "none" or ratio == pytest.approx(1, rel=1e-3)
    assert 1e-8 < np.abs(result).max() < 1e8
    np.testing.assert_allclose(result, expected * ratio, atol=2e-3 * np.abs(result).max())


def test_one_huge_row_does_not_take_the_others_to_zero():
    vectors = np.array([[1, 1], [3e38, 0], [1e-30, 0]], dtype=np.float32)
    expected = [[0.5**0.5, 0.5**0.5], [1, 0], [0, 0]]  # 1e-68 of the largest is zero
    np.testing.assert_allclose(prepare_vectors(vectors, "unit"), expected, rtol=1e-6)


def test_threads_change_no_bit():
    vectors = np.random.default_rng(0).standard_normal((30_000, 8)).astype(np.float32)
    for how in PREPARATIONS:
        one, three = (prepare_vectors(vectors, how, n_jobs=n) for n in (1, 3))
        np.testing.assert_array_equal(one, three)


@pytest.mark.parametrize("scale", [1e19, 1e-25])
def test_a_model_on_huge_or_tiny_vectors_is_that_on_usual_ones(scale):
    usual = corpora.vectors()
    texts = corpora.texts(60)
    scaled = WordVectors(usual.words, (usual.matrix.astype(np.float64) * scale).astype(np.float32))
    for word_norm in ("unit", "zipf", "center"):
        options = {"n_topics": 3, "word_norm": word_norm, "random_state": 0}
        expected = PSIF(usual, **options).fit(texts).similarity(texts[:5], texts[:5])
        found = PSIF(scaled, **options).fit(texts).similarity(texts[:5], texts[:5])
        np.testing.assert_allclose(found, expected, atol=1e-3)
    with pytest.warns(
        UserWarning, match=r"largest number of the word vectors is .* scaled by 2\*\*"
    ):
        model = PSIF(scaled, n_topics=3, word_norm="none", random_state=0).fit(texts)
    expected = PSIF(usual, n_topics=3, word_norm="none", random_state=0).fit(texts)
    np.testing.assert_allclose(
        model.similarity(texts[:5], texts[:5]), expected.similarity(texts[:5], texts[:5]), atol=1e-2
    )
