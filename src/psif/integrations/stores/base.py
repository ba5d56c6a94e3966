"""What an export needs of a store."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, ClassVar, Self

from psif.errors import PsifError
from psif.types import FloatMatrix, FloatVector


class ExportError(PsifError):
    """A store is full, down, or does not hold what was written to it."""


@dataclass(frozen=True)
class Rows:
    """Documents to write.

    Attributes
    ----------
    ids : list of str
    vectors : ndarray of shape (n_docs, n_dims)
    texts : list of (str or None)
    metadata : list of dict
    """

    ids: list[str]
    vectors: FloatMatrix
    texts: list[str | None]
    metadata: list[dict[str, Any]]

    def take(self, places: Sequence[int]) -> Rows:
        """Return some of the rows."""
        return Rows(
            [self.ids[i] for i in places],
            self.vectors[list(places)],
            [self.texts[i] for i in places],
            [self.metadata[i] for i in places],
        )

    def metadata_json(self) -> list[str | None]:
        """Metadata as JSON; None where there is none."""
        return [as_json(entry) if entry else None for entry in self.metadata]


@dataclass(frozen=True)
class Target:
    """Where to write.

    Attributes
    ----------
    place : str
        Path or address.
    table : str
        Table or collection there.
    n_dims : int
    has_texts : bool
    may_exist : bool
        Whether a store that is one file may be replaced.
    resumes : bool
        Whether to go on with what an interrupted export left.
    source : str
        What is exported: a checksum.
    """

    place: str
    table: str
    n_dims: int
    has_texts: bool
    may_exist: bool = False
    resumes: bool = False
    source: str = ""

    @property
    def key(self) -> dict[str, Any]:
        """What an export must have in common with one that it continues."""
        return {"source": self.source, "table": self.table, "n_dims": self.n_dims}


class Store(ABC):
    """A store that is being filled; a context manager.

    Attributes
    ----------
    most_dims : int or None
        Numbers that a vector may have there.
    keeps_batches : bool
        Whether what was written before an interruption stays, so that an export can be resumed.
    """

    most_dims: ClassVar[int | None] = None
    keeps_batches: ClassVar[bool] = True

    def __init__(self, target: Target) -> None:
        self.target = target

    def __enter__(self) -> Self:
        try:
            with self.telling():
                self.open()
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            with self.telling():
                self.close()
        else:
            with suppress(Exception):  # the reason is known already
                self.close()

    @abstractmethod
    def open(self) -> None:
        """Connect, and make the table where there is none."""

    @abstractmethod
    def known(self, ids: list[str]) -> set[str]:
        """Which of these ids are there already."""

    @abstractmethod
    def write(self, rows: Rows) -> None:
        """Write documents; those that are there are replaced."""

    @abstractmethod
    def count(self) -> int:
        """Return the number of documents there."""

    @abstractmethod
    def read(self, ids: list[str]) -> dict[str, FloatVector]:
        """Vectors of some documents."""

    def finish(self) -> list[str]:
        """Build what makes queries fast; return notes for the user."""
        return []

    def appear(self) -> None:  # noqa: B027 (most stores are where they were asked for)
        """Put a store that is complete and checked where it was asked for."""

    @abstractmethod
    def close(self) -> None:
        """Disconnect."""

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Turn errors of the store's own library into ours."""
        try:
            yield
        except (PsifError, MemoryError, KeyboardInterrupt):
            raise
        except Exception as error:
            lines = str(error).strip().splitlines() or [type(error).__name__]
            advice = " What was written stays; add --resume to continue."
            raise ExportError(
                f"{hidden(self.target.place)}: {lines[0].rstrip('.')[:300]}."
                f"{advice if self.keeps_batches else ''}"
            ) from error


def as_json(value: Any) -> str:
    """Write metadata as JSON; dates and the like become text."""
    return json.dumps(value, ensure_ascii=False, default=str)


def hidden(place: str) -> str:
    """Return an address without its password."""
    head, separator, rest = place.partition("://")
    if separator and "@" in rest:
        user, _, host = rest.rpartition("@")
        return f"{head}://{user.partition(':')[0]}@{host}"
    return place
