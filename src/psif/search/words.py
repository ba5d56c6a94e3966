r"""The words of a text that search counts: plain words, and identifiers as a whole.

Plain words are runs of letters, marks and digits as in the preset "words" of
:class:`psif.Tokenizer`, in lower case. Such words cut ``C++`` to ``c`` and ``AB-1234`` to ``ab`` and
``1234``, so that a search for them finds other things too. Hence an identifier is a word of its own,
after its parts:

- words joined by one of ``. _ - / \ : @``, if there is a digit in them or one is joined by ``.``,
  ``_`` or ``@``;
- words followed by ``++`` or ``#``;
- numbers that follow a ``#``.

>>> search_words("C++ file foo_bar.cpp, error AB-12, well-known")
['c', 'c++', 'file', 'foo', 'bar', 'cpp', 'foo_bar.cpp', 'error', 'ab', '12', 'ab-12', 'well', 'known']
"""  # noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from psif.text.characters import LETTER, class_table
from psif.text.patterns import plain_pattern
from psif.text.spans import Span, prepare_in_place
from psif.text.tokenizer import Tokenizer

LONGEST_IDENTIFIER = 64  # bytes
_CONNECTORS, _TECHNICAL = r"._-/\:@", re.compile("[0-9._@]")
_DIGITS = frozenset("0123456789")
_IDENTIFIER_MARKS = frozenset(_CONNECTORS + "+#")


def search_words(text: str) -> list[str]:
    """Return the search words of a text, in order; the compiled scan finds the same."""
    return [span.word for span in word_spans(text)]


def word_spans(text: str) -> Iterator[Span]:
    """Yield the search words of a text with their places; an identifier comes after its parts."""
    prepared, begins = prepare_in_place(text, Tokenizer())
    for start, end, word in _spans(prepared):
        yield Span(start, end, word) if begins is None else Span(begins[start], begins[end], word)


def is_identifier(word: str) -> bool:
    """Whether a search word is an identifier that stands beside its parts.

    >>> is_identifier("c++"), is_identifier("0x80070057")
    (True, False)
    """
    return not _IDENTIFIER_MARKS.isdisjoint(word)


def _spans(prepared: str) -> Iterator[Span]:
    first, joined = -1, False
    matches = list(_pattern().finditer(prepared))
    for number, match in enumerate(matches):
        start, end = match.span(1)
        yield Span(start, end, match.group(1))
        if not _is_letter(prepared[start]):
            continue
        if first < 0:
            first, joined = start, False
        if number + 1 < len(matches):
            after = matches[number + 1].start()
            connected = after == end + 1 and prepared[end] in _CONNECTORS
            if connected and _is_letter(prepared[after]):
                joined = True
                continue
        sharp = prepared[first : first + 1] in _DIGITS and prepared[max(0, first - 1)] == "#"
        suffix = 2 if prepared.startswith("++", end) else 1 if prepared.startswith("#", end) else 0
        start, end, first = first - sharp, end + suffix, -1
        found = prepared[start:end]
        if (sharp or suffix or (joined and _TECHNICAL.search(found))) and (
            len(found.encode("utf-8", "surrogatepass")) <= LONGEST_IDENTIFIER
        ):
            yield Span(start, end, found)


def _is_letter(character: str) -> bool:
    return bool(class_table("words")[ord(character)] == LETTER)


@lru_cache
def _pattern() -> re.Pattern[str]:
    return re.compile(plain_pattern())
