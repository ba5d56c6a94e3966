"""Classes of characters that the presets cut words by, as a table for the compiled scan."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from psif.text import unicode_ranges as ranges

# Values of the class table, shared with psif.compiled.word_scan. Neighbours of one class are a word
# together, but for whole words, which are one character each, and flags, which are two. Marks
# belong to the word before them. Connectors separate unless a rule says that they join.
SEPARATOR, LETTER, WHOLE_WORD, MARK, HIRAGANA, KATAKANA, FLAG, CONNECTOR = range(8)

_N_CODE_POINTS = 0x110000
_CONNECTORS = "#'+-.@_"

Ranges = list[tuple[int, int]]


@lru_cache
def class_table(preset: str) -> NDArray[np.uint8]:
    """Class of every code point."""
    table = np.zeros(_N_CODE_POINTS, dtype=np.uint8)
    for value, found in _classes(preset):
        for first, last in found:
            table[first : last + 1] = value
    table.flags.writeable = False
    return table


def _classes(preset: str) -> list[tuple[int, Ranges]]:
    """Classes and their characters; a later line overrules an earlier one."""
    letters = ranges.parse(ranges.LETTERS_MARKS_NUMBERS)
    han = ranges.parse(ranges.HAN)
    if preset == "words":
        return [
            (LETTER, letters),
            (MARK, ranges.parse(ranges.MARKS)),
            (MARK, ranges.parse(ranges.JOINERS)),
            (SEPARATOR, ranges.parse(ranges.VARIATION_SELECTORS)),
            (HIRAGANA, ranges.parse(ranges.HIRAGANA)),
            (KATAKANA, ranges.parse(ranges.KATAKANA)),
            (FLAG, ranges.parse(ranges.REGIONAL_INDICATORS)),
            (WHOLE_WORD, han),
            (WHOLE_WORD, ranges.parse(ranges.EMOJI)),
            (CONNECTOR, [(ord(character), ord(character)) for character in _CONNECTORS]),
        ]
    if preset == "unicode":
        return [(LETTER, letters), (WHOLE_WORD, han)]
    if preset == "paper":
        return [(LETTER, [(ord("A"), ord("Z")), (ord("a"), ord("z"))])]
    raise AssertionError(f"no preset {preset!r}")
