import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif.files.sampling import sample_texts

TEXTS = st.lists(st.text(st.sampled_from("ab é漢\U0001f600\ud800"), max_size=9), max_size=30)


def slow_sample(texts, limit, seed):
    """The same, all at once: texts in the order of their numbers until the room is full."""
    draws = np.random.default_rng(seed).random(len(texts)).tolist()
    kept, room = {}, limit
    for i in sorted(range(len(texts)), key=draws.__getitem__):
        if len(texts[i]) + 1 > room:
            short = texts[i][: max(0, room - 1)]
            after = texts[i][len(short) : len(short) + 1]
            if not after.isspace() and len(short.split()) > 1:
                short = short[: short.rindex(short.split()[-1])].rstrip()
            if room > 0 and (short or not kept):
                kept[i] = short
            break
        kept[i] = texts[i]
        room -= len(texts[i]) + 1
    return [kept[i] for i in sorted(kept)]


@given(TEXTS, st.integers(1, 60), st.integers(0, 5))
def test_agrees_with_its_slow_twin(corpus, limit, seed):
    sample = sample_texts(iter(corpus), limit, seed)
    expected = slow_sample(corpus, limit, seed)
    # A cut text may end in white space, which no word is lost by.
    assert [text.rstrip() for text in sample] == [text.rstrip() for text in expected]


@given(TEXTS, st.integers(1, 60), st.integers(0, 5))
def test_the_sample_fits_is_in_order_and_knows_its_size(corpus, limit, seed):
    sample = sample_texts(iter(corpus), limit, seed)
    assert len(sample) <= 1 or sum(len(text) + 1 for text in sample) <= limit
    assert sample.n_characters == sum(map(len, sample))
    assert (sample.n_seen, sample.n_seen_characters) == (len(corpus), sum(map(len, corpus)))
    rest = iter(corpus)
    assert all(any(whole.startswith(text) for whole in rest) for text in sample)
    assert sample.is_whole == (list(sample) == corpus)
    if sum(len(text) + 1 for text in corpus) <= limit:
        assert sample.is_whole
    assert [sample[i] for i in range(len(sample))] == list(sample) == sample[:]


def test_all_of_the_room_is_used():
    # 56 million characters against a limit of 50, in thousandths.
    corpus = [f"word{i} " * 80 for i in range(100)]
    size = sum(map(len, corpus))
    limit = size * 50 // 56
    for seed in range(5):
        sample = sample_texts(corpus, limit, seed)
        assert limit - 10 - len(sample) < sample.n_characters <= limit
        assert len(sample) > 80


def test_every_part_of_a_stream_is_drawn_alike():
    corpus = [f"{i:05}" for i in range(20_000)]
    sample = [int(text) for text in sample_texts(corpus, 30_000, seed=1)]
    assert len(sample) == 5_000
    for start in range(0, 20_000, 5_000):
        share = sum(start <= i < start + 5_000 for i in sample) / len(sample)
        assert 0.22 < share < 0.28


def test_long_texts_are_not_favoured_over_short_ones():
    corpus = ["a" * 9, "b" * 90] * 2_000
    sample = sample_texts(corpus, 50_000, seed=0)
    share = sum(text.startswith("a") for text in sample) / len(sample)
    assert 0.45 < share < 0.55


def test_one_text_longer_than_the_limit_is_cut_after_a_word():
    sample = sample_texts(["one two three four five"], 12)
    assert list(sample) == ["one two"]
    assert not sample.is_whole


def test_very_many_empty_texts_are_bounded():
    sample = sample_texts(("" for _ in range(10_000)), 100)
    assert len(sample) == 100
    assert not sample.is_whole


def test_work_grows_with_the_stream_not_with_its_square(monkeypatch):
    """A text that alone overfills the room must not be copied for each text after it."""
    from psif.files import sampling

    shrinks = []
    shrink = sampling._Pool._shrink
    monkeypatch.setattr(
        sampling._Pool, "_shrink", lambda self: shrinks.append(None) or shrink(self)
    )
    sample_texts(["x" * 5_000, *["ab"] * 20_000], 4_000, seed=3)
    assert len(shrinks) < 30


@pytest.mark.parametrize("index", [2, -3])
def test_places_that_are_not_there(index):
    with pytest.raises(IndexError):
        sample_texts(["a", "b"], 100)[index]
