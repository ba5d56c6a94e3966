"""Any number of inputs as one stream of documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from psif.errors import InputError
from psif.files.readers.delimited import read_csv, read_tsv
from psif.files.readers.folder import folder_files, read_folder
from psif.files.readers.jsonl import read_jsonl
from psif.files.readers.lines import read_txt
from psif.files.readers.options import Document, ReadOptions, ReadReport
from psif.files.readers.parquet import read_parquet

Reader = Callable[[str, ReadOptions, ReadReport], Iterator[tuple[str | None, str]]]

FORMATS: dict[str, Reader] = {
    "txt": read_txt,
    "jsonl": read_jsonl,
    "csv": read_csv,
    "tsv": read_tsv,
    "parquet": read_parquet,
}
_SYNONYMS = {"ndjson": "jsonl", "json": "jsonl", "text": "txt", "pq": "parquet"}


def read_documents(
    inputs: Sequence[str | Path],
    options: ReadOptions | None = None,
    report: ReadReport | None = None,
) -> Iterator[Document]:
    """Documents of files, folders and standard input (``-``), one after the other.

    Nothing but the current document is held. A document without an id gets its number in the
    whole stream, counted from 0.

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
    """Size of all inputs on disk, for progress; None with standard input."""
    total = 0
    for path in map(Path, inputs):
        if str(path) == "-":
            return None
        files = folder_files(str(path)) if path.is_dir() else [path]
        total += sum(file.stat().st_size for file in files)
    return total


def _stream(
    readers: list[tuple[str, Reader]], options: ReadOptions, report: ReadReport
) -> Iterator[Document]:
    for path, reader in readers:
        before = report.n_docs + report.n_skipped
        for key, text in reader(path, options, report):
            report.n_numbered += key is None
            yield Document(str(report.n_docs) if key is None else key, text)
            report.n_docs += 1
        if report.n_docs + report.n_skipped == before:
            raise InputError(f"{_shown(path)}: empty, there is no document in it")
    if report.n_docs == 0:
        raise InputError(f"no document could be read; {report.n_skipped} records were skipped")


def reader_of(path: str, options: ReadOptions) -> Reader:
    """Return what reads an input, by its ending or as the options say."""
    if path == "-":
        return FORMATS[_known(options.format or "txt", path)]
    if not Path(path).exists():
        raise InputError(f"{path}: no such file or folder")
    if Path(path).is_dir():
        return read_folder
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    ending = suffixes[-1].lstrip(".") if suffixes else ""
    return FORMATS[_known(options.format or ending, path)]


def _known(name: str, path: str) -> str:
    name = _SYNONYMS.get(name, name)
    if name not in FORMATS:
        raise InputError(
            f"{_shown(path)}: cannot tell its format from {('.' + name) if name else 'its name'}; "
            f"say it with --format ({', '.join(FORMATS)})"
        )
    return name


def _shown(path: str) -> str:
    return "standard input" if path == "-" else path
