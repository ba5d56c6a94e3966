"""From documents to a file of predicted labels, one batch at a time."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from psif.classify.calibration import probabilities
from psif.classify.choosing import winners
from psif.classify.estimator import PSIFClassifier
from psif.cli.messages import Messages
from psif.cli.reporting import report_reading
from psif.errors import EmptyDocumentsWarning, InputError
from psif.files.batches import batch_checksum, in_batches, record_of
from psif.files.identity import input_fingerprint, refuse_inputs_as_outputs
from psif.files.readers import ReadOptions, ReadReport, read_documents
from psif.files.readers.documents import input_bytes
from psif.files.readers.options import Document
from psif.files.writers.job import EmbedJob, complete_commit
from psif.files.writers.records import RecordChunk, RecordLayout, record_ending
from psif.files.writers.working_folder import (
    empty_folder,
    open_part_folder,
    part_folder,
    remove_folder,
)
from psif.model.folder import read_json
from psif.version import __version__

# Words that --why names.
_WORDS = 5
_CHANGED = (
    "cannot resume: the input changed since the interrupted run; run without --resume to start over"
)


@dataclass(frozen=True)
class Asked:
    """What is written about each document, besides its label.

    ``separator`` divides several labels where a format has no lists.
    """

    proba: bool = False
    top: int | None = None
    why: bool = False
    separator: str = ";"


@dataclass(frozen=True)
class LabelRecords:
    """Records of predicted labels."""

    clf: PSIFClassifier
    asked: Asked
    ending: str

    @cached_property
    def columns(self) -> dict[str, str]:
        """Columns and their kinds, in their order."""
        label = {"U": "text", "b": "boolean", "i": "integer"}.get(
            self.clf.classes_.dtype.kind, "number"
        )
        found = {"id": "text", "label": "text" if self.clf.several_ else label}
        for place in range(1, self._n_top + 1):
            found |= {f"label_{place}": label, f"probability_{place}": "number"}
        if self.asked.proba:
            found |= {f"p:{name}": "number" for name in self.clf.classes_.tolist()}
        return found | ({"why": "text"} if self.asked.why else {})

    @property
    def layout(self) -> RecordLayout:
        """How the records become bytes."""
        return RecordLayout(self.ending, list(self.columns), list(self.columns.values()))

    @cached_property
    def _n_top(self) -> int:
        return min(self.asked.top or 0, len(self.clf.classes_))

    def chunk(self, batch: Sequence[Document]) -> tuple[RecordChunk, int]:
        """Return the records of some documents, and how many have no known word."""
        clf, texts = self.clf, [document.text for document in batch]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", EmptyDocumentsWarning)
            docs = clf._word_ids(texts)
        values = clf._decide(docs)
        names = clf.classes_.tolist()
        labels: list[Any] = (
            [[names[c] for c in np.flatnonzero(row > 0)] for row in values]
            if clf.several_
            else [names[c] for c in winners(values)]
        )
        records = [
            {"id": document.id, "label": self._label(label)}
            for document, label in zip(batch, labels, strict=True)
        ]
        if self.asked.proba or self.asked.top:
            self._add_probabilities(records, probabilities(values, clf.temperature_, clf.several_))
        if self.asked.why:
            for record, text in zip(records, texts, strict=True):
                words = clf.explain(text).words[:_WORDS]
                record["why"] = ", ".join(f"{word.word} {word.share:+.3f}" for word in words)
        return RecordChunk([document.id for document in batch], records), int(
            np.count_nonzero(docs.lengths == 0)
        )

    def _label(self, label: Any) -> Any:
        if not isinstance(label, list) or self.ending == ".jsonl":
            return label
        return self.asked.separator.join(map(str, label))

    def _add_probabilities(self, records: list[dict[str, Any]], chances: Any) -> None:
        names = self.clf.classes_.tolist()
        order = np.argsort(-chances, axis=1, kind="stable")[:, : self._n_top].tolist()
        for record, row, best in zip(records, chances.tolist(), order, strict=True):
            for place, c in enumerate(best, start=1):
                record[f"label_{place}"] = names[c]
                record[f"probability_{place}"] = row[c]
            if self.asked.proba:
                record.update(
                    (f"p:{name}", chance) for name, chance in zip(names, row, strict=True)
                )


@dataclass(frozen=True)
class PredictRun:
    """One run of ``psif predict``."""

    model: Path
    inputs: tuple[str, ...]
    reading: ReadOptions
    output: Path
    asked: Asked
    jobs: int | None
    messages: Messages

    def __call__(self, *, resume: bool) -> None:
        """Write the labels; a failure leaves what can be resumed."""
        ending = record_ending(self.output)
        refuse_inputs_as_outputs([self.output], self.inputs)
        read_documents(self.inputs, self.reading)  # wrong paths: told at once
        if part_folder(self.output).exists():
            with open_part_folder(self.output):
                complete = complete_commit(self.output)
            if complete and resume:
                self.messages.say(f"{self.output}: the earlier run was complete")
                return
            if not complete and not resume:
                self.messages.say("starting over; --resume would continue an interrupted run")
        clf = PSIFClassifier.load(self.model)
        clf.n_jobs = self.jobs
        records = LabelRecords(clf, self.asked, ending)
        with open_part_folder(self.output) as folder:
            if not resume:
                empty_folder(folder)
            try:
                report, n_empty = self._write(records)
            except BaseException:
                self._keep_or_remove(folder)
                raise
        report_reading(report, self.messages)
        if n_empty:
            self.messages.warn(
                f"{n_empty:,} of {report.n_docs:,} documents have no known word; "
                "their labels are those of an empty text"
            )
        self.messages.say(f"{self.output}: {report.n_docs:,} labels")

    def _write(self, records: LabelRecords) -> tuple[ReadReport, int]:
        config = read_json(self.model / "config.json")
        job = EmbedJob(
            self.output,
            dim=len(records.columns),
            dtype="",
            key={
                "the version of psif": __version__,
                "the classifier": config.get("checksum"),
                "the input": input_fingerprint(self.inputs),
                "a reading option": asdict(self.reading),
                "an option": asdict(self.asked),
            },
            layout=records.layout,
        )
        try:
            report, n_empty = ReadReport(), 0
            done = iter(list(job.done))
            if job.done:
                rows = sum(n for n, _ in job.done)
                self.messages.say(f"resuming after {rows:,} documents")
            progress = self.messages.progress("predicting", input_bytes(self.inputs))
            for batch, checksum in self._batches(records, report):
                if (before := next(done, None)) is not None:
                    if before != (len(batch), checksum):
                        raise InputError(_CHANGED)
                    continue
                chunk, n = records.chunk(batch)
                n_empty += n
                job.append(chunk, checksum)
                progress.update(report.n_docs, report.bytes_read)
            if next(done, None) is not None:
                raise InputError(_CHANGED)
            progress.done()
            job.finish()
            return report, n_empty
        finally:
            job.close()

    def _batches(
        self, records: LabelRecords, report: ReadReport
    ) -> Iterator[tuple[list[Document], int]]:
        documents = read_documents(self.inputs, self.reading, report)
        for batch in in_batches(documents, 4 * len(records.clf.intercepts_)):
            yield batch, batch_checksum(record_of(document) for document in batch)

    def _keep_or_remove(self, folder: Path) -> None:
        """Leave the folder only if another run can use it."""
        journal = folder / "journal.jsonl"
        if journal.exists() and journal.read_bytes().count(b"\n") > 1:
            self.messages.say(f"the work done so far is in {folder}; add --resume to continue")
        elif folder.exists():
            remove_folder(folder)
