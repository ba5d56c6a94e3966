"""From documents to those that stay: one pass finds the copies, a second one writes."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from psif.cli.messages import Messages
from psif.cli.printing import echo, print_json
from psif.cli.reporting import report_reading
from psif.errors import InputError
from psif.files.identity import refuse_equal_outputs, refuse_inputs_as_outputs
from psif.files.readers import ReadOptions, ReadReport, read_documents, spool_streams
from psif.files.readers.documents import input_bytes
from psif.files.rows import Columns, Record, Row, check_output, read_rows, row_writer, write_table
from psif.group.duplicates.finding import find_matches
from psif.group.duplicates.keeping import Dropped, choose_kept, dropped
from psif.group.duplicates.levels import LEVELS

if TYPE_CHECKING:
    from psif.group.duplicates.matching import Matches
    from psif.model.embedder import Embedder

MARKS = ("copy_group", "copy_of", "copy_level", "copy_similarity")


@dataclass
class DedupeRun:
    """One run of ``psif dedupe``; see its options."""

    inputs: tuple[str, ...]
    against: tuple[str, ...]
    output: Path
    report_file: Path | None
    reading: ReadOptions
    messages: Messages
    level: str
    threshold: float
    keep: str
    mark: bool
    model: Path | None
    jobs: int | None
    _ids: list[str] = field(default_factory=list)
    _columns: Columns = field(default_factory=Columns)
    _n_old: int = 0

    def run(self) -> dict[str, Any]:
        """Find the copies, write the files, and return what happened."""
        outputs = [self.output, *([self.report_file] if self.report_file else [])]
        for path in outputs:
            check_output(path)
        if self.mark and self.output.suffix == ".txt":
            raise InputError(f"{self.output}: --mark adds columns, which .txt does not have.")
        refuse_equal_outputs({"--output": self.output, "--report": self.report_file})
        refuse_inputs_as_outputs(outputs, [*self.inputs, *self.against], models=[self.model])
        # Standard input and pipes can be read only once, but two passes are needed.
        with tempfile.TemporaryDirectory(prefix="psif-dedupe-") as folder:
            self.inputs = tuple(spool_streams(self.inputs, folder, self.reading))
            return self._run()

    def _run(self) -> dict[str, Any]:
        report = ReadReport()
        matches, words = find_matches(
            lambda: self._texts(report),
            self.threshold,
            level=self.level,
            model=self._model(),
            n_jobs=self.jobs,
            progress=self.messages.steps("comparing"),
        )
        report_reading(report, self.messages)
        kept = choose_kept(matches, words.docs.lengths, self.keep, self._n_old)
        # An old document is never dropped, and a copy of one never stays.
        gone = {one.doc: one for one in dropped(matches, kept) if one.doc >= self._n_old}
        self._write(matches, gone)
        if self.report_file:
            self._write_report(self.report_file, gone.values())
        return self._summary(gone)

    def _model(self) -> Embedder | None:
        if self.model is None:
            return None
        from psif.model.embedder import Embedder

        return Embedder.load(self.model)

    # Reading

    def _texts(self, report: ReadReport) -> Iterator[str]:
        """Yield the old texts, then the new ones; ids and columns are noted the first time."""
        first = not self._ids
        progress = self.messages.progress("reading", input_bytes([*self.against, *self.inputs]))
        old, new = ReadReport(), report if first else ReadReport()
        n_docs = 0
        if self.against:
            for document in read_documents(self.against, self.reading, old):
                if first:
                    self._ids.append(document.id)
                    self._n_old += 1
                n_docs += 1
                yield document.text
        for record in self._records(new):
            if first:
                self._ids.append(record.document.id)
                self._columns.add(record.row)
            n_docs += 1
            progress.update(n_docs, old.bytes_read + new.bytes_read)
            yield record.document.text
        progress.done()

    def _records(self, report: ReadReport) -> Iterator[Record]:
        return read_rows(self.inputs, self.reading, report)

    # Writing

    def _write(self, matches: Matches, gone: dict[int, Dropped]) -> None:
        marks = _Marks(matches, gone, self._ids) if self.mark else None
        if marks:
            if taken := [name for name in MARKS if name in self._columns.names]:
                raise InputError(f"the input has a column {taken[0]!r} already; rename it.")
            self._columns.add(dict(zip(MARKS, (0, "", "", 0.0), strict=True)))
        n_docs = self._n_old
        with row_writer(self.output, self._columns) as write:
            for record in self._records(ReadReport()):
                if n_docs >= len(self._ids) or record.document.id != self._ids[n_docs]:
                    break
                if marks:
                    write({**record.row, **marks.of(n_docs)})
                elif n_docs not in gone:
                    write(_text_row(record) if self.output.suffix == ".txt" else record.row)
                n_docs += 1
            if n_docs != len(self._ids):
                raise InputError(f"{self.inputs[0]} changed while it was read; run it again.")

    def _write_report(self, path: Path, gone: Iterable[Dropped]) -> None:
        ids = self._ids
        columns = Columns()
        names = ("id", "kept", "like", "level", "similarity")
        columns.add(dict(zip(names, ("", "", "", "", 0.0), strict=True)))
        rows = (
            dict(
                zip(
                    names,
                    (ids[d.doc], ids[d.kept], ids[d.like], d.level, round(d.similarity, 6)),
                    strict=True,
                )
            )
            for d in gone
        )
        write_table(path, rows, columns)

    def _summary(self, gone: dict[int, Dropped]) -> dict[str, Any]:
        levels = Counter(one.level for one in gone.values())
        n_new = len(self._ids) - self._n_old
        return {
            "output": str(self.output),
            "documents": n_new,
            "kept": n_new - len(gone),
            "dropped": len(gone),
            "groups": len({one.kept for one in gone.values()}),
            "levels": {level: levels.get(level, 0) for level in LEVELS},
        }


class _Marks:
    """Columns about the copies of each document."""

    def __init__(self, matches: Matches, gone: dict[int, Dropped], ids: list[str]) -> None:
        self._first: NDArray[np.int64] = matches.components()
        sizes = np.bincount(self._first, minlength=matches.n_docs)
        firsts = np.flatnonzero(sizes > 1)
        self._numbers = {int(first): number for number, first in enumerate(firsts)}
        self._gone, self._ids = gone, ids

    def of(self, doc: int) -> Row:
        one = self._gone.get(doc)
        return {
            "copy_group": self._numbers.get(int(self._first[doc])),
            "copy_of": one and self._ids[one.kept],
            "copy_level": one and one.level,
            "copy_similarity": one and round(one.similarity, 6),
        }


def _text_row(record: Record) -> Row:
    return {"text": record.document.text}


def print_summary(summary: dict[str, Any], *, as_json: bool) -> None:
    """Print how many documents stay."""
    if as_json:
        print_json(summary)
        return
    levels = ", ".join(f"{n:,} {level}" for level, n in summary["levels"].items() if n)
    echo(f"{summary['kept']:,} of {summary['documents']:,} documents stay in {summary['output']}")
    if summary["dropped"]:
        echo(f"{summary['dropped']:,} copies of {summary['groups']:,} documents: {levels}")
