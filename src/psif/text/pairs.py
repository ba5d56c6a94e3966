"""Two words that count as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from psif.errors import InputError

JOINER = "_"
# The two words and what they become.
Pairs: TypeAlias = dict[tuple[str, str], str]


def named_pairs(pairs: Iterable[Sequence[str]]) -> Pairs:
    """Give each pair its name.

    >>> named_pairs([("new", "york")])
    {('new', 'york'): 'new_york'}
    """
    named: Pairs = {}
    for pair in pairs:
        if isinstance(pair, str) or len(pair) != 2 or not all(isinstance(w, str) for w in pair):
            raise InputError(f"a phrase is a pair of words, such as ('new', 'york'); got {pair!r}.")
        first, second = pair
        named[first, second] = f"{first}{JOINER}{second}"
    return named


def join_words(words: list[str], pairs: Pairs) -> list[str]:
    """Join from left to right; a word joins only once."""
    out: list[str] = []
    i = 0
    while i < len(words):
        joined = pairs.get((words[i], words[i + 1])) if i + 1 < len(words) else None
        out.append(words[i] if joined is None else joined)
        i += 1 if joined is None else 2
    return out
