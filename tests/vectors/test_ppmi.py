from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif.compiled.cooccurrence import positions_by_word, window_reach, window_weights
from psif.errors import InputError, PsifWarning
from psif.text.flat import FlatDocs
from psif.text.vocabulary import Vocabulary
from psif.vectors import ppmi as module
from psif.vectors import randomized_svd as factors
from psif.vectors.ppmi import Cooccurrences, PositiveInformation, ppmi
from psif.vectors.progress import Steps
from tests.vectors import naive

DOCS = st.lists(st.lists(st.integers(0, 7), max_size=14), max_size=6)


def vocabulary_of(docs: list[list[int]], n_words: int) -> Vocabulary:
    counts = np.bincount([w for doc in docs for w in doc], minlength=n_words).astype(np.int64)
    return Vocabulary([f"w{i}" for i in range(n_words)], counts, counts, len(docs))


def counted(docs: list[list[int]], n_words: int, window: int, **options: float) -> Cooccurrences:
    memory = options.get("max_memory", 1e9)
    return Cooccurrences.prepare(FlatDocs.from_lists(docs), n_words, window, memory, 2)


def dense(counts: Cooccurrences, n_words: int) -> np.ndarray:
    out = np.zeros((n_words, n_words))
    for first, last in counts.pieces:
        ends, columns, logs = counts.rows(first, last)
        for row in range(last - first):
            piece = slice(ends[row], ends[row + 1])
            out[first + row, columns[piece]] = np.exp(logs[piece])
    return out


def test_counts_by_hand():
    # a b c with a window of 2: neighbours count 2, words two apart count 1.
    counts = counted([[0, 1, 2]], 3, window=2)
    np.testing.assert_allclose(dense(counts, 3), [[0, 2, 1], [2, 0, 2], [1, 2, 0]], rtol=1e-6)
    np.testing.assert_array_equal(counts.marginals, [3, 4, 3])


@settings(max_examples=60, deadline=None)
@given(docs=DOCS, window=st.integers(1, 5), piece=st.integers(1, 9))
def test_counts_agree_with_the_slow_twin(docs, window, piece):
    n_words = 8
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_PIECE_ROWS", piece)
        counts = counted(docs, n_words, window)
    expected = naive.cooccurrences(docs, n_words, window)
    np.testing.assert_allclose(dense(counts, n_words), expected, rtol=1e-5)
    np.testing.assert_allclose(counts.marginals, expected.sum(axis=1))


@settings(max_examples=60, deadline=None)
@given(docs=DOCS, smoothing=st.sampled_from([0.5, 0.75, 1.0]), shift=st.sampled_from([1.0, 2.0]))
def test_products_agree_with_the_slow_twin(docs, smoothing, shift):
    n_words = 8
    counts = counted(docs, n_words, 3)
    matrix = PositiveInformation(counts, smoothing, shift, Steps(None, 0))
    expected = naive.positive_information(naive.cooccurrences(docs, n_words, 3), smoothing, shift)
    eye = np.eye(n_words, dtype=np.float32)
    np.testing.assert_allclose(matrix.times(eye), expected, atol=2e-5)
    np.testing.assert_allclose(matrix.times(eye, transposed=True), expected.T, atol=2e-5)


@given(st.lists(st.integers(0, 5), max_size=20))
def test_positions_agree_with_the_slow_twin(ids):
    starts, positions = positions_by_word(np.array(ids, dtype=np.int32), 6)
    found = [positions[a:b].tolist() for a, b in itertools.pairwise(starts.tolist())]
    assert found == [[i for i, word in enumerate(ids) if word == w] for w in range(6)]
    assert starts.dtype == positions.dtype == np.int64


def topical_corpus(n_words: int = 120, n_docs: int = 150, seed: int = 0) -> list[list[int]]:
    """Documents that draw from one of two halves of the vocabulary."""
    rng = np.random.default_rng(seed)
    half = n_words // 2
    return [(rng.integers(0, half, 30) + half * (i % 2)).tolist() for i in range(n_docs)]


def test_words_of_one_topic_are_near_each_other():
    docs = topical_corpus()
    vectors = ppmi(FlatDocs.from_lists(docs), vocabulary_of(docs, 120), dim=8, random_state=0)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    similarity = unit @ unit.T
    within = (similarity[:60, :60].mean() + similarity[60:, 60:].mean()) / 2
    assert within > 0.2
    assert abs(similarity[:60, 60:].mean()) < 0.1


