"""Options of reading, and what a reader reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from psif.errors import FormatError

# Messages kept of many bad records; the rest are counted.
_KEPT = 5


class Document(NamedTuple):
    """One document of a file."""

    id: str
    text: str


@dataclass(frozen=True)
class ReadOptions:
    """How to read.

    Attributes
    ----------
    text_column, id_column : str or None
        None: "text" and "id" where they exist; then the only column of strings, and the
        document's number.
    on_error : "fail" or "skip"
        What to do about a record that cannot be read.
    encoding : str or None
        None: found from a byte order mark or the first bytes.
    format : str or None
        None: by the file's ending; standard input without it is read as ``txt``.
    other_columns : callable or None
        Called with the other columns of each record, by name, just before its document is
        yielded. Not called for records that have none (lines of ``txt``, files of a folder).
    whole_rows : callable or None
        The same with all columns, id and text among them, in their order.
    """

    text_column: str | None = None
    id_column: str | None = None
    on_error: str = "fail"
    encoding: str | None = None
    format: str | None = None
    other_columns: Callable[[dict[str, Any]], None] | None = None
    whole_rows: Callable[[dict[str, Any]], None] | None = None


@dataclass
class ReadReport:
    """What happened while reading; filled during it."""

    n_docs: int = 0
    n_skipped: int = 0
    n_replaced: int = 0
    n_numbered: int = 0  # documents without an id of their own
    bytes_read: int = 0
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def bad(self, place: str, problem: str, options: ReadOptions) -> None:
        """Raise for a bad record, or count it, as the options say."""
        if options.on_error == "fail":
            raise FormatError(f"{place}: {problem} (--on-error skip leaves such records out)")
        self.n_skipped += 1
        if len(self.problems) < _KEPT:
            self.problems.append(f"{place}: {problem}")
