"""Skip-gram and Doc2VecC: against slow twins, and by what they learn."""

from __future__ import annotations

import numpy as np
import pytest

from psif.errors import InputError
from psif.text.flat import FlatDocs
from psif.text.vocabulary import Vocabulary
from psif.vectors import epochs
from psif.vectors.doc2vecc import doc2vecc
from psif.vectors.sgns import keep_probabilities, noise_distribution, sgns


def vocabulary_of(counts: list[int]) -> Vocabulary:
    values = np.array(counts, dtype=np.int64)
    return Vocabulary([f"w{i}" for i in range(len(values))], values, values, 1)


def sigmoid(x: float) -> float:
    return 1 / (1 + np.exp(-x))


def slow_skipgram(doc, inputs, outputs, window, block, negatives, rate):
    """One document, pair by pair; ``negatives`` are given for each block."""
    inputs, outputs = inputs.astype(np.float64), outputs.astype(np.float64)
    for number, start in enumerate(range(0, len(doc), block)):
        x, y = inputs.copy(), outputs.copy()  # All pairs of a block see the same tables.
        stop = min(start + block, len(doc))
        for c, context in enumerate(doc):
            for t in range(start, stop):
                if not 0 < abs(c - t) <= window:
                    continue
                weight = (window + 1 - abs(c - t)) / window
                for target, label in [(doc[t], 1.0), *((n, 0.0) for n in negatives[number])]:
                    step = rate * weight * (label - sigmoid(x[context] @ y[target]))
                    inputs[context] += step * y[target]
                    outputs[target] += step * x[context]
    return inputs, outputs


def test_blocks_of_matrix_products_agree_with_single_pairs(monkeypatch):
    from psif.compiled import skipgram

    rng = np.random.default_rng(0)
    doc = rng.integers(0, 6, 21).astype(np.int32)
    inputs = rng.standard_normal((7, 4)).astype(np.float32) / 4
    outputs = rng.standard_normal((7, 4)).astype(np.float32) / 4
    # All the weight on word 6: every noise word is known, though drawn.
    noise = np.array([0, 0, 0, 0, 0, 0, 1.0])
    x, y = inputs.copy(), outputs.copy()
    skipgram.train_skipgram(
        doc, np.array([0, 21]), np.ones(7), noise, x, y, 3, 5, 2, np.float32(0.05), 1
    )
    expected = slow_skipgram(doc, inputs, outputs, 3, 5, [[6, 6]] * 5, 0.05)
    np.testing.assert_allclose(x, expected[0], atol=1e-5)
    np.testing.assert_allclose(y, expected[1], atol=1e-5)


def test_a_long_step_is_cut():
    from psif.compiled.skipgram import step_row

    row = np.zeros(2, dtype=np.float32)
    step_row(row, np.array([30, 40], dtype=np.float32))
    np.testing.assert_allclose(row, [0.6, 0.8])
    step_row(row, np.array([0.1, 0.0], dtype=np.float32))
    np.testing.assert_allclose(row, [0.7, 0.8])


@pytest.mark.parametrize("left_only", [False, True])
def test_one_doc2vecc_update_by_hand(left_only):
    from psif.compiled.doc2vecc import train_doc2vecc

    # Two words, window 1, the whole document as its sample: word 1 is predicted from word 0 in
    # the window (always, with a window of 1) and from word 0 as "the other words" / 2.
    rng = np.random.default_rng(1)
    inputs = rng.standard_normal((3, 4)).astype(np.float32)
    outputs = rng.standard_normal((3, 4)).astype(np.float32)
    noise = np.array([0, 0, 1.0])  # Noise is always word 2.
    u, v = inputs.astype(np.float64), outputs.astype(np.float64)
    for position, other in ((0, 1), (1, 0)):
        in_window = 1 if not left_only or position == 1 else 0
        mean = 1 / (in_window + 1)
        scale = mean * in_window + mean * 0.5
        hidden = scale * u[other]
        error = np.zeros(4)
        for target, label in ((position, 1.0), (2, 0.0)):
            step = 0.1 * (label - sigmoid(hidden @ v[target]))
            error += step * v[target]
            v[target] += step * hidden
        u[other] += scale * error
    train_doc2vecc(
        np.array([0, 1], dtype=np.int32), np.array([0, 2]), np.ones(3), noise, inputs, outputs,
        1, left_only, 1, 1.0, 2, np.float32(0.1), 0,
    )  # fmt: skip
    np.testing.assert_allclose(inputs, u, atol=1e-5)
    np.testing.assert_allclose(outputs, v, atol=1e-5)


