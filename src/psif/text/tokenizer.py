"""Text to words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from psif.errors import InputError

PRESETS: dict[str, dict[str, Any]] = {
    # Runs of letters and digits in any script.
    "unicode": {"pattern": r"[^\W_]+"},
    # The authors' preparation: letters only, no English stop words, no one-letter words.
    "paper": {"pattern": r"[a-z]+", "stop_words": "english", "min_length": 2},
}


class Tokenizer:
    """Cut a text into words, always in the same way.

    Parameters
    ----------
    pattern : str or callable, default="unicode"
        A preset ("unicode", "paper"), a regular expression, or a function from text to words.
    lowercase : bool, default=True
    stop_words : "english", iterable of str or None
        Words to leave out.
    min_length : int, default=1
        Words with fewer characters are left out.
    """

    def __init__(
        self,
        pattern: str | Callable[[str], Iterable[str]] = "unicode",
        *,
        lowercase: bool = True,
        stop_words: str | Iterable[str] | None = None,
        min_length: int = 1,
    ) -> None:
        if isinstance(pattern, str) and pattern in PRESETS:
            preset = PRESETS[pattern]
            pattern = preset["pattern"]
            stop_words = stop_words if stop_words is not None else preset.get("stop_words")
            min_length = max(min_length, preset.get("min_length", 1))
        self.pattern = pattern
        self.lowercase = lowercase
        self.stop_words = _stop_words(stop_words)
        self.min_length = min_length
        self._split: Callable[[str], Iterable[str]]
        if callable(pattern):
            self._split = pattern
        else:
            try:
                self._split = re.compile(pattern).findall
            except re.error as error:
                raise InputError(
                    f"tokenizer pattern {pattern!r} is neither a preset {sorted(PRESETS)} "
                    f"nor a regular expression: {error}."
                ) from error

    def __call__(self, text: str) -> list[str]:
        """Return the words of one text."""
        words = self._split(text.lower() if self.lowercase else text)
        return [w for w in words if len(w) >= self.min_length and w not in self.stop_words]

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
        }

    @classmethod
    def from_dict(cls, options: dict[str, Any]) -> Tokenizer:
        """Inverse of :meth:`to_dict`."""
        return cls(**options)


def _stop_words(words: str | Iterable[str] | None) -> frozenset[str]:
    if words is None:
        return frozenset()
    if isinstance(words, str):
        if words != "english":
            raise InputError(f"stop_words must be 'english' or a list of words; got {words!r}.")
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        return frozenset(ENGLISH_STOP_WORDS)
    return frozenset(words)
