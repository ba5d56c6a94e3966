"""Documents with labels, from files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from psif.errors import InputError
from psif.files.readers import ReadOptions, ReadReport, read_documents

# Records after which a column that none of them has is reported as missing.
_LOOKED_AT = 1_000


@dataclass
class Labelled:
    """Texts with labels, and texts without.

    Attributes
    ----------
    texts : list of str
    labels : list of str, or of lists of str where documents have several labels
    unlabelled : list of str
        Texts whose label is missing.
    """

    texts: list[str] = field(default_factory=list)
    labels: list[Any] = field(default_factory=list)
    unlabelled: list[str] = field(default_factory=list)


def read_labelled(
    inputs: Sequence[str],
    options: ReadOptions,
    columns: Sequence[str],
    separator: str | None,
    report: ReadReport,
) -> Labelled:
    """Read all documents; labels are strings.

    A document has several labels where there is a separator, where there are several columns, or
    where a record has a list of labels; then a document without any label has no label. Otherwise
    a document whose label is missing or empty is unlabelled.
    """
    seen: list[dict[str, Any]] = []
    found: list[tuple[str, list[str]]] = []
    present: set[str] = set()
    record: dict[str, Any] = {}
    has_lists = separator is not None or len(columns) > 1
    for document in read_documents(inputs, replace(options, other_columns=seen.append), report):
        if not seen:
            raise InputError(
                f"{inputs[0]}: documents of this format have no labels. "
                "Give a .csv, .tsv, .jsonl or .parquet file with a column of labels."
            )
        record = seen[-1]
        seen.clear()
        present |= record.keys()
        if len(found) == _LOOKED_AT:
            _check_columns(columns, present, record, inputs[0])
        values = [record.get(column) for column in columns]
        has_lists |= any(isinstance(value, list) for value in values)
        found.append((document.text, [x for value in values for x in _labels(value, separator)]))
    if found:
        _check_columns(columns, present, record, inputs[0])
    result = Labelled()
    for text, labels in found:
        if has_lists:
            result.texts.append(text)
            result.labels.append(labels)
        elif labels:
            result.texts.append(text)
            result.labels.append(labels[0])
        else:
            result.unlabelled.append(text)
    if not result.texts:
        raise InputError(f"{inputs[0]}: no document has a {columns[0]!r}.")
    return result


def _check_columns(
    columns: Sequence[str], present: set[str], record: dict[str, Any], place: str
) -> None:
    """Refuse a column that no record has had so far; a single record of JSON may leave it out."""
    for column in columns:
        if column not in present:
            raise InputError(
                f"{place}: no column {column!r}; the other columns are "
                f"{', '.join(record) or 'none'}; choose with --label-column"
            )


def _labels(value: Any, separator: str | None) -> list[str]:
    if value is None or (isinstance(value, float) and value != value):
        return []
    if isinstance(value, list | tuple):
        return [label for one in value for label in _labels(one, None)]
    if isinstance(value, dict):
        raise InputError(f"a label is an object ({value!r}); expected a string or a number.")
    text = str(value)
    parts = [text] if separator is None else text.split(separator)
    return [part.strip() for part in parts if part.strip()]
