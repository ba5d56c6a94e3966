"""Metadata of documents as columns, for filters.

A field may hold values of different types: each document has a kind, and its value in the array of
that kind. Numbers and truth values are compared as float64, strings by their text. Lists and
objects are kept with the text of a document; filters cannot look into them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from psif.errors import FormatError, InputError
from psif.search.strings import Strings, to_bytes, to_text
from psif.types import DoubleVector, IdVector

MISSING, BOOLEAN, NUMBER, STRING, OTHER = range(5)
KIND_NAMES = ("missing", "true or false", "number", "string", "list or object")
_LARGEST = 10**300


@dataclass(frozen=True)
class Column:
    """One field of some documents.

    Attributes
    ----------
    kinds : ndarray of uint8, shape (n_docs,)
        MISSING (also null), BOOLEAN, NUMBER, STRING or OTHER.
    numbers : ndarray of float64, shape (n_docs,)
        The value where it is a number or truth value.
    codes : ndarray of int32, shape (n_docs,)
        The place in ``strings`` where the value is a string.
    strings : Strings
        Distinct values, sorted.
    """

    kinds: NDArray[np.uint8]
    numbers: DoubleVector
    codes: IdVector
    strings: Strings

    @classmethod
    def of(cls, values: Sequence[Any]) -> Column:
        """Build from the value of each document; None is a missing one."""
        kinds = np.fromiter(map(_kind, values), np.uint8, len(values))
        numbers, codes = np.zeros(len(values)), np.full(len(values), -1, dtype=np.int32)
        names = sorted({to_bytes(v) for v in values if isinstance(v, str)})
        place = {name: i for i, name in enumerate(names)}
        for doc, value in enumerate(values):
            if kinds[doc] in (BOOLEAN, NUMBER):
                numbers[doc] = value
            elif kinds[doc] == STRING:
                codes[doc] = place[to_bytes(value)]
        return cls(kinds, numbers, codes, Strings.of(names))

    def take(self, rows: NDArray[Any]) -> Column:
        """Return the column of some of the documents."""
        return Column(self.kinds[rows], self.numbers[rows], self.codes[rows], self.strings)

    @classmethod
    def missing(cls, n_docs: int) -> Column:
        """Return the column of documents that do not have the field."""
        return cls.of([None] * n_docs)

    @classmethod
    def concatenate(cls, columns: Sequence[Column]) -> Column:
        """Join the columns of one field; strings that no document has any more are dropped."""
        used = [np.unique(c.codes[c.kinds == STRING]).tolist() for c in columns]
        names = sorted({c.strings[i] for c, here in zip(columns, used, strict=True) for i in here})
        place = {name: i for i, name in enumerate(names)}
        codes = []
        for column, here in zip(columns, used, strict=True):
            new = np.full(len(column.strings) + 1, -1, dtype=np.int32)
            new[here] = [place[column.strings[i]] for i in here]
            codes.append(new[np.where(column.kinds == STRING, column.codes, -1)])
        return cls(
            np.concatenate([c.kinds for c in columns]),
            np.concatenate([c.numbers for c in columns]),
            np.concatenate(codes),
            Strings.of(names),
        )

    def values(self) -> list[str]:
        """Return the distinct strings."""
        return [to_text(string) for string in self.strings]

    def check(self, name: str, n_docs: int) -> None:
        """Raise if the arrays do not fit one another."""
        self.strings.check(f"values of {name!r}")
        sizes = {len(self.kinds), len(self.numbers), len(self.codes)}
        codes = self.codes[self.kinds == STRING]
        if sizes != {n_docs} or (self.kinds > OTHER).any():
            raise FormatError(f"the field {name!r} is damaged: it does not fit the documents.")
        if len(codes) and not 0 <= codes.min() <= codes.max() < len(self.strings):
            raise FormatError(f"the field {name!r} is damaged: a value is missing.")


def build_columns(metadata: Sequence[Mapping[str, Any]]) -> dict[str, Column]:
    """Build one column per field that any document has."""
    names = dict.fromkeys(name for fields in metadata for name in fields)
    return {name: Column.of([fields.get(name) for fields in metadata]) for name in names}


def check_metadata(metadata: Iterable[Any], place: str = "metadata") -> Iterator[dict[str, Any]]:
    """Yield metadata that can be stored as JSON: one mapping of names to values per document."""
    for i, fields in enumerate(metadata):
        yield _checked(fields, f"{place} of document {i}")


def _checked(fields: Any, place: str) -> dict[str, Any]:
    if fields is None:
        return {}
    if not isinstance(fields, Mapping):
        raise InputError(
            f"the {place} is of type {type(fields).__name__}; expected a dict such as "
            "{'year': 2024}, or None."
        )
    for name in fields:
        if not isinstance(name, str):
            raise InputError(f"the {place} has the name {name!r}; names must be strings.")
    return {name: _plain(value, f"{place}, {name!r},") for name, value in fields.items()}


def _plain(value: Any, place: str) -> Any:
    """Return a value as JSON knows it; NaN is a missing one."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int | float):
        if isinstance(value, float) and math.isnan(value):
            return None
        if not -_LARGEST <= value <= _LARGEST:
            raise InputError(f"the {place} is too large a number; expected one below 1e300.")
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item, place) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(item, place) for item in value]
    if hasattr(value, "isoformat"):  # dates and times; their text has their order
        return str(value.isoformat())
    raise InputError(
        f"the {place} is of type {type(value).__name__}; expected a string, a number, true or "
        "false, a date, or a list of these."
    )


def _kind(value: Any) -> int:
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return BOOLEAN
    if isinstance(value, int | float):
        return NUMBER
    return STRING if isinstance(value, str) else OTHER
