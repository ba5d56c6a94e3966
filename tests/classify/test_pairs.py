from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from psif.classify.pairs import PairColumns
from psif.text.flat import FlatDocs
from tests.classify.naive import pair_features

DOCS = st.lists(st.lists(st.integers(0, 6), max_size=12), min_size=1, max_size=8)


def key(first, second):
    return first << 32 | second


def test_pairs_of_two_documents_or_more_get_a_column():
    docs = FlatDocs.from_lists([[0, 1, 2], [0, 1, 0, 1], [2, 0, 1], [1, 2]])
    found = PairColumns.choose(docs)
    assert found.keys.tolist() == [key(0, 1), key(1, 2)]
    # idf = ln((1 + n) / (1 + df)) + 1 of 3 and 2 documents among 4
    np.testing.assert_allclose(found.weights, [np.log(5 / 4) + 1, np.log(5 / 3) + 1], rtol=1e-6)
    assert found.words_of(1) == (1, 2)
    assert PairColumns.choose(docs, most=1).keys.tolist() == [key(0, 1)]


def test_pairs_do_not_cross_documents():
    docs = FlatDocs.from_lists([[0], [1], [0], [1]])
    assert len(PairColumns.choose(docs)) == 0
    assert PairColumns.none().shares(docs).shape == (4, 0)


@settings(max_examples=60, deadline=None)
@given(DOCS)
def test_shares_against_counting_by_hand(lists):
    docs = FlatDocs.from_lists(lists)
    found = PairColumns.choose(docs)
    counted = documents_of_pairs(lists)
    assert found.keys.tolist() == sorted(key(*pair) for pair, n in counted.items() if n >= 2)
    slow = np.array([pair_features(row, found.keys, found.weights) for row in lists])
    np.testing.assert_allclose(found.shares(docs).toarray(), slow, rtol=1e-6)


def documents_of_pairs(lists):
    counted = {}
    for row in lists:
        for pair in set(pairwise(row)):
            counted[pair] = counted.get(pair, 0) + 1
    return counted


def test_a_large_table_finds_all_its_pairs_and_no_others():
    rng = np.random.default_rng(0)
    keys = np.unique(rng.integers(0, 3000, 20_000) << 32 | rng.integers(0, 3000, 20_000))
    found = PairColumns(keys[::2], np.ones(len(keys[::2]), dtype=np.float32))
    docs = FlatDocs.from_lists([[int(k) >> 32, int(k) & 0xFFFFFFFF] for k in keys])
    shares = found.shares(docs)
    np.testing.assert_array_equal(np.diff(shares.indptr), np.arange(len(keys)) % 2 == 0)
    np.testing.assert_array_equal(shares.indices, np.arange(len(keys[::2])))
