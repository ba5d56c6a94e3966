from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif.runtime.norms import unit_rows
from psif.text.flat import FlatDocs
from psif.vectors.sentence_training import (
    TrainingOptions,
    _gradient,
    fill_rare_words,
    map_words,
    raise_norms,
    train_words,
)


def world(n_words=40, dim=6, n_sentences=400, seed=0):
    """Sentences whose teacher is the sum of hidden word vectors of very different lengths."""
    rng = np.random.default_rng(seed)
    hidden = rng.standard_normal((n_words, dim)).astype(np.float32)
    hidden[: n_words // 2] *= 0.1
    docs = FlatDocs.from_lists(
        [rng.integers(0, n_words, rng.integers(3, 9)).tolist() for _ in range(n_sentences)]
    )
    targets = unit_rows(np.array([hidden[ids].sum(axis=0) for ids in docs]))
    return hidden, docs, targets


def agreement(table, docs, targets):
    sums = unit_rows(np.array([table[ids].sum(axis=0) for ids in docs]))
    return float((sums * targets).sum(axis=1).mean())


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000))
def test_the_gradient_agrees_with_small_steps(seed):
    rng = np.random.default_rng(seed)
    table = rng.standard_normal((5, 3))
    docs = FlatDocs.from_lists([[0, 1, 1], [2, 3], [4]])
    targets = unit_rows(rng.standard_normal((3, 3)))

    def loss(values):
        sums = [values[ids].sum(axis=0) for ids in docs]
        return -sum(s @ t / np.linalg.norm(s) for s, t in zip(sums, targets, strict=True))

    gradient = _gradient(table, docs.ids, docs, targets)
    for place in np.ndindex(5, 3):
        step = np.zeros((5, 3))
        step[place] = 1e-6
        slow = (loss(table + step) - loss(table - step)) / 2e-6
        assert gradient[place] == pytest.approx(slow, abs=1e-3, rel=1e-3)


def test_training_finds_the_lengths_that_say_how_much_a_word_matters():
    hidden, docs, targets = world()
    start = unit_rows(hidden)
    options = TrainingOptions(epochs=60, batch=64, rate=0.05)
    trained = train_words(start, docs, targets, options)
    assert agreement(start, docs, targets) < 0.9
    assert agreement(trained, docs, targets) > 0.97
    lengths = np.linalg.norm(trained, axis=1)
    assert lengths[20:].min() > lengths[:20].max()


def test_training_is_the_same_each_time_and_leaves_its_input_alone():
    hidden, docs, targets = world()
    before = hidden.copy()
    first, second = (train_words(hidden, docs, targets) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(hidden, before)
    assert not np.array_equal(first, train_words(hidden, docs, targets, random_state=1))


def test_sentences_without_a_known_word_teach_nothing():
    table = np.eye(3, dtype=np.float32)
    docs = FlatDocs.from_lists([[], []])
    np.testing.assert_array_equal(train_words(table, docs, np.ones((2, 3))), table)


def test_a_linear_map_is_found_again():
    rng = np.random.default_rng(0)
    words = rng.standard_normal((30, 4)).astype(np.float32)
    turn = np.linalg.qr(rng.standard_normal((4, 4)))[0].astype(np.float32)
    docs = FlatDocs.from_lists([rng.integers(0, 30, 5).tolist() for _ in range(200)])
    targets = unit_rows(np.array([words[ids].sum(axis=0) for ids in docs])) @ turn
    np.testing.assert_allclose(map_words(words, docs, targets, 1e-9), words @ turn, atol=1e-3)


def test_a_word_that_no_sentence_has_moves_as_the_others_did():
    rng = np.random.default_rng(0)
    start = rng.standard_normal((200, 4)).astype(np.float32)
    turn = np.linalg.qr(rng.standard_normal((4, 4)))[0].astype(np.float32)
    trained = start @ turn
    counts = np.full(200, 1000.0)
    counts[-1], trained[-1] = 0, start[-1]
    filled = fill_rare_words(start, trained, counts, 10.0)
    np.testing.assert_allclose(filled[-1], start[-1] @ turn, atol=0.05)
    np.testing.assert_allclose(filled[:-1], trained[:-1], atol=0.05)


def test_without_evidence_the_start_stays():
    start = np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32)
    filled = fill_rare_words(start, start + 1, np.zeros(5), 10.0)
    np.testing.assert_allclose(filled, start, atol=1e-5)


def test_lengths_are_raised_to_a_power():
    raised = raise_norms(np.array([[4.0, 0.0], [0.0, 0.0], [0.0, 0.25]], dtype=np.float32), 0.5)
    np.testing.assert_allclose(raised, [[2, 0], [0, 0], [0, 0.5]])
