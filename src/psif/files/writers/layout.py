"""What a format must provide so that its files can be written, interrupted and continued.

A file is a head of fixed length, chunks one after the other, and a tail. Each chunk leaves a small
note in the journal of the job; head and tail are made from the notes at the end. So nothing but
the journal is needed to continue after a break.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

Note = dict[str, Any]
Notes = Callable[[], Iterable[Note]]  # may be read more than once, never held as a whole
Bytes = bytes | bytearray | memoryview


class Layout(Protocol):
    """One output format."""

    def blank_head(self) -> bytes:
        """Bytes in the place of the head until it is known."""

    def body(self, chunk: Any, position: int) -> tuple[list[Bytes], Note]:
        """Bytes of a chunk that begins at ``position``, and its note."""

    def head(self, notes: Notes) -> bytes:
        """Return the head, as long as the blank one."""

    def tail(self, notes: Notes, position: int) -> Iterator[Bytes]:
        """Return what follows the last chunk, which ends at ``position``."""

    def sidecar(self, notes: Notes) -> Iterator[Bytes] | None:
        """Lines of a second file, for formats with no room for ids; else None."""
