"""The number of threads, of ours and of BLAS, changes no bit of a classifier."""

import numpy as np
from threadpoolctl import threadpool_limits

from psif import PSIFClassifier


def make_texts(n_docs):
    """Texts of five classes with enough words for products that BLAS divides among threads."""
    rng = np.random.default_rng(0)
    words = np.array([f"word{i}" for i in range(300)])
    labels = ["abcde"[i % 5] for i in range(n_docs)]
    rows = [rng.integers(0, 60, 30) + 60 * (i % 5) for i in range(n_docs)]
    return [" ".join(words[row]) for row in rows], labels


def test_the_number_of_threads_changes_no_bit():
    texts, labels = make_texts(400)
    fitted = []
    for n_threads in (1, 2, 4):
        with threadpool_limits(n_threads, user_api="blas"):
            clf = PSIFClassifier(random_state=0, n_jobs=min(n_threads, 2)).fit(texts, labels)
        fitted.append(clf)
    for clf in fitted[1:]:
        np.testing.assert_array_equal(clf.weights_, fitted[0].weights_)
        np.testing.assert_array_equal(clf.intercepts_, fitted[0].intercepts_)
        assert clf.temperature_ == fitted[0].temperature_
