"""From a file of vectors to a store: in batches, resumable, and checked at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from psif.errors import InputError
from psif.files.vector_files import read_vectors, vector_shape
from psif.files.vector_origin import vector_model
from psif.integrations.stores.base import ExportError, Rows, Store, Target, hidden
from psif.integrations.stores.catalogue import store_class
from psif.integrations.stores.joining import Joined
from psif.types import FloatVector

BATCH = 1_000
# Vectors that are read back, and the least cosine: two-byte numbers lose the last digits.
_SAMPLE, _LEAST = 64, 0.999


@dataclass
class ExportReport:
    """What was done.

    Attributes
    ----------
    n_written : int
    n_known : int
        Documents that were there before; of these ``n_replaced`` were written again.
    n_checked : int
        Vectors that were read back.
    lowest : float
        The lowest cosine between a vector and what was read back.
    notes : list of str
    """

    n_written: int = 0
    n_known: int = 0
    n_replaced: int = 0
    n_checked: int = 0
    lowest: float = 1.0
    notes: list[str] = field(default_factory=list)


@dataclass
class _Sample:
    """A uniform random sample of the vectors that pass by (reservoir sampling)."""

    rows: dict[int, tuple[str, FloatVector]] = field(default_factory=dict)
    n_seen: int = 0
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    def see(self, ids: list[str], vectors: np.ndarray) -> None:
        for key, vector in zip(ids, vectors, strict=True):
            if not vector.any():  # no cosine
                continue
            place = self.n_seen if self.n_seen < _SAMPLE else int(self.rng.integers(self.n_seen))
            self.n_seen += 1
            if place < _SAMPLE:
                self.rows[place] = (key, vector.copy())


def export(
    vectors: str | Path,
    to: str,
    place: str,
    *,
    table: str = "documents",
    texts: Joined | None = None,
    existing: str = "refuse",
    batch: int = BATCH,
    progress: Callable[[int, int], None] | None = None,
) -> ExportReport:
    """Write vectors with their ids, texts and metadata to a store, and read some back.

    Parameters
    ----------
    vectors : str or Path
        A file that ``psif embed`` wrote.
    to : str
        A store of :data:`psif.integrations.stores.catalogue.STORES`.
    place : str
        Path or address of the store.
    table : str, default="documents"
    texts : Joined, optional
        Where texts and metadata come from.
    existing : {"refuse", "skip", "replace"}
        What to do with documents that the store has already.
    batch : int, default=1000
        Documents written at a time.
    progress : callable, optional
        Called as ``progress(done, total)``.
    """
    make = store_class(to)
    n_rows, n_dims = vector_shape(vectors)
    if not n_rows:
        raise InputError(f"{vectors} has no vectors.")
    store = make(
        Target(
            place,
            table,
            n_dims,
            has_texts=texts is not None,
            may_exist=existing != "refuse",
            resumes=existing == "skip",
            source=f"{vector_model(vectors)} {n_rows}",
        )
    )
    _check_dims(store, to, n_dims)
    report, sample = ExportReport(), _Sample()
    seen: set[str] = set()
    with store:
        before = 0
        if existing == "refuse":
            _refuse_known(store, vectors, batch)
        with store.telling():
            before = store.count() if store.keeps_batches else 0
        for ids, block in read_vectors(vectors):
            for start in range(0, len(ids), batch):
                part = slice(start, start + batch)
                _refuse_repeated(ids[part], seen)
                rows = _joined(ids[part], block[part], texts)
                sample.see(rows.ids, rows.vectors)
                _write(store, rows, existing, report)
                if progress is not None:
                    progress(len(seen), n_rows)
        with store.telling():
            report.notes += store.finish()
            _verify(store, sample, before, report)
            store.appear()
    return report


def _check_dims(store: Store, name: str, n_dims: int) -> None:
    if store.most_dims is not None and n_dims > store.most_dims:
        raise InputError(
            f"{name} takes at most {store.most_dims:,} numbers per vector, these have {n_dims:,}. "
            "Make compact vectors: psif embed ... --dims 512"
        )


def _refuse_known(store: Store, vectors: str | Path, batch: int) -> None:
    """Refuse before anything is written."""
    if not store.keeps_batches:
        return  # such a store has refused to be opened
    with store.telling():
        if not store.count():
            return
    for ids, _ in read_vectors(vectors):
        for start in range(0, len(ids), batch):
            with store.telling():
                known = store.known(ids[start : start + batch])
            if known:
                raise InputError(
                    f"{hidden(store.target.place)} has documents with these ids already, for "
                    f"example {min(known)!r}. Add --resume to continue an interrupted "
                    "export, --replace to write them again, or give another --table."
                )


def _refuse_repeated(ids: list[str], seen: set[str]) -> None:
    for key in ids:
        if key in seen:
            raise InputError(f"two vectors have the id {key!r}; ids in a store must differ.")
        seen.add(key)


def _joined(ids: list[str], vectors: np.ndarray, texts: Joined | None) -> Rows:
    if texts is None:
        return Rows(ids, vectors, [None] * len(ids), [{} for _ in ids])
    return Rows(ids, vectors, *texts.of(ids))


def _write(store: Store, rows: Rows, existing: str, report: ExportReport) -> None:
    with store.telling():
        known = store.known(rows.ids) if existing != "refuse" else set()
        report.n_known += len(known)
        if known and store.keeps_batches:
            if existing == "skip":
                rows = rows.take([i for i, key in enumerate(rows.ids) if key not in known])
            else:
                report.n_replaced += len(known)
        if rows.ids:
            store.write(rows)
        report.n_written += len(rows.ids)


def _verify(store: Store, sample: _Sample, before: int, report: ExportReport) -> None:
    """Compare the number of documents, and a sample of vectors read back, with what was written."""
    count, least = store.count(), before + report.n_written - report.n_replaced
    if count < least:
        raise ExportError(
            f"{hidden(store.target.place)} has {count:,} documents, expected at least {least:,}."
        )
    wanted = dict(sample.rows.values())
    found = store.read(list(wanted))
    missing = [key for key in wanted if key not in found]
    if missing:
        raise ExportError(
            f"{hidden(store.target.place)} does not have the document {missing[0]!r}."
        )
    for key, vector in wanted.items():
        cosine = _cosine(vector, found[key])
        report.lowest = min(report.lowest, cosine)
        if not cosine >= _LEAST:
            raise ExportError(
                f"{hidden(store.target.place)}: the vector of {key!r} differs from the one in "
                f"the file (cosine {cosine:.4f}). It belongs to another export? "
                "--replace writes it again."
            )
    report.n_checked = len(wanted)


def _cosine(a: FloatVector, b: FloatVector) -> float:
    x, y = a.astype(np.float64), b.astype(np.float64)
    length = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / length if length and len(x) == len(y) else float("nan")
