"""Scores from folded tables, and from products, against dense features written down."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif import PSIFClassifier
from psif.classify.features import DocumentFeatures
from tests.classify.conftest import (
    ANIMALS,
    BAD,
    COMMON,
    GOOD,
    MONEY,
    SHIPS,
    make_texts,
    small_model,
)
from tests.classify.naive import dense_features

DOCS = st.lists(
    st.lists(st.sampled_from([*ANIMALS, *MONEY[:3], *SHIPS[:3], *COMMON, "unheard"]), max_size=30),
    min_size=1,
    max_size=6,
)


@pytest.fixture(scope="module", params=[{}, {"word_columns": 0.0}, {"n_removed": 2}])
def clf(request):
    texts, y = make_texts(60)
    return PSIFClassifier(small_model(**request.param), pairs=True, random_state=0).fit(texts, y)


@pytest.mark.filterwarnings("ignore::psif.errors.EmptyDocumentsWarning")
@settings(max_examples=25, deadline=None)
@given(DOCS)
def test_three_ways_to_the_same_score(clf, lists):
    docs = clf._word_ids([" ".join(words) for words in lists])
    dense = dense_features(clf.model_, clf.pairs_, clf.shares_, docs)
    slow = dense @ clf.weights_.astype(np.float64) + clf.intercepts_
    np.testing.assert_allclose(clf._decisions(docs, 1), slow, atol=2e-5)
    np.testing.assert_allclose(clf._decisions._by_products(docs, 1), slow, atol=2e-5)


@pytest.mark.filterwarnings("ignore::psif.errors.EmptyDocumentsWarning")
@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.sampled_from([*GOOD, *BAD, "film", "unheard"]), max_size=20)))
def test_three_ways_to_the_same_score_with_a_table(fitted_english, lists):
    clf = fitted_english
    docs = clf._word_ids([" ".join(words) for words in lists])
    if not lists:
        assert clf._decisions(docs, 1).shape == (0, 1)
        return
    dense = dense_features(clf.model_, clf.pairs_, clf.shares_, docs, clf._language)
    slow = dense @ clf.weights_.astype(np.float64) + clf.intercepts_
    np.testing.assert_allclose(clf._decisions(docs, 1), slow, atol=2e-5)
    features = DocumentFeatures.of(clf._features(), docs)
    np.testing.assert_allclose(features.decide(clf.weights_) + clf.intercepts_, slow, atol=2e-5)


def test_many_words_times_classes_are_not_folded(clf, monkeypatch):
    texts = make_texts(7, seed=3)[0]
    folded = clf.decision_function(texts)
    monkeypatch.setattr("psif.classify.folded._MOST_FOLDED", 1)
    monkeypatch.setattr("psif.classify.folded._DOCS_A_BATCH", 2)
    monkeypatch.setattr(clf._decisions, "_tables", None)
    np.testing.assert_allclose(clf.decision_function(texts), folded, atol=1e-5)
    assert clf._decisions._tables is None


def test_threads_and_pieces_do_not_change_a_bit(clf, monkeypatch):
    docs = clf._word_ids(make_texts(20, seed=3)[0])
    whole = clf._decisions(docs, 1)
    monkeypatch.setattr("psif.classify.folded._DOCS_A_PIECE", 3)
    np.testing.assert_array_equal(clf._decisions(docs, 2), whole)
