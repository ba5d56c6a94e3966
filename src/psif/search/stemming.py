"""Words to stems, by language: "boundaries" and "boundary" are found by each other.

The algorithms are those of Snowball, through the package ``snowballstemmer``; where ``PyStemmer``
is installed, that package uses it and is about 15 times as fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from psif.errors import InputError
from psif.runtime.suggestions import unknown_name

NO_LANGUAGE = "none"
# To be found out; so it stays in an index without documents.
AUTO = "auto"


def check_language(language: str) -> str:
    """Return a language that can be stemmed, "none" or "auto"."""
    import snowballstemmer

    if not isinstance(language, str):
        raise InputError(
            f"language must be 'auto', 'none' or a name such as 'english'; got {language!r}."
        )
    known = [AUTO, NO_LANGUAGE, *snowballstemmer.algorithms()]
    if language not in known:
        raise unknown_name("language", language, known)
    return language


def stem_words(words: Sequence[str], language: str) -> list[str]:
    """Return the stem of each word; words that are not all letters stay as they are.

    >>> stem_words(["boundaries", "c++", "0x80070057", "boundary"], "english")
    ['boundari', 'c++', '0x80070057', 'boundari']
    """
    if language in (NO_LANGUAGE, AUTO):
        return list(words)
    plain = [word for word in words if word.isalpha()]
    stems = iter(_stemmer(language).stemWords(plain))
    return [next(stems) if word.isalpha() else word for word in words]


@lru_cache(maxsize=4)
def _stemmer(language: str) -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer(language)
