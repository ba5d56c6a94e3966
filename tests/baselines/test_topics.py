"""Topic shares, alone and beside word vectors."""

import numpy as np
import pytest

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
    theta = method.model_.transform(counts)[0]
    phi = method.model_.components_
    column = seen.index(word)
    scores = [theta[k] * phi[k, column] / phi[k].sum() for k in range(len(phi))]
    return int(np.argmax(scores))


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
