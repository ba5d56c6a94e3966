from hypothesis import given
from hypothesis import strategies as st

from psif.files.sampling import sample_texts

texts = st.lists(st.text(max_size=9), max_size=30)


@given(texts, st.integers(1, 60), st.integers(0, 5))
def test_short_enough_in_order_and_not_needlessly_small(corpus, limit, seed):
    sample = sample_texts(iter(corpus), limit, seed)
    assert len(sample) <= 1 or sum(map(len, sample)) <= limit
    rest = iter(corpus)
    assert all(text in rest for text in sample)
    if sum(map(len, corpus)) <= limit:
        assert sample == corpus


def test_every_part_of_a_stream_is_drawn_alike():
    corpus = [f"{i:05}" for i in range(20_000)]
    sample = [int(text) for text in sample_texts(corpus, 25_000, seed=1)]
    assert 2_000 < len(sample) <= 5_000
    for start in range(0, 20_000, 5_000):
        share = sum(start <= i < start + 5_000 for i in sample) / len(sample)
        assert 0.22 < share < 0.28
