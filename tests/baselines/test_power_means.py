from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif import InputError, WordVectors
from psif.baselines.power_means import PowerMeans
from tests.baselines.corpus import TEXTS, WORDS, vector_of, word_vectors


def test_by_hand():
    vectors = WordVectors(["a", "b"], [[1.0, -3.0], [-2.0, 1.0]])
    method = PowerMeans(vectors, powers=(1, -np.inf, np.inf, 2, 3)).fit(["a b"])
    # Twice a, once b.
    expected = [
        *(0.0, -5 / 3),
        *(-2.0, -3.0),
        *(1.0, 1.0),
        *(np.sqrt(6 / 3), np.sqrt(19 / 3)),
        *(-np.cbrt(6 / 3), -np.cbrt(53 / 3)),
    ]
    np.testing.assert_allclose(method.transform(["a b a"])[0], expected, rtol=1e-5)


def test_means_of_unit_length():
    vectors = WordVectors(["a", "b"], [[3.0, 4.0], [0.0, 2.0]])
    method = PowerMeans(vectors, powers=(1, np.inf), unit_means=True).fit(["a b"])
    # Means (1.5, 3) and (3, 4), each over its own length.
    expected = [1 / np.sqrt(5), 2 / np.sqrt(5), 0.6, 0.8]
    np.testing.assert_allclose(method.transform(["a b"])[0], expected, rtol=1e-5)


@cache
def fitted(p):
    return PowerMeans(word_vectors(), powers=(p,)).fit(TEXTS)


def slow_power_mean(vectors, p):
    if np.isinf(p):
        return vectors.max(axis=0) if p > 0 else vectors.min(axis=0)
    mean = (vectors**p).mean(axis=0)
    return np.sign(mean) * np.abs(mean) ** (1 / p)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=8), min_size=1, max_size=150),
    st.sampled_from([1, 2, 3, 5, np.inf, -np.inf]),
)
def test_against_loops(documents, p):
    method = fitted(p)
    documents = [*documents, ["cats"]]
    docs = method.word_ids([" ".join(words) for words in documents])
    for row, words in zip(method._embed(docs), documents, strict=True):
        expected = slow_power_mean(np.array([vector_of(w) for w in words]), p) if words else 0.0
        np.testing.assert_allclose(row, expected, atol=1e-4)


def test_a_wrong_power_is_refused():
    with pytest.raises(InputError, match=r"powers must be whole.*0\.5"):
        PowerMeans(word_vectors(), powers=(0.5,)).fit(TEXTS)
