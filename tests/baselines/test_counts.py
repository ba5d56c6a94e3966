"""Bag of words, tf-idf and its decomposition against scikit-learn."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from psif import InputError, Tokenizer
from psif.baselines import make_method
from tests.baselines.corpus import NEW, TEXTS


def columns_of(method, reference):
    """The reference's columns in our order of words."""
    return [reference.vocabulary_[word] for word in method.vocabulary_.words]


@pytest.mark.parametrize("binary", [True, False])
def test_bow_is_count_vectorizer(binary):
    method = make_method("bow", binary=binary).fit(TEXTS)
    reference = CountVectorizer(analyzer=Tokenizer(), binary=binary).fit(TEXTS)
    expected = reference.transform(NEW).toarray()[:, columns_of(method, reference)]
    np.testing.assert_array_equal(method.transform(NEW).toarray(), expected)


@pytest.mark.parametrize("sublinear", [True, False])
def test_tfidf_is_tfidf_vectorizer(sublinear):
    method = make_method("tfidf", sublinear=sublinear).fit(TEXTS)
    reference = TfidfVectorizer(analyzer=Tokenizer(), sublinear_tf=sublinear).fit(TEXTS)
    expected = reference.transform(NEW).toarray()[:, columns_of(method, reference)]
    np.testing.assert_allclose(method.transform(NEW).toarray(), expected, atol=1e-6)


def test_svd_keeps_inner_products_when_the_rank_is_full():
    rows = make_method("tfidf", sublinear=True).fit_transform(TEXTS)
    reduced = make_method("tfidf-svd", n_components=len(TEXTS), random_state=0).fit_transform(TEXTS)
    np.testing.assert_allclose(reduced @ reduced.T, (rows @ rows.T).toarray(), atol=1e-5)


def test_svd_directions_are_the_leading_ones():
    rows = make_method("tfidf", sublinear=True).fit_transform(TEXTS).toarray()
    method = make_method("tfidf-svd", n_components=2, random_state=0).fit(TEXTS)
    expected = np.abs(rows @ np.linalg.svd(rows)[2][:2].T)
    np.testing.assert_allclose(np.abs(method.transform(TEXTS)), expected, atol=1e-4)


def test_min_count_leaves_rare_words_out():
    method = make_method("bow", min_count=3).fit(TEXTS)
    assert min(method.vocabulary_.counts) >= 3
    assert "purr" not in method.vocabulary_.words
    with pytest.raises(InputError, match="min_count=99"):
        make_method("bow", min_count=99).fit(TEXTS)
