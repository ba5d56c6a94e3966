"""Topic shares, alone and beside word vectors."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from psif.baselines import make_method
from tests.baselines.corpus import DIM, LABELS, NEW, TEXTS, idf, vector_of, word_vectors


def test_topic_shares_sum_to_one():
    shares = make_method("lda", n_topics=3, random_state=0).fit_transform(TEXTS)
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-5)
    assert (shares > 0).all()


def test_topics_find_the_themes():
    texts, labels = TEXTS * 30, LABELS * 30
    shares = make_method("lda", n_topics=2, max_iter=20, random_state=0).fit_transform(texts)
    pets = np.array(labels) == "pet"
    assert abs(shares[pets].mean(axis=0) - shares[~pets].mean(axis=0)).max() > 0.3


def test_one_sweep_against_loops():
    from psif.compiled.random_numbers import start, uniform
    from psif.compiled.topic_sampling import count_topics, sample_topics

    rng = np.random.default_rng(0)
    words, docs = rng.integers(0, 5, 40).astype(np.int32), np.repeat(np.arange(4), 10)
    topics = rng.integers(0, 3, 40).astype(np.int32)
    expected, state = topics.copy(), np.empty(1, dtype=np.uint64)
    start(state, 7, 0)
    for i in range(40):
        others = np.arange(40) != i
        weights = []
        for k in range(3):
            mine = others & (expected == k)
            in_doc, of_word = (mine & (docs == docs[i])).sum(), (mine & (words == words[i])).sum()
            weights.append((in_doc + 0.5) * (of_word + 0.1) / (mine.sum() + 5 * 0.1))
        share = np.cumsum(weights) / np.sum(weights)
        expected[i] = int(np.searchsorted(share, uniform(state), side="right"))
    by_doc, by_word = np.zeros((4, 3), dtype=np.float32), np.zeros((5, 3), dtype=np.float32)
    totals = np.zeros(3, dtype=np.float32)
    count_topics(words, docs, topics, by_doc, by_word, totals)
    sample_topics(words, docs, topics, by_doc, by_word, totals, np.float32(0.5), np.float32(0.1), 7)
    assert topics.tolist() == expected.tolist()
    # Every occurrence is counted under its new topic.
    assert totals.tolist() == np.bincount(topics, minlength=3).tolist()
    assert by_doc.sum(axis=1).tolist() == [10] * 4


def test_inferred_shares_by_hand():
    from psif.baselines.lda import Topics

    # One word that only topic 0 has: all of it is expected there, (1 + 1) / (1 + 2 * 1).
    topics = Topics(np.array([[1, 0], [0, 1]], dtype=np.float32), alpha=1.0)
    counts = csr_matrix(np.array([[1.0, 0], [2, 1], [0, 0]]))
    np.testing.assert_allclose(
        topics.shares(counts), [[2 / 3, 1 / 3], [3 / 5, 2 / 5], [0, 0]], atol=1e-6
    )


def test_shares_and_mean_vector_are_concatenated():
    method = make_method("tv-meanwv", vectors=word_vectors(), n_topics=3, random_state=0)
    rows = method.fit(TEXTS).transform(NEW)
    for row, text in zip(rows, NEW, strict=True):
        mean = np.mean([vector_of(w) for w in text.split()], axis=0)
        np.testing.assert_allclose(row[3:], mean / np.linalg.norm(mean), atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(rows[:, :3], axis=1), 1, atol=1e-5)


@pytest.fixture(scope="module")
def twe():
    return make_method("twe", vectors=word_vectors(), n_topics=3, random_state=0).fit(TEXTS)


def slow_topic(method, text, word):
    """argmax of theta times phi, by loops."""
    seen = [w for w, c in zip(method.vocabulary_.words, method.columns_, strict=True) if c >= 0]
    counts = np.array([[text.split().count(w) for w in seen]])
    theta = method.topics_.shares(csr_matrix(counts))[0]
    phi = method.topics_.word_topics[seen.index(word)]
    return int(np.argmax([theta[k] * phi[k] for k in range(len(phi))]))


def test_twe_against_loops(twe):
    totals, sizes = np.zeros((3, DIM)), np.zeros(3)
    for text in TEXTS:
        for word in text.split():
            k = slow_topic(twe, text, word)
            totals[k] += vector_of(word)
            sizes[k] += 1
    topics = totals / np.maximum(sizes, 1)[:, None]
    for row, text in zip(twe.transform(NEW), NEW, strict=True):
        expected, total = np.zeros(2 * DIM), 0.0
        for word in text.split():
            pair = np.concatenate([vector_of(word), topics[slow_topic(twe, text, word)]])
            expected += idf(word) * pair
            total += idf(word)
        np.testing.assert_allclose(row, expected / total, atol=1e-5)


def test_words_outside_the_corpus_are_skipped(twe):
    known = twe.transform(["cats purr"])
    np.testing.assert_allclose(twe.transform(["cats purr unseen elsewhere"]), known, atol=1e-6)
