"""Where the words of a text stand in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from psif.text.characters import preset_pattern
from psif.text.tokenizer import PRESETS, Tokenizer


class Span(NamedTuple):
    """A word as the tokenizer gives it, and its place in the text."""

    start: int
    end: int
    word: str


def word_spans(text: str, tokenizer: Tokenizer) -> Iterator[Span]:
    """Words of a text in their order, with their places.

    A tokenizer that is a function tells no places: there are no spans then.
    """
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
