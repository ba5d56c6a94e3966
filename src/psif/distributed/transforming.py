"""Embed documents on a cluster, partition by partition, into a folder of Parquet files."""

from __future__ import annotations

import hashlib
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from psif.distributed.allocator import keep_freed_memory
from psif.distributed.cluster import Cluster, check_cluster
from psif.distributed.output import Output
from psif.distributed.sources import Partition, file_stamp, find_partitions, read_partition
from psif.errors import InputError
from psif.files.batches import in_batches
from psif.files.readers.documents import nothing_read
from psif.files.readers.options import ReadOptions, ReadReport
from psif.files.writers.chunk import DTYPES, make_chunk
from psif.files.writers.parquet import ParquetLayout
from psif.model.batches import embed_texts, shared_model
from psif.vectors.progress import Progress

if TYPE_CHECKING:
    from psif.model.embedder import Embedder


@dataclass
class TransformReport:
    """What :func:`transform` did.

    Attributes
    ----------
    out : str
        The folder.
    n_docs : int
        Vectors in it.
    n_partitions, n_kept : int
        All partitions, and those that an earlier run had finished.
    n_skipped, n_empty, n_replaced : int
        Records that could not be read, documents without a known word, undecodable characters.
    problems : list of str
        The first of the records that could not be read.
    """

    out: str
    n_docs: int = 0
    n_partitions: int = 0
    n_kept: int = 0
    n_skipped: int = 0
    n_empty: int = 0
    n_replaced: int = 0
    problems: list[str] = field(default_factory=list)

    def add(self, note: dict[str, Any]) -> None:
        """Count one finished partition."""
        self.n_partitions += 1
        self.n_docs += note["rows"]
        self.n_skipped += note["skipped"]
        self.n_empty += note["empty"]
        self.n_replaced += note["replaced"]
        self.problems = (self.problems + note["problems"])[:5]


def transform(
    model: Embedder | str | Path,
    documents: Any,
    *,
    client: Any,
    out: str | Path,
    dtype: str = "float32",
    reading: ReadOptions | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> TransformReport:
    """Write the vectors of documents as ``part-00000.parquet`` and so on.

    No vector leaves its worker but to ``out``. A partition appears whole or not at all; calling
    again after a failure keeps what is finished and, checked byte by byte, sound.

    Parameters
    ----------
    model : PSIF or Embedder, or path of a saved one
    documents : dask.bag.Bag, dask dataframe or series, or list of paths
        As in :func:`psif.distributed.fit`. A document without an id is called ``PARTITION:ROW``.
    client : distributed.Client
    out : str or Path
        A folder that every worker can write, also as an fsspec address (``s3://...``).
    dtype : {"float32", "float16", "int8"}, default="float32"
    reading : ReadOptions, optional
        Columns, encoding, and what to do about bad records.
    overwrite : bool, default=False
        Start over where ``out`` holds the output of another model, dtype or input.
    progress : callable, optional
        Called as ``progress(done, total)`` in partitions.

    Raises
    ------
    ClusterError
        The cluster is not fit for it, or was lost; finished partitions stay.
    """
    if dtype not in DTYPES:
        raise InputError(f"dtype must be one of {', '.join(DTYPES)}; got {dtype!r}.")
    parts, reading = find_partitions(documents), reading or ReadOptions()
    output = Output(str(out) if "://" in str(out) else str(Path(out).absolute()))
    check_cluster(client)
    with _as_folder(model) as folder, output.locked():
        job = {
            "model": _digest(folder),
            "dtype": dtype,
            "number of partitions": len(parts),
            "reading options": asdict(reading),
        }
        output.begin(job, folder, overwrite=overwrite)
        cluster = Cluster(client, progress, f"Run it again to continue: {out} keeps what is done.")
        report = TransformReport(str(out))
        _transform(cluster, parts, reading, output, job, dtype, report)
        output.tidy()
    files = [part.source for part in parts if isinstance(part.source, str)]
    if files and report.n_docs == 0:
        raise nothing_read(files, report.n_skipped)
    return report


def _transform(
    cluster: Cluster,
    parts: list[Partition],
    reading: ReadOptions,
    output: Output,
    job: dict[str, Any],
    dtype: str,
    report: TransformReport,
) -> None:
    """Check the partitions that an earlier run has finished; embed all others."""
    key = hashlib.sha256(repr(sorted(job.items())).encode()).hexdigest()
    noted = output.finished()
    old = [part for part in parts if part.number in noted]
    checks = cluster.start(
        check_partition,
        [
            (output, part.number, key, None if part.stamp else part.source, part.stamp)
            for part in old
        ],
    )
    done = {}
    for part, note in zip(old, cluster.gather(checks, shown=True), strict=True):
        if note is not None:
            done[part.number] = note
            report.add(note)
    report.n_kept = len(done)
    tasks = cluster.on_sources(
        embed_partition,
        [
            (part.source, part.number, reading, output, key, dtype, part.stamp)
            for part in parts
            if part.number not in done
        ],
    )
    for note in cluster.gather(tasks, shown=True):
        report.add(note)


def check_partition(
    output: Output, number: int, key: str, source: str | None, stamp: str | None
) -> dict[str, Any] | None:
    """Return the note of a partition that is finished and sound."""
    return output.verified(number, key, file_stamp(source, stamp))


def embed_partition(
    source: Any,
    number: int,
    reading: ReadOptions,
    output: Output,
    key: str,
    dtype: str,
    stamp: str | None,
) -> dict[str, Any]:
    """Embed one partition, write it, and leave a note that it is finished."""
    keep_freed_memory()
    stamp = file_stamp(source, stamp)
    model = shared_model(output.model_folder())
    report = ReadReport()
    layout = ParquetLayout(model.n_features_out_, dtype, model.checksum_ or "")
    notes: list[Any] = []
    n_empty = checksum = position = 0
    with output.writing(output.part(number)) as file:

        def write(data: Any) -> None:
            nonlocal checksum, position
            file.write(data)
            checksum = zlib.crc32(data, checksum)
            position += len(data)

        write(layout.blank_head())
        documents = read_partition(source, number, reading, report)
        for batch in in_batches(documents, model.n_features_out_):
            vectors = embed_texts(model, [document.text for document in batch])
            n_empty += int((~vectors.any(axis=1)).sum())
            chunk = make_chunk([document.id for document in batch], vectors, dtype)
            body, note = layout.body(chunk, position)
            for data in body:
                write(data)
            notes.append(note)
        for data in layout.tail(lambda: iter(notes), position):
            write(data)
    done = {
        "job": key,
        "stamp": stamp,
        "rows": report.n_docs,
        "size": position,
        "checksum": checksum,
        "skipped": report.n_skipped,
        "empty": n_empty,
        "replaced": report.n_replaced,
        "problems": report.problems,
    }
    output.write_json(output.note_name(number), done)
    return done


@contextmanager
def _as_folder(model: Embedder | str | Path) -> Iterator[Path]:
    """Give the model as a saved one."""
    if isinstance(model, str | Path):
        if not (Path(model) / "config.json").exists():
            raise InputError(f"{model} is not a folder with a saved model.")
        yield Path(model)
        return
    with tempfile.TemporaryDirectory(prefix="psif-model-") as folder:
        model.save(Path(folder) / "model")
        yield Path(folder) / "model"


def _digest(folder: Path) -> str:
    """Tell models apart by the arrays and words that decide their vectors."""
    digest = hashlib.sha256()
    for name in ("config.json", "model.safetensors", "vocab.txt"):
        with (folder / name).open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
