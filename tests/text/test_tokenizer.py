import copy
import json
import re
import unicodedata

import pytest
from hypothesis import given

from psif.errors import InputError
from psif.text.characters import class_table
from psif.text.normal_form import normal_form
from psif.text.spans import word_spans
from psif.text.tokenizer import Tokenizer
from psif.text.unicode_ranges import UNICODE_VERSION
from tests.attacks.readers import time_limit
from tests.text import naive
from tests.text.strategies import texts, tokenizer_options


def test_by_hand():
    words = Tokenizer("unicode")("P-SIF: Größe, हिन्दी, 漢字 & snake_case don't 3.14!")
    assert words == [
        "p", "sif", "größe", "हिन्दी", "漢", "字", "snake", "case", "don", "t", "3", "14",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("P-SIF: Größe, हिन्दी, 漢字 & snake_case", "p sif größe हिन्दी 漢 字 snake case"),
        ("I can't, we’ll, THEY'RE", "i can't we'll they're"),
        ("John's and it’s; l'homme, o'clock", "john and it l homme o clock"),
        ("can't's 'tis 'd x'tx", "can't tis d x tx"),
        ("C++, C# and g++; c++11 F#.", "c++ c# and g++ c++ 11 f#"),
        ("a+++b a#b ab# i+1 c++'s", "a b a b ab i 1 c++"),
        ("v2.0.1 and 3.14. End.Next 10.0.0.1:80", "v2.0.1 and 3.14 end next 10.0.0.1 80"),
        ("see #12345, issue#7 and #tag ##8", "see #12345 issue #7 and tag #8"),
        ("user@host; <First.Last+x@a-b.co.uk>.", "user@host first.last+x@a-b.co.uk"),
        ("@user a@ b @ c a.b", "user a b c a b"),
        ("a.b.c.d.e@host", "a b.c.d.e@host"),
        ("0x80070057", "0x80070057"),
        ("ok🙂👍🏽❤️ 👨\u200d👩 🇩🇪🇫🇷 1\ufe0f\u20e3", "ok 🙂 👍 ❤ 👨 👩 🇩🇪 🇫🇷 1"),
        ("\ufe0f \u0301 =\u0338 ́", ""),
        ("これはペンです。iPhoneを", "これは ペン です iphone を"),
        ("東京でラーメンらーめん", "東 京 で ラーメン らーめん"),
        ("ｶﾞｽ 한국어", "ｶﾞｽ 한국어"),
        ("می\u200cخواهم Donau\u00addampf", "می\u200cخواهم donaudampf"),
    ],
)  # fmt: skip
def test_words_as_people_write_them(text, words):
    assert Tokenizer()(text) == words.split()


@given(texts)
def test_normal_forms_of_a_text_have_the_same_words(text):
    tokenizer = Tokenizer()
    for form in ("NFC", "NFD"):
        assert tokenizer(unicodedata.normalize(form, text)) == tokenizer(text)


def test_both_spellings_of_an_accent_are_one_word():
    assert Tokenizer()("cafe\u0301") == Tokenizer()("caf\u00e9") == ["caf\u00e9"]
    assert Tokenizer("unicode")("e\u0301tude") == ["e\u0301tude"]


def test_long_chains_take_no_longer_than_their_length():
    """Each start would be read to the end, if an address might have any number of parts."""
    assert len(Tokenizer()("a." * 100_000)) == 100_000


@pytest.mark.parametrize("preset", ["words", "unicode", "paper"])
@pytest.mark.parametrize("letter", ["a", "\u00e9", "\u304c", "\U0001d400"])
def test_long_words_take_no_longer_than_their_length(preset, letter):
    """Hexadecimal, DNA, base64: a run of letters can be divided in 2^n ways, and must not be."""
    text = f"{letter * 70_000}-{letter * 40}@ {letter * 40}+x"
    tokenizer = Tokenizer(preset)
    with time_limit(20):
        words, found = tokenizer(text), list(word_spans(text, tokenizer))
    assert words == [span.word for span in found]
    if preset != "paper" or letter == "a":
        assert [len(word) for word in words[:3]] == [70_000, 40, 40]


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
def test_regular_expressions_of_the_presets_are_the_plain_loops(text):
    assert Tokenizer("unicode", lowercase=False)(text) == naive.split(text)
    assert Tokenizer(lowercase=False)(text) == naive.split_words(normal_form(text))


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
        (
            {"pattern": "("},
            "neither a preset .*'paper', 'unicode', 'words'.* nor a regular expression",
        ),
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
