import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from psif.evaluation.metrics import lengths
from psif.evaluation.metrics.lengths import accuracy_by_length, n_words


def test_by_hand(monkeypatch):
    monkeypatch.setattr(lengths, "LEAST_DOCS", 2)
    truth = np.array([0, 0, 1, 1, 1])
    predicted = np.array([0, 1, 1, 1, 0])
    words = np.array([49, 0, 50, 99, 5000])
    assert accuracy_by_length(truth, predicted, words) == {
        "0–49 words": 50.0,
        "50–99 words": 100.0,
    }


def test_words_are_what_spaces_divide():
    assert n_words(["", "  one two\nthree ", "x-y"]).tolist() == [0, 3, 1]


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 1000)), min_size=1, max_size=60))
def test_bins_together_are_the_whole(docs):
    right = np.array([r for r, _ in docs], dtype=np.int64)
    words = np.array([n for _, n in docs])
    old, lengths.LEAST_DOCS = lengths.LEAST_DOCS, 1
    try:
        found = accuracy_by_length(np.ones_like(right), right, words)
    finally:
        lengths.LEAST_DOCS = old
    sizes = {
        lengths.bin_name(low, high): np.sum((words >= low) & (words < (high or 10**9)))
        for low, high in lengths.BINS
    }
    hits = sum(share / 100 * sizes[name] for name, share in found.items())
    assert abs(hits - np.sum(right)) < 1e-9
