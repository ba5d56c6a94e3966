import numpy as np
import pytest

from psif.compiled.minhash import band_keys, overlap, weight_totals


def keys_of(docs, rates, n_hashes=2000):
    ids = np.array([word for doc in docs for word in sorted(doc)], dtype=np.int32)
    offsets = np.cumsum([0, *map(len, docs)])
    seeds = np.random.default_rng(5).integers(0, 1 << 32, n_hashes, dtype=np.uint32)
    keys = np.zeros((n_hashes, len(docs)), dtype=np.uint32)
    band_keys(ids, offsets, 0, len(docs), rates.astype(np.float32), seeds, n_hashes, keys)
    return keys


@pytest.mark.parametrize("seed", range(4))
def test_two_texts_share_a_key_as_often_as_their_weighted_jaccard_similarity_says(seed):
    rng = np.random.default_rng(seed)
    rates = rng.uniform(0.05, 1, 200)
    a, b = (set(rng.permutation(200)[:60].tolist()) for _ in range(2))
    b |= set(sorted(a)[:30])
    keys = keys_of([a, b], rates)
    expected = rates[sorted(a & b)].sum() / rates[sorted(a | b)].sum()
    # Five standard deviations of 2,000 draws.
    assert np.mean(keys[:, 0] == keys[:, 1]) == pytest.approx(expected, abs=5 * 0.5 / 2000**0.5)


def test_repeated_words_count_once():
    rates = np.ones(5)
    keys = keys_of([[0, 1, 2], [0, 0, 1, 2, 2]], rates, 50)
    assert (keys[:, 0] == keys[:, 1]).all()


def test_overlap_by_hand():
    ids = np.array([1, 1, 2, 4, 1, 1, 1, 4, 5], dtype=np.int32)
    offsets = np.array([0, 4, 9])
    weights = np.array([0, 0.5, 9, 9, 0.25, 9])
    assert overlap(ids, offsets, weights, 0, 1) == (3, 0.75)
    totals = np.zeros(2)
    weight_totals(ids, offsets, weights, totals)
    assert totals.tolist() == [0.5 + 9 + 0.25, 0.5 + 0.25 + 9]