def test_randomised_factors_agree_with_the_exact_ones(monkeypatch):
    docs = FlatDocs.from_lists(topical_corpus())
    words = vocabulary_of(topical_corpus(), 120)
    exact = ppmi(docs, words, dim=4, random_state=0)
    monkeypatch.setattr(factors, "_DENSE_WORDS", 0)
    fast = ppmi(docs, words, dim=4, random_state=0, n_iter=8)
    np.testing.assert_allclose(fast, exact, atol=2e-2 * np.abs(exact).max())


def test_neither_threads_nor_a_memory_limit_change_the_result(monkeypatch):
    monkeypatch.setattr(module, "_PIECE_ROWS", 7)
    monkeypatch.setattr(factors, "_DENSE_WORDS", 0)
    docs = FlatDocs.from_lists(topical_corpus())
    words = vocabulary_of(topical_corpus(), 120)
    one = ppmi(docs, words, dim=8, random_state=3, n_jobs=1)
    two = ppmi(docs, words, dim=8, random_state=3, n_jobs=2)
    recounted = ppmi(docs, words, dim=8, random_state=3, n_jobs=2, max_memory=2000)
    np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(one, recounted)
    assert not np.array_equal(one, ppmi(docs, words, dim=8, random_state=4))


def test_a_memory_limit_stores_no_more_than_it_says():
    counts = counted(topical_corpus(), 120, 10, max_memory=100.0)
    for first, last in counts.pieces:
        counts.rows(first, last)
    assert counts.stored == {}


def test_a_small_corpus_gives_fewer_dimensions_and_says_so():
    docs = [[0, 1, 2], [3, 4], [1, 0], [2, 2], [4]]
    with pytest.warns(UserWarning, match="supports only 5 dimensions, not 200"):
        vectors = ppmi(FlatDocs.from_lists(docs), vocabulary_of(docs, 5), dim=200)
    assert vectors.shape == (5, 5)
    assert np.isfinite(vectors).all()


@pytest.mark.parametrize("docs", [[], [[]], [[0]], [[0], [1]]])
def test_no_neighbours_at_all_give_zeros(docs):
    with pytest.warns(UserWarning, match="supports only 1 dimensions"):
        vectors = ppmi(FlatDocs.from_lists(docs), vocabulary_of(docs, 2), dim=3)
    np.testing.assert_array_equal(vectors, np.zeros((2, 1)))


def test_progress_ends_at_its_total():
    calls: list[tuple[int, int]] = []
    docs = topical_corpus()
    ppmi(
        FlatDocs.from_lists(docs), vocabulary_of(docs, 120), dim=4,
        progress=lambda done, total: calls.append((done, total)),
    )  # fmt: skip
    assert calls[-1][0] == calls[-1][1] > 0
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ({"window": 0}, "window must be between 1 and 1000"),
        ({"smoothing": 0}, "smoothing must be above 0"),
        ({"shift": 0}, "shift must be above 0"),
        ({"n_iter": -1}, "n_iter must be 0 or more"),
    ],
)
def test_wrong_settings_are_named(option, text):
    with pytest.raises(InputError, match=text):
        ppmi(FlatDocs.from_lists([[0, 1]]), vocabulary_of([[0, 1]], 2), dim=1, **option)


@pytest.mark.parametrize("n_words", [50, 3000], ids=["exact", "randomised"])
def test_documents_of_one_word_each_give_zeros(n_words):
    docs = [[word] for word in range(n_words)]
    with pytest.warns(PsifWarning, match="the corpus supports only 1 dimensions"):
        vectors = ppmi(
            FlatDocs.from_lists(docs), vocabulary_of(docs, n_words), dim=4, random_state=0
        )
    assert vectors.shape == (n_words, 1)
    assert not vectors.any()


@given(
    documents=st.lists(st.lists(st.integers(0, 4), max_size=9), min_size=1, max_size=5),
    window=st.integers(1, 6),
    skipped=st.integers(0, 3),
)
def test_windows_end_with_their_documents(documents, window, skipped):
    ids = np.array([word for words in documents for word in words], dtype=np.int32)
    # A part of a corpus: its offsets do not begin with 0.
    offsets = skipped + np.cumsum([0, *map(len, documents)], dtype=np.int64)
    left, right = window_reach(offsets, window)
    near = [
        (min(place, window), min(len(words) - 1 - place, window))
        for words in documents
        for place in range(len(words))
    ]
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == near
    expected = np.zeros(5)
    for words in documents:
        for i, word in enumerate(words):
            for j in range(len(words)):
                if 0 < abs(i - j) <= window:
                    expected[word] += window + 1 - abs(i - j)
    assert np.array_equal(window_weights(ids, left, right, window, 5), expected)
