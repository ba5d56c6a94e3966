import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif.explain.naming import characteristic_words, may_name, naming_scores


def slow_score(mass, background, group, word):
    """The formula of the module, one number at a time."""
    n, m = sum(mass[group]), mass[group][word]
    p = background[word] / sum(background)
    if not n or not p or p == 1:
        return 0.0
    pulled = m + n * p
    delta = math.log(pulled / (2 * n - pulled)) - math.log(p / (1 - p))
    return delta * math.sqrt(pulled)


def test_by_hand():
    # p = (3/4, 1/4); the first group has n = 4 and its second word 2 + 4/4 = 3 of 8.
    scores = naming_scores([[2, 2], [4, 0]], [6, 2])
    assert scores[0, 1] == pytest.approx(math.log((3 / 5) / (1 / 3)) * math.sqrt(3))
    assert scores[1, 1] < 0 < scores[1, 0]


@given(st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=1, max_size=4))
def test_same_as_the_slow_formula(mass):
    background = np.sum(mass, axis=0) + np.array([1, 0, 2, 3])
    scores = naming_scores(mass, background)
    for group in range(len(mass)):
        for word in range(4):
            expected = slow_score(mass, background.tolist(), group, word)
            assert scores[group, word] == pytest.approx(expected)


def test_words_of_all_groups_name_none():
    names = ["the", "ship", "harbour", "goal", "team"]
    mass = [[90, 9, 8, 0, 1], [100, 0, 1, 9, 8]]
    background = np.sum(mass, axis=0)
    assert characteristic_words(mass, background, names) == [["ship", "harbour"], ["goal", "team"]]
    assert characteristic_words(mass, background, names, 1) == [["ship"], ["goal"]]
    # The scale of the background does not matter.
    assert characteristic_words(mass, 7 * background, names, 1) == [["ship"], ["goal"]]


def test_a_frequent_word_must_stand_out_more():
    # 10,000 words, so ten times the mean share is 0.001. A word of share 0.003 needs a lift of
    # 1.5 * sqrt(1 + 0.002 / 0.001) = 2.598, a word of share 0.00001 one of 1.5.
    names = ["frequent", "rare", *["other"] * 9_998]
    background = np.full(10_000, (100_000 - 301) / 9_998)
    background[:2] = 300, 1
    background *= 100_000 / background.sum()
    for lift_of_frequent, lift_of_rare, expected in (
        (2.5, 1.4, []),
        (2.7, 1.4, ["frequent"]),
        (2.5, 1.6, ["rare"]),
        (2.7, 1.6, ["frequent", "rare"]),
    ):
        mass = background.copy()
        mass[0] *= lift_of_frequent
        mass[1] *= lift_of_rare
        mass[2:] *= (100_000 - mass[:2].sum()) / mass[2:].sum()
        assert characteristic_words([mass], background, names) == [expected]


def test_an_empty_group_has_no_name():
    assert characteristic_words([[0, 0], [1, 3]], [1, 3], ["a", "b"]) == [[], []]


@pytest.mark.parametrize("word", ["ship", "día", "снег", "mp3", "can't", "new_york", "水", "東京"])
def test_names(word):
    assert may_name(word)


@pytest.mark.parametrize("word", ["", "x", "ß", "42", "3.14", "nbsp", "HREF", "1990s", "_"])
def test_no_names(word):
    assert not may_name(word)
