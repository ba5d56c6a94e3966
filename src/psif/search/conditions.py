"""Conditions on metadata, and of which documents they are true."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from psif.errors import InputError
from psif.runtime.suggestions import suggestion
from psif.search.metadata import BOOLEAN, KIND_NAMES, MISSING, NUMBER, OTHER, STRING, Column

Mask = NDArray[np.bool_]
Value = str | float | bool | None
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Condition(Protocol):
    """What is true of some documents and false of others."""

    def mask(self, columns: Mapping[str, Column], n_docs: int) -> Mask:
        """Say of which documents it is true."""
        ...

    def fields(self) -> list[Comparison]:
        """Return all comparisons."""
        ...


@dataclass(frozen=True)
class Comparison:
    """A field compared with values; several values are alternatives (``in``)."""

    field: str
    sign: str
    values: tuple[Value, ...]

    def mask(self, columns: Mapping[str, Column], n_docs: int) -> Mask:
        """Say of which documents it is true."""
        column = columns.get(self.field)
        if column is None:
            column = Column.missing(n_docs)
        found = np.zeros(n_docs, dtype=bool)
        for value in self.values:
            found |= _compare(column, "==" if self.sign == "!=" else self.sign, value)
        return ~found if self.sign == "!=" else found

    def fields(self) -> list[Comparison]:
        """Return itself."""
        return [self]


@dataclass(frozen=True)
class Joined:
    """Conditions of which all, or any, must be true."""

    every: bool
    parts: tuple[Condition, ...]

    def mask(self, columns: Mapping[str, Column], n_docs: int) -> Mask:
        """Say of which documents it is true."""
        masks = [part.mask(columns, n_docs) for part in self.parts]
        joined: Mask = np.logical_and.reduce(masks) if self.every else np.logical_or.reduce(masks)
        return joined

    def fields(self) -> list[Comparison]:
        """Return all comparisons."""
        return [comparison for part in self.parts for comparison in part.fields()]


@dataclass(frozen=True)
class Opposite:
    """A condition that must not be true."""

    part: Condition

    def mask(self, columns: Mapping[str, Column], n_docs: int) -> Mask:
        """Say of which documents it is true."""
        return ~self.part.mask(columns, n_docs)

    def fields(self) -> list[Comparison]:
        """Return all comparisons."""
        return self.part.fields()


def check_fields(condition: Condition, columns: Mapping[str, list[Column]]) -> None:
    """Refuse fields that no document has, and types that no value of a field is of.

    ``columns`` has the columns of each field in all parts of an index.
    """
    for comparison in condition.fields():
        name = comparison.field
        if name not in columns:
            if not columns:
                raise InputError(f"where names {name!r}, but no document has metadata.")
            raise InputError(f"no document has the field {name!r}{suggestion(name, columns)}.")
        present = {int(kind) for column in columns[name] for kind in np.unique(column.kinds)}
        for value in comparison.values:
            wanted = kind_of(value)
            if wanted not in present and wanted != MISSING:
                kinds = [KIND_NAMES[k] for k in sorted(present - {MISSING})]
                hint = " Filters cannot look into lists and objects." if OTHER in present else ""
                raise InputError(
                    f"{name!r} is compared with the {KIND_NAMES[wanted]} {_shown(value)}, but its "
                    f"values are of type {', '.join(kinds) or 'null'}.{hint}"
                )


def _compare(column: Column, sign: str, value: Value) -> Mask:
    kind = kind_of(value)
    of_kind: Mask = column.kinds == kind
    function = _COMPARE[sign]
    if kind == MISSING:
        return of_kind if sign == "==" else np.zeros_like(of_kind)
    if kind == STRING:
        assert isinstance(value, str)
        fits = np.array([function(one, value) for one in column.values()] + [False], dtype=bool)
        chosen: Mask = of_kind & fits[np.where(of_kind, column.codes, -1)]
        return chosen
    if kind == BOOLEAN and sign != "==":
        return np.zeros_like(of_kind)
    fitting: Mask = of_kind & function(column.numbers, float(value or 0))
    return fitting


def kind_of(value: Value) -> int:
    """Return the kind of values that a value is compared with."""
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return BOOLEAN
    return NUMBER if isinstance(value, float) else STRING


def _shown(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else repr(value)
