"""BoWV, bag of concepts, SCDV and random hashes against plain loops."""

import numpy as np
import pytest

from psif.baselines import make_method
from tests.baselines.corpus import DIM, NEW, TEXTS, dense, idf, vector_of, word_vectors


def unit(row):
    return row / np.linalg.norm(row)


def codes_of(method):
    codes = method.codes_ if hasattr(method, "codes_") else method.words_.codes
    return dict(zip(method.vocabulary_.words, codes.astype(np.float64), strict=True))


def test_bowv_against_loops():
    method = make_method("bowv", vectors=word_vectors(), n_topics=3, random_state=0).fit(TEXTS)
    codes = codes_of(method)
    for row, text in zip(method.transform(NEW), NEW, strict=True):
        blocks = np.zeros((3, DIM + 1))
        for word in text.split():
            blocks[codes[word].argmax()] += [*vector_of(word), idf(word)]
        np.testing.assert_allclose(row, unit(blocks.ravel()), atol=1e-5)


def test_clusters_are_hard_and_all_used():
    method = make_method("bowv", vectors=word_vectors(), n_topics=3, random_state=0).fit(TEXTS)
    codes = np.array(list(codes_of(method).values()))
    assert set(codes.ravel()) == {0.0, 1.0}
    assert (codes.sum(axis=1) == 1).all()
    assert codes.any(axis=0).all()


@pytest.mark.parametrize("weighted", [True, False])
def test_bag_of_concepts_against_loops(weighted):
    options = {"n_topics": 4, "random_state": 0, "weighted": weighted}
    method = make_method("boc", vectors=word_vectors(), **options).fit(TEXTS)
    concept = {word: int(code.argmax()) for word, code in codes_of(method).items()}
    has = [{concept[word] for word in text.split()} for text in TEXTS]
    for row, text in zip(method.transform(NEW), NEW, strict=True):
        expected = np.zeros(4)
        for word in text.split():
            k = concept[word]
            weight = np.log(len(TEXTS) / sum(k in there for there in has)) if weighted else 1.0
            expected[k] += weight / len(text.split())
        np.testing.assert_allclose(row, expected, atol=1e-5)


def slow_scdv(texts, codes):
    rows = []
    for text in texts:
        words = [idf(w) * np.outer(codes[w], vector_of(w)).ravel() for w in text.split()]
        rows.append(unit(np.sum(words, axis=0)))
    return np.array(rows)


def test_scdv_against_loops():
    options = {"n_topics": 3, "random_state": 0, "sparsity": 30.0}
    method = make_method("scdv", vectors=word_vectors(), **options).fit(TEXTS)
    codes = codes_of(method)
    np.testing.assert_allclose([code.sum() for code in codes.values()], 1, atol=1e-5)
    fitted = slow_scdv(TEXTS, codes)
    threshold = 0.3 * (abs(fitted.min(axis=1).mean()) + abs(fitted.max(axis=1).mean())) / 2
    expected = slow_scdv(NEW, codes)
    expected[np.abs(expected) < threshold] = 0
    result = dense(method.transform(NEW))
    np.testing.assert_allclose(result, expected, atol=1e-5)
    assert 0 < (result == 0).mean() < 1


def test_scdv_without_sparsity_cuts_nothing():
    options = {"n_topics": 3, "random_state": 0, "sparsity": 0.0}
    method = make_method("scdv", vectors=word_vectors(), **options).fit(TEXTS)
    expected = slow_scdv(NEW, codes_of(method))
    np.testing.assert_allclose(dense(method.transform(NEW)), expected, atol=1e-5)


def test_randhash_against_loops():
    options = {"n_components": 700, "random_state": 0}
    method = make_method("randhash", vectors=word_vectors(), **options).fit(TEXTS)
    planes = method.planes_.astype(np.float64)
    for row, text in zip(method.transform(NEW), NEW, strict=True):
        hashes = [idf(w) * np.sign(planes @ vector_of(w)) for w in text.split()]
        np.testing.assert_allclose(row, np.mean(hashes, axis=0) / np.sqrt(700), atol=1e-5)


def test_randhash_inner_products_are_angles():
    options = {"n_components": 20_000, "random_state": 0, "weighting": "uniform"}
    method = make_method("randhash", vectors=word_vectors(), **options).fit(TEXTS)
    cats, dogs = method.transform(["cats", "dogs"])
    angle = np.arccos(unit(vector_of("cats")) @ unit(vector_of("dogs")))
    assert cats @ dogs == pytest.approx(1 - 2 * angle / np.pi, abs=0.03)


def test_more_topics_than_words_are_cut():
    for name in ("bowv", "boc", "scdv"):
        method = make_method(name, vectors=word_vectors(), n_topics=5000, random_state=0).fit(TEXTS)
        assert np.isfinite(dense(method.transform(NEW))).all()
