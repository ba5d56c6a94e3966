"""Skip-gram and Doc2VecC: against slow twins, and by what they learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif.errors import InputError
from psif.runtime.threads import Workers
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


def test_blocks_of_matrix_products_agree_with_single_pairs():
    from psif.compiled.skipgram import train_in_order

    rng = np.random.default_rng(0)
    doc = rng.integers(0, 6, 21).astype(np.int32)
    inputs = rng.standard_normal((7, 4)).astype(np.float32) / 4
    outputs = rng.standard_normal((7, 4)).astype(np.float32) / 4
    # All the weight on word 6: every noise word is known, though drawn.
    noise = np.array([0, 0, 0, 0, 0, 0, 1.0])
    x, y = inputs.copy(), outputs.copy()
    train_in_order(doc, np.array([0, 21]), np.ones(7), noise, x, y, 3, 5, 2, np.float32(0.05), 1)
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


def train_doc2vecc(doc, noise, inputs, outputs, window, left_only, n_noise, sample, rate):
    """One replica on one document, merged into the tables."""
    from psif.compiled.doc2vecc import cut_stretches, train_positions
    from psif.compiled.replicas import empty_replica, merge_replicas

    ids = np.array(doc, dtype=np.int32)
    kept, borders = cut_stretches(ids, np.array([0, len(ids)]), np.ones(len(inputs)), 1000, 0)
    own = [empty_replica(len(table), 100, table.shape[1]) for table in (inputs, outputs)]
    train_positions(
        kept, borders, 0, len(kept), inputs, outputs, *own, noise, n_noise, window, left_only,
        sample, np.float32(rate), 0,
    )  # fmt: skip
    for table, replica in zip((inputs, outputs), own, strict=True):
        merge_replicas(table, (replica,), 0, 1)


@pytest.mark.parametrize("left_only", [False, True])
def test_doc2vecc_blocks_agree_with_single_positions(left_only):
    from psif.compiled.doc2vecc import SHARED

    rng = np.random.default_rng(2)
    doc = rng.integers(0, 6, 2 * SHARED + 3).tolist()
    inputs = rng.standard_normal((7, 4)).astype(np.float32) / 2
    outputs = rng.standard_normal((7, 4)).astype(np.float32) / 2
    noise = np.array([0, 0, 0, 0, 0, 0, 1.0])  # Noise is always word 6.
    u, v = inputs.astype(np.float64), outputs.astype(np.float64)
    share = 1 / len(doc)  # Windows of one word are never random; all words are in the sample.
    for first in range(0, len(doc), SHARED):
        last = min(first + SHARED, len(doc))
        # All positions of a block see the sum as it was, and their errors are added at its end.
        document, errors = u[doc].sum(axis=0), np.zeros(4)
        for place in range(first, last):
            near = [place - 1] if left_only else [place - 1, place + 1]
            near = [doc[i] for i in near if 0 <= i < len(doc)]
            mean = 1 / (len(near) + 1)
            own = doc[place]
            hidden = mean * (u[near].sum(axis=0) + share * (document - u[own]))
            error = np.zeros(4)
            for target, label in ((own, 1.0), (6, 0.0)):
                step = 0.1 * (label - sigmoid(hidden @ v[target]))
                error += step * v[target]
                v[target] += step * hidden
            for word in near:
                u[word] += mean * error
            u[own] -= mean * share * error
            errors += mean * share * error
        for word in doc:
            u[word] += errors
    train_doc2vecc(doc, noise, inputs, outputs, 1, left_only, 1, 1.0, 0.1)
    np.testing.assert_allclose(inputs, u, atol=1e-5)
    np.testing.assert_allclose(outputs, v, atol=1e-5)


def test_stretches_by_hand():
    from psif.compiled.doc2vecc import cut_stretches

    ids = np.array([5, 6, 7, 8, 9], dtype=np.int32)
    kept, borders = cut_stretches(ids, np.array([0, 3, 5]), np.ones(10), 2, 0)
    assert kept.tolist() == [5, 6, 7, 8, 9]
    assert borders.tolist() == [[0, 2], [0, 2], [2, 3], [3, 5], [3, 5]]


def test_blocks_by_hand():
    from psif.compiled.skipgram import cut_blocks

    ids = np.arange(7, dtype=np.int32)
    noise = np.array([0, 0, 0, 1.0])
    kept, blocks, drawn = cut_blocks(ids, np.array([0, 5, 7]), np.ones(7), noise, 1, 3, 2, 0)
    assert kept.tolist() == list(range(7))
    # Contexts from, centres from and to, contexts to.
    assert blocks.tolist() == [[0, 0, 3, 4], [2, 3, 5, 5], [5, 5, 7, 7]]
    assert drawn.tolist() == [[3, 3]] * 3


@settings(max_examples=50)
@given(st.integers(0, 1000), st.integers(1, 4), st.integers(1, 3))
def test_merging_adds_what_each_replica_added(seed, n_replicas, n_parts):
    from psif.compiled.replicas import copy_row, empty_replica, merge_replicas

    rng = np.random.default_rng(seed)
    table = rng.standard_normal((6, 3)).astype(np.float32)
    expected = table.astype(np.float64)
    replicas = tuple(empty_replica(6, 6, 3) for _ in range(n_replicas))
    for replica in replicas:
        for word in rng.permutation(6)[: rng.integers(0, 7)]:
            slot = copy_row(table, *replica, word)
            np.testing.assert_array_equal(replica.rows[slot], table[word])
            step = rng.standard_normal(3).astype(np.float32)
            replica.rows[slot] += step
            expected[word] += step
    for part in range(n_parts):
        merge_replicas(table, replicas, part, n_parts)
    np.testing.assert_allclose(table, expected, atol=1e-5)
    assert all((replica.slots == -1).all() for replica in replicas)


def test_random_numbers_are_even_and_belong_to_their_place():
    from psif.compiled.random_numbers import start, uniform

    state = np.empty(1, dtype=np.uint64)
    drawn = np.empty((300, 40))
    for place, row in enumerate(drawn):
        start(state, 7, place)
        row[:] = [uniform(state) for _ in row]
    assert 0 <= drawn.min() <= drawn.max() < 1
    assert abs(drawn.mean() - 0.5) < 0.01
    assert abs(drawn.var() - 1 / 12) < 0.002
    assert abs(np.corrcoef(drawn[:-1].ravel(), drawn[1:].ravel())[0, 1]) < 0.03
    assert abs(np.corrcoef(drawn[:, :-1].ravel(), drawn[:, 1:].ravel())[0, 1]) < 0.03
    start(state, 7, 5)
    assert uniform(state) == drawn[5, 0]


def test_windows_have_the_widths_they_say():
    from psif.compiled.doc2vecc import choose_contexts

    places, state = np.empty(21, dtype=np.int64), np.zeros(1, dtype=np.uint64)
    both, left = set(), set()
    for _ in range(400):
        both.update((places[: choose_contexts(10, 30, 4, False, state, places)] - 10).tolist())
        left.update((places[: choose_contexts(10, 30, 4, True, state, places)] - 10).tolist())
    assert both == {-4, -3, -2, -1, 1, 2, 3, 4}
    assert left == {-4, -3, -2, -1}


def test_a_document_sample_has_its_rate():
    from psif.compiled.doc2vecc import choose_sample

    places, state = np.empty(50, dtype=np.int64), np.zeros(1, dtype=np.uint64)
    hits = np.zeros(50)
    for _ in range(4000):
        chosen = places[: choose_sample(50, 0.1, state, places)]
        assert (np.diff(chosen) > 0).all()
        hits[chosen] += 1
    shares = hits / 4000
    assert abs(shares.mean() - 0.1) < 0.005
    assert shares.min() > 0.07
    assert shares.max() < 0.13
    assert choose_sample(50, 1.0, state, places) == 50


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


@pytest.mark.parametrize("trainer", [sgns, doc2vecc])
def test_threads_change_no_bit(trainer, monkeypatch):
    monkeypatch.setattr(epochs, "_PIECE_WORDS", 900)
    docs, vocabulary = topical_corpus()
    options = {"dim": 8, "random_state": 3, "sample": 0.01, "epochs": 2}
    one, *others = (trainer(docs, vocabulary, n_jobs=n, **options) for n in (1, 1, 2, 3, 5))
    for other in others:
        np.testing.assert_array_equal(one, other)
    assert (trainer(docs, vocabulary, n_jobs=1, **{**options, "random_state": 4}) != one).any()


def test_replicas_train_on_everything_once():
    tables = epochs.Tables(*np.zeros((2, 4, 2), dtype=np.float32), (4, 4), n_jobs=1)
    for n, size in ((0, 3), (1, 3), (10, 1), (10, 100), (37, 4)):
        done = []
        with Workers(1) as workers:
            tables.train(lambda r, a, b: done.append((r, a, b)), n, size, workers)  # noqa: B023
        assert sorted(i for _, a, b in done for i in range(a, b)) == list(range(n))
        assert all(b - a <= size for _, a, b in done)


def test_pieces_cover_all_documents_once(monkeypatch):
    monkeypatch.setattr(epochs, "_PIECE_WORDS", 10)
    for lengths in ([], [0], [3, 0, 25, 1, 9, 10, 0], [10, 10, 10]):
        order = np.arange(len(lengths))[::-1]
        pieces = epochs._cut(order, np.array(lengths, dtype=np.int64))
        assert [i for piece in pieces for i in piece.tolist()] == order.tolist()


@pytest.mark.parametrize("shuffled", [False, True])
def test_each_pass_sees_all_documents_in_one_order(shuffled, monkeypatch):
    monkeypatch.setattr(epochs, "_PIECE_WORDS", 10)
    docs = FlatDocs.from_lists([[i] * 3 for i in range(40)])
    seen: list[list[int]] = []

    def prepare(part: FlatDocs, seed: int) -> list[int]:
        return [int(doc[0]) for doc in part]

    epochs.run_epochs(
        prepare, lambda words, *_: seen.append(words), docs,
        epochs.Passes(2, 0.1, shuffled=shuffled), np.random.default_rng(0), 1, None,
    )  # fmt: skip
    once = [word for piece in seen[: len(seen) // 2] for word in piece]
    again = [word for piece in seen[len(seen) // 2 :] for word in piece]
    assert sorted(once) == list(range(40))
    assert (once != list(range(40))) == shuffled
    assert once == again


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
