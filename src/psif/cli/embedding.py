"""From files of documents to a file of vectors, a chunk at a time."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
import warnings
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from psif.cli.fitting import FitPlan, fit_model
from psif.cli.messages import Messages
from psif.cli.reporting import describe_model, report_reading
from psif.errors import InputError, PsifWarning
from psif.files.batches import in_batches
from psif.files.readers import ReadOptions, ReadReport, read_documents
from psif.files.readers.documents import input_bytes
from psif.files.readers.folder import folder_files
from psif.files.readers.opening import open_bytes
from psif.files.readers.options import Document
from psif.files.writers import EmbedJob, output_format
from psif.files.writers.chunk import make_chunk
from psif.files.writers.job import open_part_folder, part_folder
from psif.model.folder import check_replaceable
from psif.runtime.atomic import atomic_folder, atomic_path
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix

if TYPE_CHECKING:
    from psif.model.embedder import Embedder

_CHANGED = (
    "cannot resume: the input changed since the interrupted run; run without --resume to start over"
)


def model_beside(output: Path) -> Path:
    """``vectors.parquet`` has its model in ``vectors.model``."""
    return output.with_suffix(".model")


@dataclass(frozen=True)
class EmbedRun:
    """One run of ``psif embed``."""

    plan: FitPlan
    output: Path
    dtype: str
    model_path: Path | None
    dims: int | None
    jobs: int | None
    messages: Messages

    def __call__(self, *, resume: bool) -> dict[str, Any]:
        """Do it and say what was done; on failure nothing but the resumable part stays."""
        output_format(self.output)
        if self.model_path is None:
            check_replaceable(model_beside(self.output))
        report = ReadReport()
        read_documents(self.plan.inputs, self.plan.reading, report)  # wrong paths: told at once
        if part_folder(self.output).exists() and not resume:
            self.messages.say("starting over; --resume would go on with an interrupted run")
        began = time.monotonic()
        with open_part_folder(self.output, resume=resume) as folder:
            try:
                tally, dim = self._embed(folder, report)
            except BaseException:
                self._keep_or_remove(folder)
                raise
        report_reading(report, self.messages)
        tally.report(self.messages)
        seconds = time.monotonic() - began
        self.messages.say(
            f"{self.output}: {report.n_docs:,} vectors in {seconds:.1f} s "
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

    def _embed(self, folder: Path, report: ReadReport) -> tuple[_Tally, int]:
        inputs, reading = self.plan.inputs, self.plan.reading
        if self.model_path is None:
            inputs = _spool(inputs, folder, reading)
        source = self.model_path or self._fitted_once(folder, inputs)
        model = load_model(source, self.dims, self.jobs)
        if self.model_path is not None:
            self.messages.note(f"{source}: {describe_model(model)}")
        job = EmbedJob(
            self.output,
            dim=model.n_features_out_,
            dtype=self.dtype,
            key={
                "the model": _digest(source),
                "the input": _fingerprint(inputs),
                "a reading option": asdict(reading),
            },
        )
        try:
            if job.done:
                rows = sum(n for n, _ in job.done)
                self.messages.say(f"resuming after {rows:,} documents")
            tally = self._stream(job, model, read_documents(inputs, reading, report), report)
            if self.model_path is None:
                target = model_beside(self.output)
                with atomic_folder(target) as copy:
                    shutil.copytree(source, copy, dirs_exist_ok=True)
                self.messages.say(f"{target}: {describe_model(model)}")
            job.finish()
            return tally, job.dim
        finally:
            job.close()

    def _stream(
        self, job: EmbedJob, model: Embedder, documents: Iterator[Document], report: ReadReport
    ) -> _Tally:
        """Read ahead and write behind, each in a thread, around the embedding."""
        done = iter(list(job.done))
        progress = self.messages.progress("embedding", input_bytes(self.plan.inputs))
        tally = _Tally()
        n_done = 0
        batches = in_batches(documents, job.dim)
        with ThreadPoolExecutor(1) as reader, ThreadPoolExecutor(1) as writer:
            written: Future[None] | None = None
            coming = reader.submit(next, batches, None)
            while (batch := coming.result()) is not None:
                coming = reader.submit(next, batches, None)
                checksum = _checksum(batch)
                if (before := next(done, None)) is not None:
                    if before != (len(batch), checksum):
                        raise InputError(_CHANGED)
                    n_done += len(batch)
                    continue
                vectors = self._vectors(model, [document.text for document in batch], tally)
                chunk = make_chunk([document.id for document in batch], vectors, self.dtype)
                if written is not None:
                    written.result()
                written = writer.submit(job.append, chunk, checksum)
                n_done += len(batch)
                progress.update(n_done, report.bytes_read)
            if written is not None:
                written.result()
        if next(done, None) is not None:
            raise InputError(_CHANGED)
        progress.done()
        return tally

    def _vectors(self, model: Embedder, texts: list[str], tally: _Tally) -> FloatMatrix:
        docs = model.word_ids(texts)
        tally.add(docs)
        with warnings.catch_warnings():
            # Empty documents are counted and told once, at the end.
            warnings.simplefilter("ignore", PsifWarning)
            return model.average(docs)

    def _fitted_once(self, folder: Path, inputs: Sequence[str]) -> Path:
        """Fit in the working folder; a resumed run takes the model that it finds there."""
        target, note = folder / "model", folder / "fit.json"
        key = json.dumps([self.plan.to_dict(), _fingerprint(inputs)])
        if target.exists() and note.exists():
            if note.read_text(encoding="utf-8") != key:
                raise InputError(
                    "cannot resume: the input or an option of fitting changed since the "
                    "interrupted run; run without --resume to start over"
                )
            return target
        note.write_text(key, encoding="utf-8")
        fit_model(replace(self.plan, inputs=inputs), target, self.messages)
        return target

    def _keep_or_remove(self, folder: Path) -> None:
        """Leave the folder only if another run can use it."""
        if not folder.exists():
            return
        journal = folder / "journal.jsonl"
        if (folder / "model").exists() or (
            journal.exists() and journal.read_bytes().count(b"\n") > 1
        ):
            self.messages.say(f"the work done so far is in {folder}; add --resume to go on")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def load_model(source: Path, dims: int | None, jobs: int | None = None) -> Embedder:
    """Load a model; with ``dims``, one that gives only the first so many numbers of its vectors."""
    from psif.model.embedder import Embedder

    model = Embedder.load(source)
    if jobs is not None:
        model.n_jobs = jobs
    if dims is None or dims == model.n_features_out_:
        return model
    # Principal directions come in falling order, so the first ones are the best few; but where
    # words have directions of their own, those of the topics come before them all.
    falling = model.compact == "pca" and model.word_columns_ is None
    if model.table_ is None or not falling or dims > model.n_features_out_:
        raise InputError(
            f"--dims {dims}, but {source} gives {model.n_features_out_} numbers a vector; "
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


def _checksum(batch: list[Document]) -> int:
    checksum = 0
    for document in batch:
        for part in document:
            checksum = zlib.crc32(part.encode("utf-8", "surrogatepass"), checksum)
    return checksum


def _digest(model: Path) -> str:
    """Checksum of what decides a model's vectors; its card does not."""
    digest = hashlib.sha256()
    for path in sorted(model.iterdir()):
        if path.is_file() and path.name != "README.md":
            digest.update(path.name.encode())
            with path.open("rb") as file:
                while data := file.read(1 << 20):
                    digest.update(data)
    return digest.hexdigest()


def _fingerprint(inputs: Sequence[str]) -> str:
    """Tell inputs apart by name, size and time of change."""
    digest = hashlib.sha256()
    for name in inputs:
        digest.update(f"{name}\n".encode("utf-8", "surrogateescape"))
        if name == "-":
            continue
        files = folder_files(name) if Path(name).is_dir() else [Path(name)]
        for file in files:
            state = file.stat()
            digest.update(os.fsencode(f"{file}\t{state.st_size}\t{state.st_mtime_ns}\n"))
    return digest.hexdigest()


def _spool(inputs: Sequence[str], folder: Path, reading: ReadOptions) -> list[str]:
    """Keep standard input in the working folder: fitting and embedding each read it once."""
    target = folder / f"stdin.{reading.format or 'txt'}"
    if "-" in inputs and not target.exists():
        with (
            open_bytes("-", ReadReport()) as source,
            atomic_path(target) as path,
            path.open("wb") as copy,
        ):
            shutil.copyfileobj(source, copy, 1 << 20)
    return [str(target) if name == "-" else name for name in inputs]
