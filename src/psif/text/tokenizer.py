"""Text to words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from psif.errors import InputError
from psif.text.characters import class_table
from psif.text.normal_form import normal_form
from psif.text.pairs import Pairs, join_words, named_pairs
from psif.text.patterns import preset_pattern

# Models name the preset that they were fitted with: what a preset does never changes.
PRESETS: dict[str, dict[str, Any]] = {
    # Words as people write them in mails and tickets, in any script.
    "words": {},
    # Runs of letters, marks and digits in any script; each Chinese character is a word. The default
    # of version 0.1.
    "unicode": {},
    # The authors' preparation: letters only, no English stop words, no one-letter words.
    "paper": {"stop_words": "english", "min_length": 2},
}


class Tokenizer:
    """Cut a text into words, always in the same way.

    Parameters
    ----------
    pattern : str or callable, default="words"
        A preset ("words", "unicode", "paper"), a regular expression, or a function from text to
        words.
        Presets are scanned by compiled code; a regular expression or a function is called on
        each document and is therefore several times slower.
    lowercase : bool, default=True
        Lower-case the text first, as ``str.lower`` does.
    stop_words : "english", iterable of str or None
        Words to leave out. None takes the preset's own choice, ``[]`` means none at all.
    min_length : int, default=1
        Words with fewer characters are left out.
    phrases : sequence of sequences of pairs, default=()
        Pairs of words that count as one, joined from left to right; each further sequence is
        one more pass over the result, for longer phrases. Phrases go the slower way of functions.

    Notes
    -----
    The "words" preset cuts texts into runs of Unicode letters, marks and digits (categories L, M
    and N), after it gave them one spelling: Unicode's normal form C, plain apostrophes, no soft
    hyphens. Hyphens and underscores separate. Beyond that,

    - contractions are one word (``can't``, ``we'll``), and the ``'s`` of ``John's`` is left out;
    - ``C++``, ``C#``, numbers with dots (``3.14``, ``v2.0.1``), ``#12345`` and addresses
      (``user@host.org``) are one word;
    - each Chinese character, each emoji and each flag is a word; Japanese is cut where hiragana,
      katakana and Chinese characters meet.

    The "unicode" preset, the default of version 0.1, has none of these rules but that for Chinese:
    ``"don't"`` gives ``["don", "t"]``. The "paper" preset keeps runs of the letters A to Z of at
    least two, without English stop words.

    Examples
    --------
    >>> Tokenizer()("P-SIF: Größe, हिन्दी, 漢字 & snake_case!")
    ['p', 'sif', 'größe', 'हिन्दी', '漢', '字', 'snake', 'case']
    >>> Tokenizer()("I can't build C++ v2.0.1, see #12345 🙂")
    ['i', "can't", 'build', 'c++', 'v2.0.1', 'see', '#12345', '🙂']
    """

    def __init__(
        self,
        pattern: str | Callable[[str], Iterable[str]] = "words",
        *,
        lowercase: bool = True,
        stop_words: str | Iterable[str] | None = None,
        min_length: int = 1,
        phrases: Sequence[Iterable[Sequence[str]]] = (),
    ) -> None:
        if min_length < 1:
            raise InputError(f"min_length must be at least 1; got {min_length}.")
        if isinstance(pattern, str) and pattern in PRESETS:
            preset = PRESETS[pattern]
            stop_words = stop_words if stop_words is not None else preset.get("stop_words")
            min_length = max(min_length, preset.get("min_length", 1))
        self.pattern = pattern
        self.lowercase = lowercase
        self.stop_words = _stop_words(stop_words)
        self.min_length = min_length
        self.phrases: tuple[Pairs, ...] = tuple(map(named_pairs, phrases))
        if not callable(pattern) and pattern not in PRESETS:
            self._split = _regex_split(pattern)  # now, so that a bad one is refused

    @cached_property
    def _split(self) -> Callable[[str], Iterable[str]]:
        """Cut one text. The expression of a preset is compiled when it is first needed.

        That takes longer than loading a model, and the compiled scan does without it.
        """
        return self.pattern if callable(self.pattern) else _regex_split(self.pattern)

    @classmethod
    def of(cls, tokenizer: str | Tokenizer | Callable[[str], Iterable[str]]) -> Tokenizer:
        """Return a tokenizer as it is; make one of a preset, a pattern or a function."""
        return tokenizer if isinstance(tokenizer, Tokenizer) else cls(tokenizer)

    def __call__(self, text: str) -> list[str]:
        """Return the words of one text."""
        words = self._split(self.prepare(text))
        kept = [w for w in words if len(w) >= self.min_length and w not in self.stop_words]
        for pairs in self.phrases:
            kept = join_words(kept, pairs)
        return kept

    def prepare(self, text: str) -> str:
        """Return the text as it is cut: in its normal form (preset "words"), in lower case."""
        if self.normalises:
            text = normal_form(text)
        return text.lower() if self.lowercase else text

    @property
    def normalises(self) -> bool:
        """Whether texts are brought to their normal form before they are cut."""
        return self.pattern == "words"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tokenizer) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return (
            f"Tokenizer({self.pattern!r}, lowercase={self.lowercase}, "
            f"stop_words=<{len(self.stop_words)} words>, min_length={self.min_length})"
        )

    @property
    def classes(self) -> NDArray[np.uint8] | None:
        """The class of every character for the compiled scan; None if only Python can do it."""
        if isinstance(self.pattern, str) and self.pattern in PRESETS and not self.phrases:
            return class_table(self.pattern)
        return None

    def with_phrases(self, pairs: Iterable[Sequence[str]]) -> Tokenizer:
        """Return a tokenizer that joins these pairs as well, after all that this one does."""
        return Tokenizer(
            self.pattern,
            lowercase=self.lowercase,
            stop_words=self.stop_words,
            min_length=self.min_length,
            phrases=[*self.phrases, pairs],
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything needed to tokenise the same way again."""
        if callable(self.pattern):
            raise InputError(
                "a tokenizer that is a Python function cannot be saved; give a regular expression."
            )
        return {
            "pattern": self.pattern,
            "lowercase": self.lowercase,
            "stop_words": sorted(self.stop_words),
            "min_length": self.min_length,
            # Models without phrases stay readable to versions that know of none.
            **({"phrases": [[*map(list, p)] for p in self.phrases]} if self.phrases else {}),
        }

    @classmethod
    def from_dict(cls, options: dict[str, Any]) -> Tokenizer:
        """Inverse of :meth:`to_dict`."""
        return cls(**options)

    def _key(self) -> tuple[Any, ...]:
        phrases = tuple(map(tuple, self.phrases))
        return self.pattern, self.lowercase, self.stop_words, self.min_length, phrases


def _regex_split(pattern: str) -> Callable[[str], Iterable[str]]:
    try:
        compiled = re.compile(preset_pattern(pattern) if pattern in PRESETS else pattern)
    except re.error as error:
        raise InputError(
            f"tokenizer pattern {pattern!r} is neither a preset {sorted(PRESETS)} "
            f"nor a regular expression: {error}."
        ) from error
    if compiled.groups > 1:
        raise InputError(
            f"tokenizer pattern {pattern!r} has {compiled.groups} groups, expected at most one; "
            "write the others as (?:...)."
        )
    return compiled.findall


def _stop_words(words: str | Iterable[str] | None) -> frozenset[str]:
    if words is None:
        return frozenset()
    if isinstance(words, str):
        if words != "english":
            raise InputError(f"stop_words must be 'english' or a list of words; got {words!r}.")
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        return frozenset(ENGLISH_STOP_WORDS)
    return frozenset(words)
