"""What every method promises, whatever it computes."""

import numpy as np
import pytest
from sklearn.base import clone

from psif import InputError, PsifWarning
from psif.baselines import METHODS, make_method
from psif.baselines.neighbours import DistanceMethod, NearestDocuments
from psif.model.estimator import NotFittedError
from tests.baselines.corpus import DIM, LABELS, NEW, TEXTS, dense, word_vectors

TINY = {
    "tfidf-svd": {"n_components": 3},
    "psif": {"n_topics": 2},
    "psif-plain": {"n_topics": 2},
    "psif-hybrid": {"n_topics": 2},
    "psif-gmm": {"n_topics": 2},
    "psif-doc2vecc": {"n_topics": 2, "dim": 4, "n_jobs": 1},
    "doc2vecc": {"dim": 4, "n_jobs": 1},
    "bowv": {"n_topics": 3},
    "boc": {"n_topics": 8},
    "scdv": {"n_topics": 3},
    "lda": {"n_topics": 3},
    "tv-meanwv": {"n_topics": 3},
    "twe": {"n_topics": 3},
    "randhash": {"n_components": 40},
    "boe": {"n_components": 5, "min_count": 1, "sample": 0},
    "pv-dm": {"n_components": 8, "min_count": 1},
    "pv-dbow": {"n_components": 8, "min_count": 1},
    "wme": {"n_components": 16},
}
N_WORDS = len({word for text in TEXTS for word in text.split()})
WIDTHS = {
    "average": DIM,
    "tfidf-average": DIM,
    "sif": DIM,
    "sif-w": DIM,
    "sif-r": DIM,
    "usif": DIM,
    "p-means": 5 * DIM,
    "bow": N_WORDS,
    "tfidf": N_WORDS,
    "tfidf-svd": 3,
    "psif": 2 * DIM,
    "psif-plain": 2 * DIM,
    "psif-hybrid": 2 * DIM + N_WORDS,
    "psif-gmm": 2 * DIM,
    "psif-doc2vecc": 8,
    "doc2vecc": 4,
    "bowv": 3 * (DIM + 1),
    "boc": 8,
    "scdv": 3 * DIM,
    "lda": 3,
    "tv-meanwv": 3 + DIM,
    "twe": 2 * DIM,
    "randhash": 40,
    "boe": 2,
    "pv-dm": 8,
    "pv-dbow": 8,
    "wme": 16,
}
# These read a model from disk; see test_models.py.
FOLDERS = {"model2vec", "sentence-transformer"}
VECTORS = [name for name, m in METHODS.items() if m.kind == "vectors" and name not in FOLDERS]
DISTANCES = [name for name, m in METHODS.items() if m.kind == "distances"]


def build(name, **options):
    settings = {"random_state": 3, **TINY.get(name, {}), **options}
    return make_method(name, vectors=word_vectors(), **settings)


def test_every_method_is_tested():
    assert set(VECTORS) == set(WIDTHS)
    assert {"wmd", "rwmd"} == set(DISTANCES)
    # tests/classify
    assert {name for name, m in METHODS.items() if m.kind == "classifier"} == {"psif-classifier"}
    # tests/search and tests/evaluation
    assert {name for name, m in METHODS.items() if m.kind == "ranking"} == {
        "bm25", "bm25-stemmed", "hybrid",
    }  # fmt: skip


@pytest.mark.parametrize("name", VECTORS)
def test_shapes_and_finite_numbers(name):
    method = build(name)
    fitted = dense(method.fit_transform(TEXTS, LABELS))
    assert fitted.shape == (len(TEXTS), WIDTHS[name])
    assert dense(method.transform(NEW)).shape == (len(NEW), WIDTHS[name])
    assert fitted.dtype == np.float32
    assert np.isfinite(fitted).all()
    # Documents differ, so must their vectors.
    assert len(np.unique(fitted.round(6), axis=0)) > 2
    assert len(method.get_feature_names_out()) == WIDTHS[name]


@pytest.mark.parametrize("name", VECTORS)
def test_same_random_state_same_vectors(name):
    first = dense(build(name).fit(TEXTS, LABELS).transform(NEW))
    second = dense(build(name).fit(TEXTS, LABELS).transform(NEW))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("name", VECTORS)
def test_a_vector_does_not_depend_on_its_batch(name):
    method = build(name).fit(TEXTS, LABELS)
    together = dense(method.transform(NEW + TEXTS))
    alone = np.vstack([dense(method.transform([text])) for text in NEW])
    np.testing.assert_allclose(together[: len(NEW)], alone, atol=1e-6)


@pytest.mark.parametrize("name", [name for name in VECTORS if not name.startswith("pv-")])
def test_fit_transform_is_fit_then_transform(name):
    method = build(name)
    fitted = dense(method.fit_transform(TEXTS, LABELS))
    np.testing.assert_allclose(fitted, dense(method.transform(TEXTS)), atol=1e-6)


@pytest.mark.parametrize("name", VECTORS)
def test_a_document_without_known_words_is_zero(name):
    method = build(name).fit(TEXTS, LABELS)
    with pytest.warns(PsifWarning, match="2 of 3 documents"):
        vectors = dense(method.transform(["", "cats", "zzz qqq"]))
    assert not vectors[[0, 2]].any()
    assert vectors[1].any()


@pytest.mark.parametrize("name", VECTORS)
def test_no_documents_give_an_empty_matrix(name):
    method = build(name).fit(TEXTS, LABELS)
    assert dense(method.transform([])).shape == (0, WIDTHS[name])


@pytest.mark.parametrize("name", VECTORS + DISTANCES)
def test_clones_and_parameters(name):
    method = build(name)
    params = method.get_params()
    copy = clone(method)
    assert type(copy) is type(method)
    assert set(copy.get_params()) == set(params)
    assert params["random_state"] == 3
    if METHODS[name].needs_word_vectors:
        assert copy.vectors.words == method.vectors.words


@pytest.mark.parametrize("name", VECTORS)
def test_an_unfitted_method_says_so(name):
    with pytest.raises(NotFittedError, match="not fitted"):
        build(name).transform(NEW)


@pytest.mark.parametrize("name", VECTORS)
def test_a_single_text_is_refused(name):
    with pytest.raises(InputError, match=r"Write \[text\]"):
        build(name).fit("one text")


@pytest.mark.parametrize("name", DISTANCES)
def test_distance_methods(name):
    method = build(name).fit(TEXTS)
    assert isinstance(method, DistanceMethod)
    table = method.distances(TEXTS, TEXTS)
    assert table.shape == (len(TEXTS), len(TEXTS))
    np.testing.assert_allclose(table, table.T, atol=1e-5)
    np.testing.assert_allclose(np.diag(table), 0, atol=2e-3)
    with pytest.raises(InputError, match="distances, not vectors"):
        method.transform(TEXTS)
    classifier = NearestDocuments(method, n_neighbors=3).fit(TEXTS, LABELS)
    assert list(classifier.predict(["cats sleep and play", "markets crash"])) == ["pet", "money"]
