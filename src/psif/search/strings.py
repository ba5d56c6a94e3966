"""Many strings as two arrays, which can stay in a file."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from psif.errors import FormatError
from psif.types import CountVector, IdVector


@dataclass(frozen=True)
class Strings(Sequence[bytes]):
    """Byte strings, one after the other.

    Attributes
    ----------
    data : ndarray of uint8
    ends : ndarray of int64
        Where each string ends.
    """

    data: NDArray[np.uint8]
    ends: CountVector

    @classmethod
    def of(cls, strings: Iterable[bytes]) -> Strings:
        """Store byte strings."""
        parts = list(strings)
        lengths = np.fromiter(map(len, parts), np.int64, len(parts))
        return cls(np.frombuffer(b"".join(parts), dtype=np.uint8), np.cumsum(lengths))

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, index: int) -> bytes:  # type: ignore[override]
        begin = int(self.ends[index - 1]) if index else 0
        return self.data[begin : int(self.ends[index])].tobytes()

    def __iter__(self) -> Iterator[bytes]:
        whole, begin = self.data.tobytes(), 0
        for end in self.ends.tolist():
            yield whole[begin:end]
            begin = end

    def find(self, string: bytes, order: IdVector | None = None) -> int:
        """Position of a string, or -1; strings are sorted, or ``order`` is what sorts them."""
        places: Any = range(len(self)) if order is None else order
        place = bisect_left(places, string, key=lambda i: self[int(i)])
        if place < len(self) and self[int(places[place])] == string:
            return int(places[place])
        return -1

    def check(self, what: str) -> None:
        """Raise if these arrays are no strings: what reads them does not look."""
        steps = np.diff(self.ends, prepend=0)
        if (steps < 0).any() or (len(self.ends) and int(self.ends[-1]) != len(self.data)):
            raise FormatError(f"the {what} are damaged: their lengths do not fit.")
        if not len(self.ends) and len(self.data):
            raise FormatError(f"the {what} are damaged: there is text without strings.")


def to_bytes(text: str) -> bytes:
    """Return UTF-8; lone surrogates are kept."""
    return text.encode("utf-8", "surrogatepass")


def to_text(data: bytes) -> str:
    """Inverse of :func:`to_bytes`."""
    return data.decode("utf-8", "surrogatepass")
