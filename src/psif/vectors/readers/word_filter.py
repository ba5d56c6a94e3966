"""Which words of a file to keep, decided while reading."""

from __future__ import annotations

from collections.abc import Iterable

from psif.errors import FormatError, InputError


class Wanted:
    """Take words one by one in file order; refuse duplicates; know when to stop.

    Parameters
    ----------
    top_n : int or None
        Read only the first ``top_n`` words of the file.
    only : iterable of str or None
        Keep only these words.
    """

    def __init__(self, top_n: int | None = None, only: Iterable[str] | None = None) -> None:
        if top_n is not None and top_n < 1:
            raise InputError(f"top_n must be 1 or more; got {top_n}.")
        if isinstance(only, str):
            raise InputError(f"only= takes a collection of words; got the string {only!r}.")
        self.top_n = top_n
        self.only = None if only is None else frozenset(only)
        self.words: list[str] = []
        self.n_seen = 0
        self._first_place: dict[str, int] = {}

    @property
    def limited(self) -> bool:
        """Whether any word of the file may be left out."""
        return self.top_n is not None or self.only is not None

    @property
    def complete(self) -> bool:
        """Whether nothing further in the file can be wanted."""
        if self.top_n is not None and self.n_seen >= self.top_n:
            return True
        return self.only is not None and len(self.words) == len(self.only)

    def take(self, word: str, place: int, path: object, unit: str = "line") -> bool:
        """Whether to keep ``word``; ``place`` (its line or entry) goes into the error message."""
        self.n_seen += 1
        if self.only is not None and word not in self.only:
            return False
        if not word:
            raise FormatError(f"{path}, {unit} {place}: the word is empty.")
        if word in self._first_place:
            raise FormatError(
                f"{path}, {unit} {place}: the word {word!r} stands already in {unit} "
                f"{self._first_place[word]}. Keep one of the two."
            )
        self._first_place[word] = place
        self.words.append(word)
        return True

    def require(self, path: object) -> None:
        """Refuse to go on with nothing."""
        if not self.words:
            reason = "none of the words in only= is in it" if self.n_seen else "it is empty"
            raise FormatError(f"{path} gives no word vectors: {reason}.")


def decode(raw: bytes, place: int, path: object, unit: str = "line") -> str:
    """UTF-8 to text, or say where it is not."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{path}, {unit} {place}: the word {raw[:40]!r} is not UTF-8. "
            "Convert the file, or check that it is not a binary format under a text name."
        ) from error
