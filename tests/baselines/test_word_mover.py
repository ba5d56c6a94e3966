"""Word mover's distances against a linear program."""

import sys
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from psif import InputError, MissingExtraError, WordVectors
from psif.baselines import make_method
from psif.baselines.neighbours import NearestDocuments
from psif.errors import EmptyDocumentsWarning
from psif.model.estimator import NotFittedError
from tests.baselines.corpus import LABELS, NEW, TEXTS, WORDS, vector_of, word_vectors

documents = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)


def bag(text):
    counts = Counter(text.split())
    total = sum(counts.values())
    return list(counts), np.array([n / total for n in counts.values()])


def cost_table(words_a, words_b):
    return np.array(
        [[np.linalg.norm(vector_of(u) - vector_of(w)) for w in words_b] for u in words_a]
    )


def slow_wmd(text_a, text_b):
    (words_a, a), (words_b, b) = bag(text_a), bag(text_b)
    n, m = len(a), len(b)
    leaving = np.kron(np.eye(n), np.ones(m))
    arriving = np.kron(np.ones(n), np.eye(m))
    solved = linprog(
        cost_table(words_a, words_b).ravel(),
        A_eq=np.vstack([leaving, arriving]),
        b_eq=np.concatenate([a, b]),
    )
    return solved.fun


def slow_rwmd(text_a, text_b):
    (words_a, a), (words_b, b) = bag(text_a), bag(text_b)
    costs = cost_table(words_a, words_b)
    return max(a @ costs.min(axis=1), b @ costs.min(axis=0))


@cache
def fitted(name, **options):
    return make_method(name, vectors=word_vectors(), random_state=0, **options).fit(TEXTS)


def test_by_hand():
    # Words on a line at 1, 2 and 5; "a a b" to "c": two thirds go 4 far, one third 3.
    vectors = WordVectors(["a", "b", "c"], [[1.0], [2.0], [5.0]])
    for name in ("wmd", "rwmd"):
        method = make_method(name, vectors=vectors).fit(["a b c"])
        assert method.distances(["a a b"], ["c"])[0, 0] == pytest.approx(11 / 3, abs=1e-5)
    # "a b" to "a c": the exact way costs (0 + 3) / 2; each relaxed side lets words share a goal.
    method = make_method("wmd", vectors=vectors).fit(["a b c"])
    assert method.distances(["a b"], ["a c"])[0, 0] == pytest.approx(1.5, abs=1e-5)


@settings(deadline=None, max_examples=30)
@given(st.lists(documents, min_size=1, max_size=3), st.lists(documents, min_size=1, max_size=3))
def test_against_a_linear_program(texts_a, texts_b):
    exact = fitted("wmd").distances(texts_a, texts_b)
    relaxed = fitted("rwmd").distances(texts_a, texts_b)
    for i, a in enumerate(texts_a):
        for j, b in enumerate(texts_b):
            # Costs are float32 and come from ‖a‖² + ‖b‖² - 2⟨a, b⟩.
            assert exact[i, j] == pytest.approx(slow_wmd(a, b), abs=3e-3)
            assert relaxed[i, j] == pytest.approx(slow_rwmd(a, b), abs=3e-3)
    assert (relaxed <= exact + 1e-5).all()


@pytest.mark.parametrize("name", ["wmd", "rwmd"])
def test_paired_distances_are_the_diagonal(name):
    method = fitted(name)
    table = method.distances(NEW, TEXTS[:3])
    np.testing.assert_allclose(method.distances(NEW, TEXTS[:3], paired=True), np.diag(table))
    with pytest.raises(InputError, match="got 3 and 2"):
        method.distances(NEW, TEXTS[:2], paired=True)


@pytest.mark.parametrize("name", ["wmd", "rwmd"])
def test_neighbours_with_pruning_are_those_of_the_whole_table(name):
    method = fitted(name)
    distances, positions = method.kneighbors(NEW, 4)
    table = method.distances(NEW, TEXTS)
    np.testing.assert_allclose(distances, np.sort(table, axis=1)[:, :4], atol=1e-6)
    np.testing.assert_allclose(np.take_along_axis(table, positions, axis=1), distances, atol=1e-6)


