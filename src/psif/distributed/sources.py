"""What documents may be, as partitions that a worker can read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from psif.errors import InputError
from psif.files.readers.columns import id_column, text_column
from psif.files.readers.documents import file_documents, named_documents, reader_of
from psif.files.readers.folder import folder_files
from psif.files.readers.opening import file_state
from psif.files.readers.options import Document, ReadOptions, ReadReport
from psif.files.readers.streams import is_stream


@dataclass(frozen=True)
class Partition:
    """A part of the documents that one task reads.

    Attributes
    ----------
    number : int
    source : str or Delayed
        A path that every worker can read, or a computation of Dask.
    stamp : str or None
        Tells inputs apart: the key of a computation, which follows from its content. None for
        a file, whose size and time are looked up where it is read.
    """

    number: int
    source: Any
    stamp: str | None


def find_partitions(documents: Any) -> list[Partition]:
    """Cut documents into partitions: those of a collection, or a file each."""
    if hasattr(documents, "to_delayed"):
        parts = list(documents.to_delayed())
        return [Partition(i, part, str(part.key)) for i, part in enumerate(parts)]
    if isinstance(documents, str | Path | bytes) or not isinstance(documents, Sequence):
        raise InputError(
            f"expected a Dask bag, a Dask dataframe or one of its columns, or a list of files; "
            f"got {type(documents).__name__}."
        )
    for path in documents:
        if not isinstance(path, str | Path):
            raise InputError(
                f"expected a list of files, but it holds a {type(path).__name__}. "
                "Make texts in memory a bag: dask.bag.from_sequence(texts)."
            )
        if str(path) == "-":
            raise InputError("a cluster cannot read standard input; give files.")
    return [Partition(i, str(path), None) for i, path in enumerate(documents)]


def read_partition(
    source: Any, number: int, options: ReadOptions, report: ReadReport
) -> Iterator[Document]:
    """Documents of a partition; one without an id is called ``PARTITION:ROW``."""
    prefix = f"{number}:"
    if isinstance(source, str):
        if is_stream(source):
            raise InputError(f"{source}: a cluster cannot read a pipe or a device; give files.")
        pairs = reader_of(source, options)(source, options, report)
        return file_documents(source, pairs, prefix, options, report)
    rows = _frame_rows if hasattr(source, "columns") else _items
    pairs = rows(source, number, options, report)
    return named_documents(pairs, f"partition {number}", prefix, options, report)


def file_stamp(source: Any, stamp: str | None) -> str:
    """Tell inputs apart without reading them."""
    if stamp is not None:
        return stamp
    if not Path(source).exists():
        raise InputError(f"{source}: no such file or folder (as seen from a worker)")
    files = folder_files(source) if Path(source).is_dir() else [source]
    states = [(str(file), file_state(file)) for file in files]
    text = "\n".join(f"{file} {state.st_size} {state.st_mtime_ns}" for file, state in states)
    if len(states) == 1:
        return text
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _frame_rows(
    frame: Any, number: int, options: ReadOptions, report: ReadReport
) -> Iterator[tuple[str | None, str]]:
    place = f"partition {number}"
    names = [str(name) for name in frame.columns]
    kinds = zip(names, frame.dtypes, strict=True)
    strings = [name for name, dtype in kinds if dtype.kind not in "iufbmM"]
    text = text_column(names, strings, options, place)
    key = id_column(names, options, place)
    keys: list[Any] = [None] * len(frame)
    if key is not None:
        column = frame.iloc[:, names.index(key)]
        missing = column.isna().tolist()
        keys = [None if no else one for one, no in zip(column.tolist(), missing, strict=True)]
    texts = frame.iloc[:, names.index(text)].tolist()
    for row, (one_key, one_text) in enumerate(zip(keys, texts, strict=True)):
        if isinstance(one_text, str):
            yield None if one_key is None else str(one_key), one_text
        else:
            report.bad(f"{place}, row {row}", f"{text!r} is {one_text!r}, not a string", options)


def _items(
    items: Iterable[Any], number: int, options: ReadOptions, report: ReadReport
) -> Iterator[tuple[str | None, str]]:
    """Strings, pairs of id and text, or records."""
    for row, item in enumerate(items):
        key: Any = None
        text = item
        if isinstance(item, Mapping):
            text = item.get(options.text_column or "text")
            key = item.get(options.id_column or "id")
        elif isinstance(item, tuple) and len(item) == 2:
            key, text = item
        if isinstance(text, str):
            yield None if key is None else str(key), text
        else:
            kind = type(text).__name__
            report.bad(
                f"partition {number}, item {row}",
                f"expected a string, an (id, text) pair or a record with a text, found {kind}",
                options,
            )
