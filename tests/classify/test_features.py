"""Features as factors against the same features written down as one dense matrix."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif.classify import features as module
from psif.classify.feature_map import FeatureMap, PartShares
from psif.classify.features import DocumentFeatures
from psif.classify.language import LanguageTable
from psif.classify.linear.selection import fit_linear
from psif.classify.pairs import PairColumns
from psif.errors import EmptyDocumentsWarning
from psif.runtime.norms import unit_rows
from tests.classify.conftest import make_texts, small_model
from tests.classify.naive import dense_features


@pytest.fixture(
    scope="module", params=[{}, {"word_columns": 0.0}, {"n_removed": 0}, "pairs", "language"]
)
def both(request):
    texts, _ = make_texts(50)
    if isinstance(request.param, dict):
        model = small_model(**request.param)
        docs = model.learn(texts)
        dense = unit_rows(model.average(docs).astype(np.float64))
        return DocumentFeatures.of(FeatureMap.of(model), docs), dense
    model = small_model().fit(texts)
    docs = model.vocabulary_.encode(texts, model.tokenizer_)
    pairs, shares = PairColumns.choose(docs), PartShares(0.5, 0.2, 0.3)
    if request.param == "pairs":
        found = FeatureMap.of(model, pairs, shares)
        return DocumentFeatures.of(found, docs), dense_features(model, pairs, shares, docs)
    # Words that only the table has, and a text of nothing else.
    texts = [f"{text} hamster" for text in texts[:-1]] + ["hamster hamster window"]
    language = LanguageTable.of("english", model.vocabulary_)
    docs = language.vocabulary.encode(texts, model.tokenizer_)
    found = FeatureMap.of(model, pairs, shares).with_language(language, 0.3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EmptyDocumentsWarning)
        dense = dense_features(model, pairs, found.shares, docs, language)
    return DocumentFeatures.of(found, docs), dense


def test_products_are_those_of_unit_vectors(both):
    features, dense = both
    assert features.shape == dense.shape
    weights = np.random.default_rng(0).normal(size=(dense.shape[1], 3)).astype(np.float32)
    rows = np.random.default_rng(1).normal(size=(len(dense), 3)).astype(np.float32)
    np.testing.assert_allclose(features.gram().to_array(), dense @ dense.T, atol=1e-5)
    np.testing.assert_allclose(features.decide(weights), dense @ weights, atol=1e-4)
    np.testing.assert_allclose(features.pull(rows), dense.T @ rows, atol=1e-4)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 49), min_size=1, max_size=20))
def test_rows_can_be_chosen(both, rows):
    features, dense = both
    some = dense[rows]
    np.testing.assert_allclose(features[np.array(rows)].gram().to_array(), some @ some.T, atol=1e-5)


@pytest.mark.parametrize("most", [10, 1000])
def test_classifiers_are_those_of_dense_features_in_both_forms(both, most, monkeypatch):
    monkeypatch.setattr(module, "MOST_DOCS", most)
    features, dense = both
    targets = np.arange(len(dense))[:, None] % 3 == np.arange(3)
    found = fit_linear(features, targets, losses=["squared_hinge"], grid=[1.0], tol=1e-6)
    slow = fit_linear(dense, targets, losses=["squared_hinge"], grid=[1.0], tol=1e-9)
    np.testing.assert_allclose(
        features.decide(found.weights) + found.intercepts, slow.decide(dense), atol=5e-3
    )


def test_blocks_of_a_gram_matrix(both, monkeypatch):
    features, dense = both
    monkeypatch.setattr(module, "_ROWS_TOGETHER", 16)
    monkeypatch.setattr(module, "_DOCS_A_PIECE", 5)
    np.testing.assert_allclose(features.gram().to_array(), dense @ dense.T, atol=1e-5)


def test_scales_of_chosen_rows_and_of_blocks(monkeypatch):
    from psif.text import flat

    texts, _ = make_texts(40)
    model = small_model()
    model.fit(texts)
    docs = model.vocabulary_.encode(texts, model.tokenizer_)
    found = FeatureMap.of(model, PairColumns.choose(docs), PartShares(0.3, 0.4, 0.3))
    whole = DocumentFeatures.of(found, docs)
    monkeypatch.setattr(flat, "_BLOCK", 50)
    cut = DocumentFeatures.of(found, docs)
    for name in ("shares", "pairs"):
        assert (getattr(whole, name) != getattr(cut, name)).nnz == 0
    before = cut[np.arange(7, 20)].scales()  # computed for the part
    cut.scales()
    for left, right in zip(before, cut[np.arange(7, 20)].scales(), strict=True):
        np.testing.assert_array_equal(left, right)


def test_a_document_without_known_words_is_zero():
    texts, _ = make_texts(30)
    model = small_model().fit(texts)
    features = DocumentFeatures.of(
        FeatureMap.of(model), model.word_ids(["unheard of things", "cat", ""])
    )
    gram = features.gram().to_array()
    assert gram[1, 1] == pytest.approx(1, abs=1e-5)
    assert gram[2].tolist() == [0, 0, 0]
