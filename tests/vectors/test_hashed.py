import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from psif.vectors.hashed import hashed_vectors


def test_the_same_word_has_the_same_vector_and_others_are_nearly_orthogonal():
    words = [f"word{i}" for i in range(200)]
    vectors = hashed_vectors(words, 256)
    gram = vectors @ vectors.T
    np.testing.assert_allclose(np.diag(gram), 1, rtol=1e-5)
    others = gram[~np.eye(200, dtype=bool)]
    # Mean 0 and deviation 1 / 16.
    assert abs(others.mean()) < 0.005
    assert abs(others.std() - 1 / 16) < 0.005
    np.testing.assert_array_equal(hashed_vectors(words[::-1], 256)[::-1], vectors)


@given(st.text(max_size=5), st.integers(1, 130))
def test_any_word_and_size(word, dim):
    (vector,) = hashed_vectors([word], dim)
    assert vector.shape == (dim,)
    np.testing.assert_allclose(np.abs(vector), 1 / np.sqrt(dim), rtol=1e-6)


def test_no_words():
    assert hashed_vectors([], 3).shape == (0, 3)
