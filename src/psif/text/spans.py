"""Where the words of a text stand in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from psif.text.normal_form import lower_case_in_place, normal_form_in_place
from psif.text.pairs import Pairs, join_words
from psif.text.patterns import preset_pattern
from psif.text.tokenizer import PRESETS, Tokenizer


class Span(NamedTuple):
    """A word as the tokenizer gives it, and its place in the text."""

    start: int
    end: int
    word: str


def word_spans(text: str, tokenizer: Tokenizer) -> Iterator[Span]:
    """Words of a text in their order, with their places; a phrase reaches over both its words.

    A tokenizer that is a function tells no places: there are no spans then.
    """
    spans = list(_single_words(text, tokenizer))
    for pairs in tokenizer.phrases:
        spans = _join_spans(spans, pairs)
    return iter(spans)


def prepare_in_place(text: str, tokenizer: Tokenizer) -> tuple[str, list[int] | None]:
    """Return the text as it is cut, and where each of its characters begins (None: in its place).

    The places end with the length of the text.
    """
    begins = None
    if tokenizer.normalises:
        text, begins = normal_form_in_place(text)
    if tokenizer.lowercase:
        text, grown = lower_case_in_place(text)
        begins = _both(begins, grown)
    return text, begins


def _join_spans(spans: list[Span], pairs: Pairs) -> list[Span]:
    """Join as :func:`psif.text.pairs.join_words` does."""
    joined = join_words([span.word for span in spans], pairs)
    out: list[Span] = []
    rest = iter(spans)
    for word in joined:
        first = next(rest)
        last = first if first.word == word else next(rest)
        out.append(Span(first.start, last.end, word))
    return out


def _single_words(text: str, tokenizer: Tokenizer) -> Iterator[Span]:
    if callable(tokenizer.pattern):
        return
    preset = tokenizer.pattern in PRESETS
    pattern = re.compile(preset_pattern(tokenizer.pattern) if preset else tokenizer.pattern)
    prepared, begins = prepare_in_place(text, tokenizer)
    for match in pattern.finditer(prepared):
        start, end = match.span(pattern.groups)
        word = match.group(pattern.groups)
        if word is None or start == end:
            continue
        if len(word) >= tokenizer.min_length and word not in tokenizer.stop_words:
            if begins is not None:
                start, end = begins[start], begins[end]
            yield Span(start, end, word)


def _both(first: list[int] | None, second: list[int] | None) -> list[int] | None:
    """Where characters were before two changes, each of which may have left all in place."""
    if first is None or second is None:
        return second if first is None else first
    return [first[i] for i in second]
