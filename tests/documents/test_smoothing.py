import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from psif.documents.averaging import WordTopics, sorted_documents
from psif.documents.smoothing import context_sums, presence, smoothed_vectors
from psif.text.flat import FlatDocs

IDS = st.lists(st.lists(st.integers(0, 5), max_size=6), min_size=1, max_size=8)


def words(seed=0, counts="log"):
    rng = np.random.default_rng(seed)
    return WordTopics(
        rng.uniform(0.1, 1, 6).astype(np.float32),
        np.ones((6, 1), dtype=np.float32),
        rng.standard_normal((6, 3)).astype(np.float32),
        counts,
    )


def slow_sums(docs, known):
    sums = np.zeros((6, 3))
    for doc in docs:
        mean = np.zeros(3)
        for word in set(doc):
            n = doc.count(word)
            mean += known.weights[word] * (1 + np.log(n)) * known.vectors[word]
        norm = np.linalg.norm(mean)
        for word in set(doc):
            sums[word] += mean / norm
    return sums


@settings(deadline=None)
@given(IDS, st.sampled_from([1, 3]))
def test_sums_agree_with_a_loop_over_documents(docs, n_jobs):
    known = words()
    flat = sorted_documents(FlatDocs.from_lists(docs))
    found = context_sums(known, flat, n_jobs=n_jobs)
    np.testing.assert_allclose(found, slow_sums(docs, known), atol=1e-5)


@settings(deadline=None)
@given(IDS, IDS)
def test_parts_of_a_corpus_add_up(left, right):
    known = words(1)
    parts = [sorted_documents(FlatDocs.from_lists(docs)) for docs in (left, right)]
    whole = sorted_documents(FlatDocs.from_lists(left + right))
    added = sum(context_sums(known, part) for part in parts)
    np.testing.assert_allclose(context_sums(known, whole), added, atol=1e-5)


def test_presence_by_hand():
    docs = FlatDocs.from_lists([[0, 0, 2], [], [2], [1, 1]])
    assert presence(docs, 3).toarray().tolist() == [[1, 0, 1], [0, 0, 0], [0, 0, 1], [0, 1, 0]]


def test_means_by_hand():
    vectors = np.array([[3, 4], [0, 2]], dtype=np.float32)
    sums = np.array([[1, 0], [0, 0]], dtype=np.float32)
    means = smoothed_vectors(vectors, sums, np.array([1, 0]))
    np.testing.assert_allclose(means, [[0.8, 0.4], [0, 1]], rtol=1e-6)
