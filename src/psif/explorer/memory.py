"""A collection made of texts in memory, as in a notebook."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from psif.errors import InputError, PsifWarning
from psif.explorer.collection import Collection
from psif.explorer.columns import Fields
from psif.explorer.sample import Sample
from psif.model.embedder import Embedder
from psif.runtime.norms import unit_rows
from psif.text.checks import check_texts


def collection_of(
    model: Embedder,
    texts: Iterable[str],
    *,
    ids: Sequence[Any] | None = None,
    columns: Mapping[str, Sequence[Any]] | None = None,
    title: str = "Documents",
) -> Collection:
    """Embed texts and return them as a collection.

    Parameters
    ----------
    model : Embedder
        A fitted model.
    texts : iterable of str
    ids : sequence, optional
        One per text; without them the numbers from 0.
    columns : mapping of str to sequence, optional
        Other columns, one value per text: a dict of lists, or a data frame.
    title : str
    """
    texts = list(check_texts(texts))
    names = [str(i) for i in (range(len(texts)) if ids is None else ids)]
    _check_length("ids", len(names), len(texts))
    with warnings.catch_warnings():
        # The page itself says how many documents have no place.
        warnings.simplefilter("ignore", PsifWarning)
        rows = unit_rows(model.average(model.word_ids(texts)))
    described, notes = _fields(columns or {}, len(texts)).columns()
    sample = Sample(names, rows, len(texts), None, None)
    return Collection(title, model, sample, list(texts), notes, described)


def _fields(columns: Mapping[str, Sequence[Any]], n_docs: int) -> Fields:
    fields = Fields()
    fields.start(n_docs)
    listed = {str(name): list(columns[name]) for name in columns}
    for name, values in listed.items():
        _check_length(f"column {name!r}", len(values), n_docs)
    for row in range(n_docs):
        fields({name: values[row] for name, values in listed.items()})
        fields.keep(row)
    return fields


def _check_length(what: str, found: int, n_docs: int) -> None:
    if found != n_docs:
        raise InputError(f"{what} must have one value per text: got {found} for {n_docs} texts.")
