"""Word characters of the presets, as a regular expression and as a table for the compiled scan."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from psif.text.unicode_ranges import HAN, LETTERS_MARKS_NUMBERS, parse

# Values of the class table, shared with psif.compiled.word_scan.
SEPARATOR, LETTER, WHOLE_WORD = 0, 1, 2

_N_CODE_POINTS = 0x110000


@lru_cache
def class_table(preset: str) -> NDArray[np.uint8]:
    """Class of every code point: separates, joins its neighbours, or is a word by itself."""
    table = np.zeros(_N_CODE_POINTS, dtype=np.uint8)
    for value, ranges in _classes(preset).items():
        for first, last in ranges:
            table[first : last + 1] = value
    table.flags.writeable = False
    return table


@lru_cache
def preset_pattern(preset: str) -> str:
    """Return the regular expression that finds the same words as the table."""
    table = class_table(preset)
    letters, wholes = _runs(table == LETTER), _runs(table == WHOLE_WORD)
    # Python looks up characters below 0x10000 in a bitmap and tries ranges above it one by one:
    # the look-ahead spares every space and comma those tries.
    low = _character_set([r for r in letters if r[1] < 0x10000])
    high = [r for r in letters if r[1] >= 0x10000]
    words = f"(?:{low}+|(?=[\U00010000-\U0010ffff]){_character_set(high)})+" if high else f"{low}+"
    return f"{words}|{_character_set(wholes)}" if wholes else words


def _classes(preset: str) -> dict[int, list[tuple[int, int]]]:
    if preset == "unicode":
        return {LETTER: parse(LETTERS_MARKS_NUMBERS), WHOLE_WORD: parse(HAN)}
    if preset == "paper":
        return {LETTER: [(ord("A"), ord("Z")), (ord("a"), ord("z"))]}
    raise AssertionError(f"no preset {preset!r}")


def _runs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(first), int(after) - 1) for first, after in edges.reshape(-1, 2)]


def _character_set(ranges: list[tuple[int, int]]) -> str:
    return "[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges) + "]"
