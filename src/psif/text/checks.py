"""Refuse what is not a collection of texts, and say how to get one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from psif.errors import InputError


def check_texts(texts: Any) -> Iterable[Any]:
    """Return ``texts`` as something that gives one document after another.

    Lists, generators, NumPy arrays, and the series of pandas and polars are returned as they are;
    Arrow arrays give Python values. Single texts and tables are refused: a table would give the
    names of its columns, a dict its keys.
    """
    if isinstance(texts, str | bytes):
        raise InputError("expected a list of documents, got a single text. Write [text].")
    kind = type(texts).__name__
    columns = _column_names(texts)
    if columns is not None:
        name = next((name for name in columns if name.lower() in ("text", "texts")), None)
        some = repr(name or (columns[0] if columns else "text"))
        raise InputError(
            f"expected a list of documents, got a {kind} with the columns "
            f"{', '.join(columns[:5])}{', ...' if len(columns) > 5 else ''}. "
            f"Give the column that has the texts, for example data[{some}]."
        )
    if isinstance(texts, Mapping):
        raise InputError(
            f"expected a list of documents, got a {kind}: its keys are not the texts. "
            "Give its values, for example list(data.values()), or one entry, data['text']."
        )
    if getattr(texts, "ndim", 1) != 1:
        raise InputError(
            f"expected a list of documents, got a {kind} of shape {tuple(texts.shape)}. "
            "Give one column of it, for example data[:, 0]."
        )
    if not isinstance(texts, Iterable):
        raise InputError(f"expected a list of documents, got {kind}.")
    if type(texts).__module__.partition(".")[0] == "pyarrow" and hasattr(texts, "to_pylist"):
        return _arrow_values(texts)
    return texts


def check_text(text: object, position: int) -> str:
    """Return ``text`` if it is a string, else say what and where it is."""
    if isinstance(text, str):
        return text
    kind = type(text).__name__
    # NaN is the only value that is unlike itself; pandas' NA refuses to be compared.
    if text is None or kind == "NAType" or (isinstance(text, float) and text != text):
        raise InputError(
            f"document {position} is missing ({text!r}), expected a string. Fill in empty texts "
            "first, for example texts.fillna('') or [text or '' for text in texts]."
        )
    hint = ""
    if isinstance(text, bytes):
        hint = " Decode it first, e.g. data.decode('utf-8')."
    elif isinstance(text, list | tuple):
        hint = (
            " Give one string per document: ' '.join(words) for a list of words, "
            "or a flat list of texts."
        )
    raise InputError(f"document {position} is of type {kind}, expected a string.{hint}")


def _column_names(texts: Any) -> list[str] | None:
    """Names of the columns of a pandas or polars frame or an Arrow table; None for others."""
    for attribute in ("column_names", "columns"):
        names = getattr(texts, attribute, None)
        if names is not None and not callable(names) and not isinstance(names, str):
            return [str(name) for name in names]
    return None


def _arrow_values(array: Any) -> Iterator[Any]:
    """Values of an Arrow array, which itself gives scalars; a chunk at a time."""
    for chunk in getattr(array, "chunks", [array]):
        yield from chunk.to_pylist()