def test_pruning_measures_fewer_documents(monkeypatch):
    from psif.baselines import word_mover

    calls = []
    real = word_mover.exact
    monkeypatch.setattr(word_mover, "exact", lambda *a: calls.append(1) or real(*a))
    fitted("wmd").kneighbors(["cats purr and cats sleep"], 1)
    assert 1 <= len(calls) < len(TEXTS)


@pytest.mark.parametrize("name", ["wmd", "rwmd"])
def test_empty_documents_are_far_from_others(name):
    method = fitted(name)
    table = method.distances(["", "cats"], ["", "dogs"])
    farthest = 2 * max(np.linalg.norm(vector_of(word)) for word in WORDS)
    assert table[0, 0] == 0
    assert table[0, 1] == table[1, 0] == pytest.approx(farthest)
    assert method.kneighbors([""], 2)[1].shape == (1, 2)


def test_only_the_most_frequent_words_take_part():
    method = fitted("rwmd", max_words=2)
    long = "cats cats dogs dogs dogs purr sleep"
    short = "cats cats dogs dogs dogs"
    expected = fitted("rwmd").distances([short], ["markets crash"])
    np.testing.assert_allclose(method.distances([long], ["markets crash"]), expected, atol=1e-6)


def test_the_classifier_breaks_ties_by_nearness():
    classifier = NearestDocuments(fitted("rwmd"), n_neighbors=2)
    with pytest.raises(NotFittedError):
        classifier.predict(TEXTS)
    classifier.fit(TEXTS, LABELS)
    assert classifier.predict(TEXTS).tolist() == LABELS
    with pytest.raises(InputError, match="10 documents but 1 classes"):
        classifier.fit(TEXTS, ["pet"])


def test_without_pot_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ot", None)
    with pytest.raises(MissingExtraError, match=r"psif\[transport\]"):
        fitted("wmd").distances(["cats"], ["dogs"])


@pytest.mark.parametrize("transport", ["exact", "relaxed"])
def test_word_movers_embedding_against_loops(transport):
    options = {"n_components": 12, "gamma": 0.7, "transport": transport, "random_state": 0}
    method = make_method("wme", vectors=word_vectors(), word_norm="none", **options).fit(TEXTS)
    rows = method.transform(NEW)
    lengths = {len(query.shares) for query in method.random_documents_}
    assert min(lengths) >= 1
    assert max(lengths) <= 6
    assert len(lengths) > 2
    for row, text in zip(rows, NEW, strict=True):
        words, shares = bag(text)
        for value, query in zip(row, method.random_documents_, strict=True):
            costs = np.array([np.linalg.norm(vector_of(w) - query.vectors, axis=1) for w in words])
            bound = max(shares @ costs.min(axis=1), query.shares @ costs.min(axis=0))
            distance = -np.log(value * np.sqrt(12)) / 0.7
            if transport == "relaxed" or len(query.shares) == 1:
                assert distance == pytest.approx(bound, abs=1e-3)
            else:
                assert bound - 1e-3 <= distance <= costs.max()


def test_centred_features_lack_the_mean_of_the_fitted_documents():
    options = {"vectors": word_vectors(), "n_components": 12, "random_state": 0}
    plain, centred = (make_method("wme", center=c, **options).fit(TEXTS) for c in (False, True))
    mean = plain.transform(TEXTS).mean(axis=0)
    np.testing.assert_allclose(centred.transform(NEW), plain.transform(NEW) - mean, atol=1e-6)
    with pytest.warns(EmptyDocumentsWarning):
        assert not centred.transform(["unheard"]).any()


def test_random_words_lie_in_the_box_of_the_words():
    vectors = word_vectors()
    method = make_method("wme", vectors=vectors, word_norm="none", random_state=0).fit(TEXTS)
    drawn = np.vstack([query.vectors for query in method.random_documents_])
    assert (drawn >= vectors.matrix.min(axis=0)).all()
    assert (drawn <= vectors.matrix.max(axis=0)).all()
    with pytest.raises(InputError, match="'relaxed' or 'exact'"):
        make_method("wme", vectors=vectors, transport="sinkhorn").fit(TEXTS)
