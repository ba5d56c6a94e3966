import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif import Tokenizer
from psif.search.collecting import WordCollector
from psif.search.words import LONGEST_IDENTIFIER, is_identifier, search_words, word_spans

# Letters, digits, connectors, suffixes, a Chinese character, one that grows in lower case.
CHARACTERS = "aB1 ._-/\\:@+#'tsl漢é\u0301かカー🇩🙂\ufe0f\U00020000İ٣\n"


def scanned(texts):
    collector = WordCollector()
    collector.add(texts)
    words = collector.words()
    return [[words[i] for i in ids] for ids in collector.docs()]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Error 0x80070057!", ["error", "0x80070057"]),
        ("C++ or C#?", ["c", "c++", "or", "c", "c#"]),
        ("c++11", ["c", "c++", "11"]),
        ("AB-1234.", ["ab", "1234", "ab-1234"]),
        ("snake_case", ["snake", "case", "snake_case"]),
        ("node.js", ["node", "js", "node.js"]),
        ("mail me@host.org", ["mail", "me", "host", "org", "me@host.org"]),
        ("1.2.3", ["1", "2", "3", "1.2.3"]),
        ("well-known and/or", ["well", "known", "and", "or"]),
        ("end. Next", ["end", "next"]),
        ("a..b a.-b", ["a", "b", "a", "b"]),
        ("a+b", ["a", "b"]),
        ("漢字.a", ["漢", "字", "a"]),
        ("ticket #12345", ["ticket", "12345", "#12345"]),
        ("can't find John's", ["can't", "find", "john"]),
        ("cafe\u0301 ❤\ufe0f これはペン", ["caf\u00e9", "❤", "これは", "ペン"]),
        ("", []),
        ("+ # _", []),
    ],
)
def test_words_and_identifiers(text, words):
    assert search_words(text) == words
    assert scanned([text]) == [words]


def test_very_long_identifiers_are_left_in_parts():
    longest = "a" * (LONGEST_IDENTIFIER - 2) + ".b"
    assert search_words(longest)[-1] == longest
    assert search_words("a" + longest) == ["a" * (LONGEST_IDENTIFIER - 1), "b"]
    assert scanned(["a" + longest, longest]) == [search_words("a" + longest), search_words(longest)]


@given(st.lists(st.text(CHARACTERS, max_size=30), max_size=6))
def test_compiled_scan_finds_the_same_words(texts):
    assert scanned(texts) == [search_words(text) for text in texts]


@given(st.lists(st.text(CHARACTERS, max_size=30), max_size=3))
def test_spans_are_places_in_the_text(texts):
    for text in texts:
        for start, end, word in word_spans(text):
            assert Tokenizer().prepare(text[start:end]) == word


def test_growing_table_cuts_no_identifier():
    """More words than the table holds at first, each in an identifier."""
    text = " ".join(f"w{i}_x{i}" for i in range(6_000))
    assert scanned([text, text]) == [search_words(text)] * 2


def test_what_an_identifier_is():
    assert [is_identifier(word) for word in ("c++", "a_b", "0x8", "word")] == [
        True, True, False, False,
    ]  # fmt: skip
