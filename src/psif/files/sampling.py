"""A random sample of a stream of texts, of bounded size, in one pass."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

# A text counts as one character more than it has, so that very many short or empty texts are
# bounded too: each of them costs 24 bytes beside its characters.
_COST = 1


class TextSample(Sequence[str]):
    """Texts in the order of their stream, stored as UTF-8 one after the other.

    A list of strings would need some 60 bytes more per text.

    Attributes
    ----------
    n_characters : int
        Of all texts in the sample.
    n_seen : int
        Texts in the stream.
    n_seen_characters : int
        Of all of them.
    is_whole : bool
        Whether the sample is the whole stream, with no text left out or cut.
    """

    def __init__(self, data: bytearray, ends: NDArray[np.int64]) -> None:
        self._data, self._ends = data, ends
        self.n_characters = 0
        self.n_seen = 0
        self.n_seen_characters = 0

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left out."""
        return len(self) == self.n_seen and self.n_characters == self.n_seen_characters

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self._text(i) for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self._text(index % len(self))

    def __iter__(self) -> Iterator[str]:
        return map(self._text, range(len(self)))

    def bounds(self, i: int) -> tuple[int, int]:
        """Where the bytes of text ``i`` begin and end."""
        return int(self._ends[i - 1]) if i else 0, int(self._ends[i])

    def _text(self, i: int) -> str:
        start, end = self.bounds(i)
        return self._data[start:end].decode("utf-8", "surrogatepass")

    def shorten(self, i: int, size: int) -> None:
        """Cut text ``i`` after ``size`` characters or the word before; drop it if none is left."""
        whole, (start, end) = self[i], self.bounds(i)
        short = _cut(whole, size)
        encoded = short.encode("utf-8", "surrogatepass")
        self._data[start:end] = encoded
        self._ends[i:] += len(encoded) - (end - start)
        self.n_characters += len(short) - len(whole)
        if not short and len(self) > 1:
            self._ends = np.delete(self._ends, i)


def sample_texts(texts: Iterable[str], max_characters: int, seed: int = 0) -> TextSample:
    """Draw a uniform sample of a stream, as large as ``max_characters`` allows.

    Every text draws a number between 0 and 1. The sample has the texts with the smallest numbers,
    as many as there is room for, and of the next one its beginning, so that all of the room is
    used. If all texts have room together, the sample is all of them.

    Parameters
    ----------
    texts : iterable of str
        Read once; at most about three times ``max_characters`` are in memory.
    max_characters : int
        A text counts as one character more than it has.
    seed : int, default=0
    """
    pool = _Pool(max(1, max_characters))
    draws = np.random.default_rng(seed)
    n_seen = n_seen_characters = 0
    for text in texts:
        n_seen += 1
        n_seen_characters += len(text)
        pool.offer(float(draws.random()), text)
    sample = pool.sample()
    sample.n_seen, sample.n_seen_characters = n_seen, n_seen_characters
    return sample


class _Pool:
    """Texts that may belong to the sample: those with the smallest numbers so far."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._threshold = 1.0
        self._draws, self._costs, self._ends = array("d"), array("q"), array("q")
        self._data = bytearray()
        self._cost, self._most = 0, 2 * room

    def offer(self, draw: float, text: str) -> None:
        """Take a text, unless those with smaller numbers already fill the room."""
        if draw >= self._threshold:
            return
        text = text[: self._room]  # not even a single text has more
        self._data += text.encode("utf-8", "surrogatepass")
        self._draws.append(draw)
        self._costs.append(len(text) + _COST)
        self._ends.append(len(self._data))
        self._cost += len(text) + _COST
        # Only now and then: each time all that is kept is copied.
        if self._cost > self._most:
            self._shrink()

    def _shrink(self) -> int:
        """Keep what fills the room and the text that overfills it; return that one's excess."""
        costs = np.array(self._costs)
        order = np.argsort(self._draws, kind="stable")
        filled = np.cumsum(costs[order])
        last = int(np.searchsorted(filled, self._room, side="left"))
        if last >= len(order):
            return 0
        excess = int(filled[last]) - self._room
        kept = np.zeros(len(order), dtype=bool)
        kept[order[: last + 1]] = True
        self._threshold = self._draws[order[last]]
        draws, ends, data = np.array(self._draws), np.array(self._ends), self._data
        sizes = np.diff(ends, prepend=0)
        self._data = bytearray(np.frombuffer(data, dtype=np.uint8)[np.repeat(kept, sizes)])
        self._draws, self._costs = array("d", draws[kept]), array("q", costs[kept])
        self._ends = array("q", np.cumsum(sizes[kept]))
        self._cost = int(filled[last])
        self._most = self._cost + self._room
        return excess

    def sample(self) -> TextSample:
        """Return the texts in order; the one with the largest number is cut to its room."""
        excess = self._shrink()
        texts = TextSample(self._data, np.array(self._ends, dtype=np.int64))
        texts.n_characters = self._cost - _COST * len(texts)
        if excess:
            place = int(np.argmax(self._draws))
            texts.shorten(place, self._costs[place] - _COST - excess)
        return texts


def _cut(text: str, size: int) -> str:
    """Return the beginning of a text, up to the end of a word if there is one."""
    short = text[: max(0, size)]
    if text[len(short) : len(short) + 1].isspace():
        return short
    words = short.rsplit(None, 1)
    return words[0] if len(words) == 2 else short
