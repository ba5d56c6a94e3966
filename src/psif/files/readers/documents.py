"""Any number of inputs as one stream of documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from psif.errors import InputError
from psif.files.readers.delimited import read_csv, read_tsv
from psif.files.readers.folder import folder_files, read_folder
from psif.files.readers.formats import format_of
from psif.files.readers.ids import id_problem
from psif.files.readers.jsonl import read_jsonl
from psif.files.readers.lines import read_txt
from psif.files.readers.opening import file_state, shown
from psif.files.readers.options import Document, ReadOptions, ReadReport
from psif.files.readers.parquet import read_parquet
from psif.files.readers.streams import is_stream

Pairs = Iterable[tuple[str | None, str]]
Reader = Callable[[str, ReadOptions, ReadReport], Iterator[tuple[str | None, str]]]

FORMATS: dict[str, Reader] = {
    "txt": read_txt,
    "jsonl": read_jsonl,
    "csv": read_csv,
    "tsv": read_tsv,
    "parquet": read_parquet,
}


def read_documents(
    inputs: Sequence[str | Path],
    options: ReadOptions | None = None,
    report: ReadReport | None = None,
) -> Iterator[Document]:
    """Yield the documents of files, folders and standard input (``-``), one after the other.

    Only the current document is in memory. A document without an id gets its number in the whole
    stream, counted from 0. Inputs that can be read only once (see
    :func:`psif.files.readers.is_stream`) are read directly.

    Parameters
    ----------
    inputs : sequence of str or Path
        Checked before the first document is read.
    options : ReadOptions, optional
    report : ReadReport, optional
        Filled while reading.

    Raises
    ------
    InputError
        A path that is not there, an unknown ending, a missing column, an empty input.
    FormatError
        A damaged or binary file; a bad record, unless ``options.on_error`` is "skip".
    """
    options = options or ReadOptions()
    report = report if report is not None else ReadReport()
    readers = [(str(path), reader_of(str(path), options)) for path in inputs]
    return _stream(readers, options, report)


def input_bytes(inputs: Sequence[str | Path]) -> int | None:
    """Size of all inputs on disk, for progress; None if one can be read only once."""
    total = 0
    for path in map(str, inputs):
        if is_stream(path):
            return None
        files = folder_files(path) if Path(path).is_dir() else [path]
        total += sum(file_state(file).st_size for file in files)
    return total


def _stream(
    readers: list[tuple[str, Reader]], options: ReadOptions, report: ReadReport
) -> Iterator[Document]:
    for path, reader in readers:
        yield from file_documents(path, reader(path, options, report), "", options, report)
    if report.n_docs == 0:
        raise nothing_read([path for path, _ in readers], report.n_skipped)


def nothing_read(inputs: Sequence[str], n_skipped: int) -> InputError:
    """Make the error for inputs of which every record was skipped."""
    names = ", ".join(map(shown, inputs[:3])) + (", ..." if len(inputs) > 3 else "")
    return InputError(f"{names}: no document could be read; {n_skipped} records were skipped")


def file_documents(
    path: str, pairs: Pairs, prefix: str, options: ReadOptions, report: ReadReport
) -> Iterator[Document]:
    """Yield the documents of one file as :func:`named_documents` does; none is an error."""
    before = report.n_docs + report.n_skipped
    yield from named_documents(pairs, shown(path), prefix, options, report)
    if report.n_docs + report.n_skipped == before:
        raise InputError(f"{shown(path)}: empty, there is no document in it")


def named_documents(
    pairs: Pairs, place: str, prefix: str, options: ReadOptions, report: ReadReport
) -> Iterator[Document]:
    """Yield documents; one without an id is called ``prefix`` and its number."""
    before = report.n_docs + report.n_skipped
    for key, text in pairs:
        if key is not None and (problem := id_problem(key)):
            number = report.n_docs + report.n_skipped - before + 1
            report.bad(f"{place}, document {number}", problem, options)
            continue
        report.n_numbered += key is None
        yield Document(f"{prefix}{report.n_docs}" if key is None else key, text)
        report.n_docs += 1


def reader_of(path: str, options: ReadOptions) -> Reader:
    """Return the function that reads an input, by its ending or as the options say."""
    name = format_of(path, options)
    return read_folder if name == "folder" else FORMATS[name]
