import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from psif.group.clusters.graph import nearest_neighbours, neighbour_graph, spectral_rows
from psif.group.clusters.lexical import bags_of_words
from psif.text.flat import FlatDocs


def naive_bags(lists, n_words):
    """The formula, word by word."""
    having = [sum(word in words for words in lists) for word in range(n_words)]
    rows = []
    for words in lists:
        row = [
            (1 + math.log(words.count(word)))
            * (1 + math.log((1 + len(lists)) / (1 + having[word])))
            if word in words and having[word] <= max(2, len(lists) / 4)
            else 0.0
            for word in range(n_words)
        ]
        length = math.sqrt(sum(value * value for value in row))
        rows.append([value / length if length else 0.0 for value in row])
    return np.array(rows)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 7), max_size=12), min_size=1, max_size=14))
def test_bags_are_those_of_the_formula(lists):
    docs = FlatDocs.from_lists([sorted(words) for words in lists])
    found = bags_of_words(docs, 8).toarray()
    assert np.allclose(found, naive_bags(lists, 8), atol=1e-6)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 3))
def test_neighbours_have_the_highest_sums_of_both_cosines(seed, n_jobs):
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(30, 5)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    lists = [sorted(rng.integers(0, 40, size=6).tolist()) for _ in range(30)]
    words = bags_of_words(FlatDocs.from_lists(lists), 40)
    found = nearest_neighbours(vectors, 4, n_jobs, words)
    sums = vectors @ vectors.T + (words @ words.T).toarray()
    np.fill_diagonal(sums, -np.inf)
    for row, near in enumerate(found):
        assert np.allclose(np.sort(sums[row])[::-1][:4], sums[row, near], atol=1e-5)


def test_eigenvectors_are_scaled_by_what_a_walk_leaves_of_them():
    # Two pairs with one edge each: two parts, so two eigenvalues of 1, then two of -1.
    graph = neighbour_graph(np.array([[1], [0], [3], [2]]), 1)
    rows, values = spectral_rows(graph, 4, 0)
    assert np.allclose(values, [1, 1, -1, -1])
    assert np.allclose(np.linalg.norm(rows, axis=0), [1, 1, 0, 0])
    # A triangle: 1, then two of -1/2, which no walk keeps.
    rows, values = spectral_rows(neighbour_graph(np.array([[1, 2], [0, 2], [0, 1]]), 2), 3, 0)
    assert np.allclose(values, [1, -0.5, -0.5])
    assert np.allclose(rows[:, 1:], 0)
