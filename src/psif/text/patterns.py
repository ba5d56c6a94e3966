r"""The presets as regular expressions: what the compiled scan does, in a form to read.

``tests/text`` checks that both find the same words, ``tests/explorer`` that a browser does.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from psif.text.characters import (
    FLAG,
    HIRAGANA,
    KATAKANA,
    LETTER,
    MARK,
    WHOLE_WORD,
    Ranges,
    class_table,
)

# The repeat of a run of characters, which gives none of them back. A plain "+" inside of a repeated
# group can be divided in 2^n ways: words of thirty letters would take hours where a rule fails.
RUN = "++"


@lru_cache
def preset_pattern(preset: str) -> str:
    """Return the regular expression that finds the words of a preset; its group, if any, is one."""
    if preset == "words":
        return _words()
    table = class_table(preset)
    words = f"{_some_of(table == LETTER)}+"
    wholes = _runs(table == WHOLE_WORD)
    return f"{words}|{_character_set(wholes)}" if wholes else words


@lru_cache
def plain_pattern() -> str:
    """Return an expression for the words of the preset "words" without names of things.

    Addresses, versions and names such as "c++" are cut into their parts.
    """
    rules = _Rules()
    return f"({rules.letters}{rules.ending}|{rules.others}){rules.possessive}"


def _words() -> str:
    """Return the preset "words"; its rules are tried one after the other."""
    rules = _Rules()
    word = rules.letters
    address = rf"{word}(?:[.+_-]{word}){{0,3}}@{word}(?:[.-]{word})*"
    # "c++", "c#"; "a+++" and "a#b" are neither.
    language = rf"{word}\+\+(?!\+)|[A-Za-z]#(?!{rules.inside})"
    # "v2.0.1" and "#12345".
    number = rf"(?:#(?=[0-9]))?{word}(?:(?<=[0-9])\.(?=[0-9]){word})*"
    found = f"{address}|{language}|{number}{rules.ending}|{rules.others}"
    return f"({found}){rules.possessive}"


class _Rules:
    """Parts of the expressions.

    Attributes
    ----------
    inside : str
        Letters and marks.
    letters : str
        A run of them that begins with a letter.
    ending : str
        What makes a contraction.
    possessive : str
        The "'s" of "John's", which is neither part of the word nor a word.
    others : str
        Japanese syllables, flags, and characters that are words.
    """

    def __init__(self) -> None:
        table = class_table("words")
        self.inside = _some_of((table == LETTER) | (table == MARK))
        self.letters = f"{_any_of(table == LETTER)}{self.inside}*"
        endings = "[tTdDmM]|[rR][eE]|[vV][eE]|[lL][lL]"
        self.ending = rf"(?:'(?:{endings})(?!{self.inside}))?"
        self.possessive = f"(?:'[sS](?!{self.inside}))?"
        syllables = [
            f"{_any_of(table == kind)}{_some_of((table == kind) | (table == MARK))}*"
            for kind in (HIRAGANA, KATAKANA)
        ]
        flag = f"{_any_of(table == FLAG)}{{1,2}}"
        self.others = "|".join([*syllables, flag, _any_of(table == WHOLE_WORD)])


def _any_of(mask: NDArray[np.bool_]) -> str:
    """Return an expression for one of some characters."""
    return _some_of(mask, "")


def _some_of(mask: NDArray[np.bool_], repeat: str = RUN) -> str:
    """Return an expression for at least one of some characters, to be repeated."""
    found = _runs(mask)
    # Python looks up characters below 0x10000 in a bitmap and tries ranges above it one by one:
    # the look-ahead spares every space and comma those tries.
    low = [r for r in found if r[1] < 0x10000]
    high = [r for r in found if r[1] >= 0x10000]
    parts = [f"{_character_set(low)}{repeat}"] if low else []
    parts += [f"(?=[\U00010000-\U0010ffff]){_character_set(high)}"] if high else []
    return f"(?:{'|'.join(parts)})"


def _runs(mask: NDArray[np.bool_]) -> Ranges:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(first), int(after) - 1) for first, after in edges.reshape(-1, 2)]


def _character_set(ranges: Ranges) -> str:
    return "[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges) + "]"
