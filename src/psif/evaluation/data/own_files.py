"""Your own labelled files as a task."""

from __future__ import annotations

from pathlib import Path

from psif.errors import InputError
from psif.evaluation.tasks.base import Documents, LabelledData, Task
from psif.files.readers import ReadOptions, ReadReport, read_documents

N_FOLDS = 5


def labelled_files(
    train: str | Path,
    test: str | Path | None = None,
    *,
    text_column: str | None = None,
    label_column: str = "label",
) -> Task:
    """Make a task of your own files.

    Parameters
    ----------
    train : path
        ``.jsonl``, ``.csv``, ``.tsv`` or ``.parquet``, also gzip-compressed, with one text and
        one class per row.
    test : path, optional
        Without it the documents of ``train`` are tested in five folds.
    text_column, label_column : str
    """

    def load() -> LabelledData:
        known = _read(train, text_column, label_column)
        if test is None:
            return LabelledData(known, Documents([], []))
        return LabelledData(known, _read(test, text_column, label_column))

    return Task(
        name=Path(train).name.split(".")[0],
        title=f"documents of {train}",
        kind="classes",
        load=load,
        source=" ".join(_identity(path) for path in (train, test) if path is not None),
        citation="",
        folds=N_FOLDS if test is None else 0,
    )


def _read(path: str | Path, text_column: str | None, label_column: str) -> Documents:
    # A label is read as the readers read an id: a string or a whole number.
    options = ReadOptions(text_column=text_column, id_column=label_column)
    report = ReadReport()
    rows = list(read_documents([path], options, report))
    if report.n_numbered or any(not row.id for row in rows):
        raise InputError(f"{path}: some rows have no {label_column!r}; every document needs one.")
    return Documents([row.text for row in rows], [row.id for row in rows])


def _identity(path: str | Path) -> str:
    """Path, size and date: the same file gives the same results."""
    if not Path(path).exists():
        raise InputError(f"{path}: no such file.")
    found = Path(path).stat()
    return f"{path}:{found.st_size}:{found.st_mtime_ns}"
