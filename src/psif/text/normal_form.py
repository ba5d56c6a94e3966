"""One spelling for what reads the same, before a text is cut into words.

Unicode writes "é" as one character or as "e" and an accent; its normal form C (UAX #15) is the
first. Soft hyphens, which show only at the end of a line, are left out, and typographic apostrophes
become plain ones.
"""

from __future__ import annotations

import unicodedata
from itertools import takewhile

_SOFT_HYPHEN, _APOSTROPHE = "\u00ad", "\u2019"
# Besides marks, what can melt into the character before it: Korean vowels and final consonants, and
# vowels of Kirat Rai.
_MELTING = ((0x1161, 0x1175), (0x11A8, 0x11C2), (0x16D63, 0x16D6A))


def normal_form(text: str) -> str:
    """Return a text in its normal form; ASCII text as it is.

    >>> normal_form("cafe\u0301 can\u2019t co\u00adoperate")
    "café can't cooperate"
    """
    if text.isascii():
        return text
    text = text.replace(_SOFT_HYPHEN, "").replace(_APOSTROPHE, "'")
    return unicodedata.normalize("NFC", text)


def normal_form_in_place(text: str) -> tuple[str, list[int] | None]:
    """Return the normal form, and where each of its characters begins in the text.

    The places end with the length of the text; None says that every character is in its place.
    """
    normal = normal_form(text)
    if _SOFT_HYPHEN not in text and unicodedata.is_normalized("NFC", text):
        return normal, None
    places: list[int] = []
    starts = [i for i, character in enumerate(text) if not i or not _melts(character)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        part = normal_form(text[start:end])
        # What did not melt stays in place, counted from the end; the rest grows or shrinks before.
        after = end - _n_same_at_end(part, text[start:end])
        n_changed = len(part) - (end - after)
        places += [max(start, min(start + i, after - 1)) for i in range(n_changed)]
        places += range(after, end)
    return normal, [*places, len(text)]


def lower_case_in_place(text: str) -> tuple[str, list[int] | None]:
    """Return the text in lower case, and where each of its characters begins: "İ" becomes two."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered, None
    places = [i for i, character in enumerate(text) for _ in character.lower()]
    return lowered, [*places, len(text)]


def _n_same_at_end(first: str, second: str) -> int:
    pairs = zip(reversed(first), reversed(second), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _melts(character: str) -> bool:
    """Whether a character can melt into the one before it."""
    code = ord(character)
    return (
        code == ord(_SOFT_HYPHEN)
        or unicodedata.category(character)[0] == "M"
        or any(first <= code <= last for first, last in _MELTING)
    )
