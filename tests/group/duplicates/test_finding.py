import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif import InputError, find_duplicates
from psif.files.standard_library import docstrings
from tests.group.duplicates import naive

WORDS = st.sampled_from("abcdefghijkl")
TEXTS = st.lists(st.lists(WORDS, max_size=12).map(" ".join), max_size=12)


@given(st.lists(st.text(alphabet="abAB .,!ﬁé\u0301\ud800漢", max_size=6), max_size=12))
@settings(max_examples=60, deadline=None)
def test_identical_texts_are_found_exactly(texts):
    expected = naive.groups(texts, naive.identical)
    assert find_duplicates(texts, level="identical") == expected


@given(TEXTS, st.sampled_from([0.8, 0.9, 1.0]))
@settings(max_examples=60, deadline=None)
def test_near_texts_are_those_of_the_slow_definition(texts, threshold):
    def alike(a, b):
        return naive.identical(a, b) or naive.near(a, b, threshold, texts)

    expected = naive.groups(texts, alike)
    found = find_duplicates(texts, threshold)
    together = {frozenset((a, b)) for group in expected for a in group for b in group}
    for group in found:
        # Candidates are drawn by chance, but what is found is right.
        assert all(frozenset((group[0], other)) in together for other in group)
        assert group == sorted(group)
    assert sum(map(len, found)) <= sum(map(len, expected))


@functools.cache
def documents():
    texts = [text for text in docstrings().values() if 30 <= len(naive.words_of(text)) <= 300]
    # Without copies of its own: the standard library repeats itself.
    copies = {position for group in find_duplicates(texts, 0.75) for position in group}
    return [text for position, text in enumerate(texts) if position not in copies][:300]


def edited(words, kind, rng, vocabulary):
    words, n = list(words), round(0.2 * len(words))
    if kind == "insert":
        for _ in range(n):
            words.insert(
                int(rng.integers(len(words) + 1)), vocabulary[rng.integers(len(vocabulary))]
            )
    elif kind == "delete":
        words = [words[i] for i in sorted(rng.permutation(len(words))[n:])]
    elif kind == "replace":
        for i in rng.permutation(len(words))[:n]:
            words[i] = vocabulary[rng.integers(len(vocabulary))]
    elif kind == "move":
        words = words[-n:] + words[:-n]
    elif kind == "truncate":
        words = words[:-n]
    return words


@pytest.mark.parametrize("kind", ["insert", "delete", "replace", "move", "truncate"])
def test_copies_with_a_fifth_of_the_words_changed_are_found(kind):
    texts = documents()
    rng = np.random.default_rng(0)
    vocabulary = [word for text in texts for word in naive.words_of(text)]
    copies = [" ".join(edited(naive.words_of(t), kind, rng, vocabulary)) for t in texts]
    found = find_duplicates([*texts, *copies])
    pairs = {(group[0], other) for group in found for other in group[1:]}
    made = {(i, i + len(texts)) for i in range(len(texts))}
    assert len(texts) == 300
    assert len(pairs & made) >= 0.98 * len(made)
    assert len(pairs - made) <= 0.02 * len(pairs)


def test_many_copies_cost_little_and_form_one_group():
    text = "the quick brown fox jumps over the lazy dog again and again"
    texts = [f"{text} {number}" for number in range(3000)]
    assert find_duplicates(texts) == [list(range(3000))]


def test_forms_with_different_names_are_no_copies():
    # Four of 19 words differ, but they are the rare ones.
    form = "{0}corp {0} regular dividend quarterly cents versus cents prior pay may record april "
    form += "{0}x board {0}y net sales"
    names = [f"{a}{b}" for a in ("masco", "nbd", "franklin", "samsung") for b in "abcdefghijklmno"]
    found = find_duplicates([*documents(), *(form.format(name) for name in names)])
    assert found == []


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([], []),
        (["one"], []),
        (["", " ", "\n"], [[0, 1, 2]]),
        (["!!!", "! ! !", "???"], [[0, 1]]),
        (["Ｆｕｌｌ width", "full WIDTH"], [[0, 1]]),
        (["cafe\u0301 noir", "café noir"], [[0, 1]]),
        (["reset my password", "reset your password"], []),
        (["b a", "a b"], [[0, 1]]),
        (["same words here"] * 5, [[0, 1, 2, 3, 4]]),
        (["漢字 かな", "漢字、かな"], [[0, 1]]),
    ],
)
def test_small_cases(texts, expected):
    assert find_duplicates(texts) == expected


def test_order_counts_for_identical_and_not_for_near():
    texts = ["alpha beta gamma delta", "delta gamma beta alpha"]
    assert find_duplicates(texts, level="identical") == []
    assert find_duplicates(texts, 1.0) == [[0, 1]]


def test_paraphrases_have_a_high_cosine():
    texts = list(docstrings().values())[:400]
    base = find_duplicates(texts)
    wide = find_duplicates(texts, 0.8, level="paraphrase")
    groups = {position: number for number, group in enumerate(wide) for position in group}
    assert sum(map(len, wide)) > sum(map(len, base))
    for group in base:
        assert len({groups[position] for position in group}) == 1


def test_paraphrases_among_texts_too_few_for_a_model():
    assert find_duplicates(["a b c d e", "a b c d e"], level="paraphrase") == [[0, 1]]


def test_results_do_not_depend_on_threads():
    texts = documents() + [text.upper() + " more" for text in documents()]
    assert find_duplicates(texts, n_jobs=1) == find_duplicates(texts, n_jobs=3)


def test_bad_arguments_are_told():
    with pytest.raises(InputError, match="got 2"):
        find_duplicates(["a"], 2)
    with pytest.raises(InputError, match="identical, near, paraphrase; got 'far'"):
        find_duplicates(["a"], level="far")
    with pytest.raises(InputError, match="single text"):
        find_duplicates("a")
    with pytest.raises(InputError, match="document 1 is missing"):
        find_duplicates(["a", None])
