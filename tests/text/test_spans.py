import itertools

import pytest
from hypothesis import given

from psif import Tokenizer
from psif.text.spans import Span, word_spans
from tests.text.strategies import texts

TOKENIZERS = [
    Tokenizer(),
    Tokenizer("unicode"),
    Tokenizer("paper"),
    Tokenizer(lowercase=False, min_length=2),
    Tokenizer(r"(?:x|y)(\w+)"),
]


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@given(text=texts)
def test_spans_are_the_tokenizers_words_in_place(tokenizer, text):
    spans = list(word_spans(text, tokenizer))
    assert [span.word for span in spans] == [word for word in tokenizer(text) if word]
    for before, span in itertools.pairwise([Span(0, 0, ""), *spans]):
        assert before.end <= span.start
        # The lower case of a sigma depends on its neighbours; "İ" becomes a letter and a mark.
        if not set("ΣσςİI\u0307") & set(text):
            assert tokenizer.prepare(text[span.start : span.end]) == span.word


def test_places_are_right_where_normal_forms_are_shorter_or_longer():
    text = "\u0958 cafe\u0301 \u1100\u1161 Do\u00adnau, Kars"
    shown = [text[span.start : span.end] for span in word_spans(text, Tokenizer())]
    assert shown == ["\u0958", "cafe\u0301", "\u1100\u1161", "Do\u00adnau", "Kars"]


def test_a_vowel_that_melts_into_nothing_keeps_its_place():
    # "<" and its stroke become one character; the Korean vowel after them stays alone.
    text = "<\u0338\u11610"
    (found,) = word_spans(text, Tokenizer())
    assert (found.start, found.end) == (2, 4)


def test_places_are_right_where_lower_casing_lengthens():
    text = "İstanbul, Kars"
    last = list(word_spans(text, Tokenizer()))[-1]
    assert (text[last.start : last.end], last.word) == ("Kars", "kars")


def test_a_function_tells_no_places():
    assert list(word_spans("a b", Tokenizer(str.split))) == []
