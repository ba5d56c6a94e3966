"""Where the words of a text stand in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from psif.text.characters import preset_pattern
from psif.text.pairs import Pairs, join_words
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
    lowered = text.lower() if tokenizer.lowercase else text
    # A few characters grow when lower-cased ("İ"); then words are found before and lower-cased
    # one by one, so that places stay those of the text.
    same = len(lowered) == len(text)
    for match in pattern.finditer(lowered if same else text):
        start, end = match.span(pattern.groups)
        word = match.group(pattern.groups)
        if word is None or start == end:
            continue
        word = word.lower() if tokenizer.lowercase else word
        if len(word) >= tokenizer.min_length and word not in tokenizer.stop_words:
            yield Span(start, end, word)
