r"""The words of a text that search counts: plain words, and identifiers as a whole.

Plain words are those of the preset "unicode" of :class:`psif.Tokenizer`: runs of letters, marks and
digits, lower-cased. Such words cut ``C++`` to ``c`` and ``AB-1234`` to ``ab`` and ``1234``, so that
a search for them finds other things too. Hence an identifier is a word of its own, after its parts:

- words joined by one of ``. _ - / \ : @``, if there is a digit in them or one is joined by ``.``,
  ``_`` or ``@``;
- words followed by ``++`` or ``#``.

>>> search_words("C++ file foo_bar.cpp, error AB-12, well-known")
['c', 'c++', 'file', 'foo', 'bar', 'cpp', 'foo_bar.cpp', 'error', 'ab', '12', 'ab-12', 'well', 'known']
"""  # noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from psif.text.characters import WHOLE_WORD, class_table, preset_pattern

LONGEST_IDENTIFIER = 64  # bytes
_CONNECTORS, _TECHNICAL = r"._-/\:@", re.compile("[0-9._@]")
_IDENTIFIER_MARKS = frozenset(_CONNECTORS + "+#")


class WordSpan(NamedTuple):
    """A search word and its place in the text."""

    start: int
    end: int
    word: str


def search_words(text: str) -> list[str]:
    """Return the search words of a text, in order; the compiled scan finds the same."""
    return [span.word for span in word_spans(text)]


def word_spans(text: str) -> Iterator[WordSpan]:
    """Yield the search words of a text with their places; an identifier comes after its parts."""
    lowered = text.lower()
    if len(lowered) == len(text):
        yield from _spans(lowered)
        return
    # A few characters grow when lower-cased ("İ"): their places are those before.
    places = [i for i, character in enumerate(text) for _ in character.lower()]
    for start, end, word in _spans(lowered):
        yield WordSpan(places[start], places[end - 1] + 1, word)


def is_identifier(word: str) -> bool:
    """Whether a search word is an identifier that stands beside its parts.

    >>> is_identifier("c++"), is_identifier("0x80070057")
    (True, False)
    """
    return not _IDENTIFIER_MARKS.isdisjoint(word)


def _spans(lowered: str) -> Iterator[WordSpan]:
    first, joined = -1, False
    matches = list(_pattern().finditer(lowered))
    for number, match in enumerate(matches):
        start, end = match.span()
        yield WordSpan(start, end, match.group())
        if _is_whole_word(lowered[start]):
            continue
        if first < 0:
            first, joined = start, False
        if number + 1 < len(matches):
            after = matches[number + 1].start()
            connected = after == end + 1 and lowered[end] in _CONNECTORS
            if connected and not _is_whole_word(lowered[after]):
                joined = True
                continue
        suffix = 2 if lowered.startswith("++", end) else 1 if lowered.startswith("#", end) else 0
        found = lowered[first : end + suffix]
        if (suffix or (joined and _TECHNICAL.search(found))) and (
            len(found.encode("utf-8", "surrogatepass")) <= LONGEST_IDENTIFIER
        ):
            yield WordSpan(first, end + suffix, found)
        first = -1


def _is_whole_word(character: str) -> bool:
    return bool(class_table("unicode")[ord(character)] == WHOLE_WORD)


@lru_cache
def _pattern() -> re.Pattern[str]:
    return re.compile(preset_pattern("unicode"))
