import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif import Tokenizer
from psif.text.spans import word_spans

TOKENIZERS = [
    Tokenizer(),
    Tokenizer("paper"),
    Tokenizer(lowercase=False, min_length=2),
    Tokenizer(r"(?:x|y)(\w+)"),
]


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@given(text=st.text(st.characters(codec="utf-8"), max_size=40))
def test_spans_are_the_tokenizers_words_in_place(tokenizer, text):
    if len(text.lower()) != len(text):
        return
    spans = list(word_spans(text, tokenizer))
    assert [span.word for span in spans] == [word for word in tokenizer(text) if word]
    for span in spans:
        written = text.lower() if tokenizer.lowercase else text
        assert written[span.start : span.end] == span.word


def test_places_are_right_where_lower_casing_lengthens():
    text = "İstanbul, Kars"
    last = list(word_spans(text, Tokenizer()))[-1]
    assert (text[last.start : last.end], last.word) == ("Kars", "kars")


def test_a_function_tells_no_places():
    assert list(word_spans("a b", Tokenizer(str.split))) == []
