"""From files of documents to a file of vectors, one batch at a time.

A document is read and tokenised once: a model that was fitted on all documents embeds the words
that it has already seen. Only when it learned from a sample, or when there are very many
documents, are the files read a second time.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from psif import __version__
from psif.cli.fitting import FitPlan, Fitted, fit_model, save_model
from psif.cli.messages import Messages
from psif.cli.reporting import describe_model, report_reading
from psif.errors import EmptyDocumentsWarning, InputError
from psif.files.batches import (
    Record,
    batch_checksum,
    in_batches,
    record_of,
    records_in_batches,
)
from psif.files.identity import input_fingerprint, refuse_inputs_as_outputs
from psif.files.readers import ReadReport, read_documents
from psif.files.readers.documents import input_bytes
from psif.files.readers.options import Document
from psif.files.readers.streams import spool_streams
from psif.files.vector_files import vector_shape
from psif.files.vector_origin import vector_model
from psif.files.writers import FORMATS, EmbedJob, output_format
from psif.files.writers.chunk import make_chunk
from psif.files.writers.job import complete_commit, model_beside
from psif.files.writers.sidecar import sidecar_path
from psif.files.writers.working_folder import (
    empty_folder,
    open_part_folder,
    part_folder,
    remove_folder,
)
from psif.model.folder import check_replaceable, model_checksum
from psif.runtime.atomic import atomic_path
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix

if TYPE_CHECKING:
    from psif.model.embedder import Embedder

_CHANGED = (
    "cannot resume: the input changed since the interrupted run; run without --resume to start over"
)


class _Batch(NamedTuple):
    """Documents that are embedded together, and how to get their words."""

    records: list[Record]
    words: Callable[[], FlatDocs]


@dataclass(frozen=True)
class EmbedRun:
    """One run of ``psif embed``; ``other_inputs`` are files that options name, if they are any."""

    plan: FitPlan
    output: Path
    dtype: str
    model_path: Path | None
    dims: int | None
    jobs: int | None
    messages: Messages
    other_inputs: Sequence[str | None] = ()

    def __call__(self, *, resume: bool) -> dict[str, Any]:
        """Write the vectors and return a summary; a failure leaves what can be resumed."""
        self._check_paths()
        read_documents(self.plan.inputs, self.plan.reading)  # wrong paths: told at once
        if self._complete_earlier_run() and resume:
            return self._already_complete()
        if part_folder(self.output).exists() and not resume:
            self.messages.say("starting over; --resume would continue an interrupted run")
        began = time.monotonic()
        with open_part_folder(self.output) as folder:
            if not resume:
                empty_folder(folder)
            try:
                tally, report, dim = self._embed(folder)
            except BaseException:
                self._keep_or_remove(folder)
                raise
        tally.report(self.messages)
        seconds = time.monotonic() - began
        self.messages.say(
            f"{self.output}: {report.n_docs:,} vectors of {dim:,} numbers in {seconds:.1f} s "
            f"({report.n_docs / seconds:,.0f}/s)"
        )
        return {
            "output": str(self.output),
            "model": str(self.model_path or model_beside(self.output)),
            "documents": report.n_docs,
            "dims": dim,
            "dtype": self.dtype,
            "skipped": report.n_skipped,
            "replaced_characters": report.n_replaced,
            "seconds": round(seconds, 3),
            **asdict(tally),
        }

    def _check_paths(self) -> None:
        """Refuse outputs that would destroy something, before any work is done."""
        output_format(self.output)
        outputs = [self.output, sidecar_path(self.output)]
        models = [self.model_path, *self.other_inputs]
        refuse_inputs_as_outputs(outputs, self.plan.inputs, models=models)
        if self.model_path is not None:
            return
        model = model_beside(self.output)
        check_replaceable(model)
        refuse_inputs_as_outputs([model], self.plan.inputs, models=models)
        self._check_siblings(model)

    def _check_siblings(self, model: Path) -> None:
        """Refuse to replace the model that other vectors beside the output need."""
        if not model.exists():
            return
        checksum = model_checksum(model)
        for ending in FORMATS:
            other = self.output.with_suffix(ending)
            if other != self.output and vector_model(other) == checksum:
                raise InputError(
                    f"{model} is the model of {other}; fitting a new one would make those vectors "
                    "useless. Give another output, or use this model with --model."
                )

    def _complete_earlier_run(self) -> bool:
        """Complete a run that was killed while it put its files in place."""
        if not part_folder(self.output).exists():
            return False
        with open_part_folder(self.output):
            return complete_commit(self.output)

    def _already_complete(self) -> dict[str, Any]:
        n_docs, dim = vector_shape(self.output)
        self.messages.say(f"{self.output}: {n_docs:,} vectors; the earlier run was complete")
        return {
            "output": str(self.output),
            "model": str(self.model_path or model_beside(self.output)),
            "documents": n_docs,
            "dims": dim,
            "dtype": self.dtype,
        }

    def _embed(self, folder: Path) -> tuple[_Tally, ReadReport, int]:
        plan = self.plan
        if self.model_path is None:
            # A run may have to read its input twice, and a pipe gives it once.
            plan = replace(plan, inputs=spool_streams(plan.inputs, folder, plan.reading))
            fitted = self._fitted(folder, plan)
        else:
            report = ReadReport()
            fitted = Fitted(load_model(self.model_path, self.dims, self.jobs), report)
            self.messages.note(f"{self.model_path}: {describe_model(fitted.model)}")
        model = fitted.model
        job = EmbedJob(
            self.output,
            dim=model.n_features_out_,
            dtype=self.dtype,
            model=model.checksum_ or "",
            key={
                "the version of psif": __version__,
                "the model": model.checksum_,
                "the input": input_fingerprint(plan.inputs),
                "a reading option": asdict(plan.reading),
            },
        )
        try:
            if job.done:
                rows = sum(n for n, _ in job.done)
                self.messages.say(f"resuming after {rows:,} documents")
            if fitted.records is not None and fitted.docs is not None:
                report = fitted.report
                batches = _known(fitted.records, fitted.docs, job.dim)
                tally = self._write(job, model, batches, _steps(self.messages, report.n_docs))
            else:
                report = ReadReport()
                documents = read_documents(plan.inputs, plan.reading, report)
                progress = self.messages.progress("embedding", input_bytes(plan.inputs))
                tally = self._write(
                    job,
                    model,
                    _streamed(model, documents, job.dim),
                    lambda n_docs: progress.update(n_docs, report.bytes_read),
                )
                progress.done()
                report_reading(report, self.messages)
            if self.model_path is None:
                self.messages.say(f"{model_beside(self.output)}: {describe_model(model)}")
            job.finish()
            return tally, report, job.dim
        finally:
            job.close()

    def _write(
        self,
        job: EmbedJob,
        model: Embedder,
        batches: Iterator[_Batch],
        progress: Callable[[int], None],
    ) -> _Tally:
        """Read ahead and write behind, each in a thread, around the embedding."""
        done = iter(list(job.done))
        tally = _Tally()
        n_done = 0
        with ThreadPoolExecutor(1) as reader, ThreadPoolExecutor(1) as writer:
            written: Future[None] | None = None
            coming = reader.submit(next, batches, None)
            while (batch := coming.result()) is not None:
                coming = reader.submit(next, batches, None)
                checksum = batch_checksum(batch.records)
                n_done += len(batch.records)
                if (before := next(done, None)) is not None:
                    if before != (len(batch.records), checksum):
                        raise InputError(_CHANGED)
                    continue
                vectors = self._vectors(model, batch.words(), tally)
                chunk = make_chunk([record.id for record in batch.records], vectors, self.dtype)
                if written is not None:
                    written.result()
                written = writer.submit(job.append, chunk, checksum)
                progress(n_done)
            if written is not None:
                written.result()
        if next(done, None) is not None:
            raise InputError(_CHANGED)
        return tally

    def _vectors(self, model: Embedder, docs: FlatDocs, tally: _Tally) -> FloatMatrix:
        tally.add(docs)
        with warnings.catch_warnings():
            # Empty documents are counted and reported once, at the end.
            warnings.simplefilter("ignore", EmptyDocumentsWarning)
            return model.average(docs)

    def _fitted(self, folder: Path, plan: FitPlan) -> Fitted:
        """Fit and save in the working folder; a resumed run takes the model that it finds."""
        target, note = folder / "model", folder / "fit.json"
        key = json.dumps([self.plan.to_dict(), input_fingerprint(plan.inputs)])
        if target.exists() and note.exists():
            if note.read_text(encoding="utf-8") != key:
                raise InputError(
                    "cannot resume: the input or an option of fitting changed since the "
                    "interrupted run; run without --resume to start over"
                )
            return Fitted(load_model(target, self.dims, self.jobs), ReadReport())
        with atomic_path(note) as path:
            path.write_text(key, encoding="utf-8")
        fitted = fit_model(plan, self.messages)
        save_model(fitted.model, target, self.plan)
        return fitted

    def _keep_or_remove(self, folder: Path) -> None:
        """Leave the folder only if another run can use it."""
        if not folder.exists():
            return
        journal = folder / "journal.jsonl"
        if (folder / "model").exists() or (
            journal.exists() and journal.read_bytes().count(b"\n") > 1
        ):
            self.messages.say(f"the work done so far is in {folder}; add --resume to continue")
        else:
            remove_folder(folder)


def _known(records: list[Record], docs: FlatDocs, dim: int) -> Iterator[_Batch]:
    """Batches of documents whose words the fit has found."""
    start = 0
    for batch in records_in_batches(records, dim):
        stop = start + len(batch)
        part = docs.part(start, stop)
        yield _Batch(batch, lambda part=part: part)  # type: ignore[misc]
        start = stop


def _streamed(model: Embedder, documents: Iterator[Document], dim: int) -> Iterator[_Batch]:
    """Batches of documents that are read now."""
    for batch in in_batches(documents, dim):
        texts = [document.text for document in batch]
        records = [record_of(document) for document in batch]
        yield _Batch(records, lambda texts=texts: model.word_ids(texts))  # type: ignore[misc]


def _steps(messages: Messages, n_docs: int) -> Callable[[int], None]:
    show = messages.steps("embedding")
    return lambda done: show(done, n_docs)


def load_model(source: Path, dims: int | None, jobs: int | None = None) -> Embedder:
    """Load a model; with ``dims``, one that gives only the first ``dims`` numbers per vector."""
    from psif.model.embedder import Embedder

    model = Embedder.load(source)
    if jobs is not None:
        model.n_jobs = jobs
    if dims is None or dims == model.n_features_out_:
        return model
    # Principal directions come in falling order, so the first ones are the best few; but where
    # words have directions of their own, those of the topics come before them all.
    falling = model.unknown == "skip" and model.word_columns_ is None
    if model.table_ is None or not falling or dims > model.n_features_out_:
        raise InputError(
            f"--dims {dims}, but {source} gives {model.n_features_out_} numbers per vector; "
            f"fit a model with --dims {dims}"
        )
    model.n_dims, model.table_ = dims, np.ascontiguousarray(model.table_[:, :dims])
    return model


@dataclass
class _Tally:
    """Words and documents that the model knows."""

    n_words: int = 0
    n_known: int = 0
    n_docs: int = 0
    n_empty: int = 0

    def add(self, docs: FlatDocs) -> None:
        self.n_words += int(docs.n_tokens.sum())
        self.n_known += len(docs.ids)
        self.n_docs += len(docs)
        self.n_empty += int((docs.lengths == 0).sum())

    def report(self, messages: Messages) -> None:
        if self.n_words:
            messages.say(f"{self.n_known / self.n_words:.1%} of {self.n_words:,} words are known")
        if self.n_empty:
            messages.warn(
                f"{self.n_empty:,} of {self.n_docs:,} documents have no known word; "
                "their vectors are zero"
            )
