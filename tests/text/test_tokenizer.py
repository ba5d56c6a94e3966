import copy
import json
import re
import unicodedata

import pytest
from hypothesis import given

from psif.errors import InputError
from psif.text.characters import class_table
from psif.text.tokenizer import Tokenizer
from psif.text.unicode_ranges import UNICODE_VERSION
from tests.text import naive
from tests.text.strategies import texts, tokenizer_options


def test_by_hand():
    words = Tokenizer()("P-SIF: Größe, हिन्दी, 漢字 & snake_case don't 3.14!")
    assert words == [
        "p", "sif", "größe", "हिन्दी", "漢", "字", "snake", "case", "don", "t", "3", "14",
    ]  # fmt: skip


def test_marks_stay_with_their_letters():
    assert Tokenizer()("e\u0301tude") == ["e\u0301tude"]


def test_lower_case_of_odd_letters_is_that_of_python():
    assert Tokenizer()("İ ΟΔΟΣ") == ["i\u0307", "οδος"]
    assert Tokenizer(lowercase=False)("Aa aA") == ["Aa", "aA"]


def test_paper_preset_keeps_letters_and_drops_stop_and_short_words():
    assert Tokenizer("paper")("The 2 cats' naïve B plan") == ["cats", "na", "ve", "plan"]


def test_stop_words_of_a_preset_can_be_taken_away():
    assert Tokenizer("paper", stop_words=[])("The cats") == ["the", "cats"]


def test_min_length_counts_characters_not_bytes():
    assert Tokenizer(min_length=2)("é ée") == ["ée"]


def test_regular_expression_and_function():
    assert Tokenizer(r"#\w+")("a #Tag b #two") == ["#tag", "#two"]
    assert Tokenizer(str.split, stop_words=["b"])("A B,c") == ["a", "b,c"]


@given(texts)
def test_regular_expression_of_the_unicode_preset_is_the_plain_loop(text):
    assert Tokenizer(lowercase=False)(text) == naive.split(text)


def test_letters_are_unicode_letters_marks_and_numbers():
    if unicodedata.unidata_version != UNICODE_VERSION:
        pytest.skip(f"this Python has Unicode {unicodedata.unidata_version}")
    table = class_table("unicode")
    expected = [unicodedata.category(chr(code))[0] in "LMN" for code in range(0x110000)]
    assert ((table > 0) == expected).all()


@given(tokenizer_options)
def test_survives_json(options):
    tokenizer = Tokenizer(**options)
    again = Tokenizer.from_dict(json.loads(json.dumps(tokenizer.to_dict())))
    assert again == tokenizer
    assert hash(again) == hash(tokenizer)


def test_presets_are_saved_by_name():
    assert Tokenizer("paper").to_dict()["pattern"] == "paper"


def test_different_options_are_different_tokenizers():
    assert Tokenizer() != Tokenizer(min_length=2)
    assert Tokenizer() != Tokenizer("paper")
    assert copy.deepcopy(Tokenizer(r"\w+")) == Tokenizer(r"\w+")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pattern": "("}, "neither a preset .*'paper', 'unicode'.* nor a regular expression"),
        ({"pattern": "(a)(b)"}, "has 2 groups, expected at most one"),
        ({"stop_words": "french"}, "'english' or a list of words; got 'french'"),
        ({"min_length": 0}, "min_length must be at least 1; got 0"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(InputError, match=message):
        Tokenizer(**options)


def test_a_function_cannot_be_saved():
    with pytest.raises(InputError, match=re.escape("cannot be saved; give a regular expression")):
        Tokenizer(str.split).to_dict()