def test_windows_have_the_widths_they_say():
    from psif.compiled.doc2vecc import choose_contexts

    places = np.empty(21, dtype=np.int64)
    both, left = set(), set()
    for _ in range(400):
        both.update((places[: choose_contexts(10, 30, 4, False, places)] - 10).tolist())
        left.update((places[: choose_contexts(10, 30, 4, True, places)] - 10).tolist())
    assert both == {-4, -3, -2, -1, 1, 2, 3, 4}
    assert left == {-4, -3, -2, -1}


def test_a_document_sample_has_its_rate_and_leaves_the_word_itself_out():
    from psif.compiled.doc2vecc import choose_sample

    places = np.empty(50, dtype=np.int64)
    hits = np.zeros(50)
    for _ in range(4000):
        chosen = places[: choose_sample(7, 50, 0.1, places)]
        assert (np.diff(chosen) > 0).all()
        hits[chosen] += 1
    assert hits[7] == 0
    others = np.delete(hits, 7) / 4000
    assert abs(others.mean() - 0.1) < 0.005
    assert others.min() > 0.07
    assert others.max() < 0.13


def test_frequent_words_are_thinned_out():
    keep = keep_probabilities(vocabulary_of([900, 99, 1]), 1e-3)
    share = 0.9
    assert keep[0] == pytest.approx(np.sqrt(1e-3 / share) + 1e-3 / share)
    assert keep[2] == 1
    np.testing.assert_array_equal(keep_probabilities(vocabulary_of([9, 1]), 0), [1, 1])
    with pytest.raises(InputError, match="sample must be 0"):
        keep_probabilities(vocabulary_of([9, 1]), -1)


def test_noise_follows_the_smoothed_counts():
    np.testing.assert_allclose(noise_distribution(vocabulary_of([16, 1]), 0.75), [8, 9])


def topical_corpus() -> tuple[FlatDocs, Vocabulary]:
    rng = np.random.default_rng(0)
    docs = [(rng.integers(0, 20, 30) + 20 * (i % 2)).tolist() for i in range(200)]
    return FlatDocs.from_lists(docs), vocabulary_of(np.bincount(np.concatenate(docs)).tolist())


@pytest.mark.parametrize("trainer", [sgns, doc2vecc])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_words_of_one_topic_come_near_each_other(trainer, n_jobs, monkeypatch):
    monkeypatch.setattr(epochs, "_PIECE_WORDS", 300)
    docs, vocabulary = topical_corpus()
    calls: list[tuple[int, int]] = []
    vectors = trainer(
        docs, vocabulary, dim=8, random_state=0, n_jobs=n_jobs, sample=0, epochs=20, alpha=0.05,
        progress=lambda done, total: calls.append((done, total)),
    )  # fmt: skip
    vectors = vectors - vectors.mean(axis=0)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    similarity = unit @ unit.T
    assert similarity[:20, :20].mean() > 0.5
    assert similarity[:20, 20:].mean() < -0.3
    assert calls[-1] == (400, 400)


def test_pieces_cover_all_documents_once(monkeypatch):
    monkeypatch.setattr(epochs, "_PIECE_WORDS", 10)
    for lengths in ([], [0], [3, 0, 25, 1, 9, 10, 0], [10, 10, 10]):
        docs = FlatDocs.from_lists([[0] * n for n in lengths])
        pieces = epochs._cut(docs)
        assert [i for a, b in pieces for i in range(a, b)] == list(range(len(lengths)))


@pytest.mark.parametrize(
    ("trainer", "option", "text"),
    [
        (sgns, {"window": 0}, "window, negative and epochs must be 1 or more"),
        (sgns, {"epochs": 0}, "window, negative and epochs must be 1 or more"),
        (doc2vecc, {"longest": 0}, "window, negative, longest and epochs must be 1 or more"),
        (doc2vecc, {"side": "right"}, "side must be 'both' or 'left'; got 'right'"),
        (doc2vecc, {"document_sample": 0}, "document_sample must be above 0"),
    ],
)
def test_wrong_settings_are_named(trainer, option, text):
    docs, vocabulary = topical_corpus()
    with pytest.raises(InputError, match=text):
        trainer(docs, vocabulary, dim=2, **option)
