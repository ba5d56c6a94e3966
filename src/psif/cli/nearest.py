"""Rows of a file of vectors, or of a folder of such files, nearest to a vector."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from psif.errors import InputError
from psif.files.vector_files import read_vectors
from psif.types import FloatMatrix, FloatVector


def query_vector(model_path: Path, text: str) -> tuple[FloatVector, bool]:
    """Vector of a text, and whether any of its words is known."""
    from psif.model.embedder import Embedder

    model = Embedder.load(model_path)
    docs = model.word_ids([text])
    if not len(docs.ids):
        return np.zeros(model.n_features_out_, dtype=np.float32), False
    return model.average(docs)[0], True


def vector_files(path: Path) -> list[Path]:
    """Return the file itself, or the partitions of a folder that ``psif embed --cluster`` wrote."""
    if not path.is_dir():
        return [path]
    parts = sorted(path.glob("part-*.parquet"))
    if not parts:
        raise InputError(
            f"{path}: a folder without vectors; expected part-00000.parquet and so on, as "
            "psif embed --cluster writes them"
        )
    return parts


def texts_of(documents: Iterable[tuple[str, str]], wanted: Iterable[str]) -> dict[str, str]:
    """Texts of the wanted ids; of an id that occurs twice, the first."""
    left, found = set(wanted), {}
    for key, text in documents:
        if key in left:
            found[key] = text
            left.discard(key)
            if not left:
                break
    return found


def _blocks(path: Path) -> Iterator[tuple[list[str], FloatMatrix]]:
    for file in vector_files(path):
        yield from read_vectors(file)


def stored_vector(path: Path, key: str) -> FloatVector:
    """Vector of the document with an id."""
    for ids, rows in _blocks(path):
        if key in ids:
            vector: FloatVector = rows[ids.index(key)]
            return vector
    raise InputError(f"{path}: no document has the id {key!r}")


def nearest(
    path: Path, target: FloatVector, number: int, *, without: str | None = None
) -> list[tuple[str, float]]:
    """Ids and cosines of the nearest rows, best first; equal ones in the file's order."""
    best: list[tuple[str, float]] = []
    for ids, rows in _blocks(path):
        if rows.shape[1] != len(target):
            raise InputError(
                f"{path} holds vectors of {rows.shape[1]} numbers, but the model makes "
                f"{len(target)}; embed the documents with this model"
            )
        best += best_rows(ids, rows, target, number, without=without)
        best = sorted(best, key=lambda pair: -pair[1])[:number]
    return best


def best_rows(
    ids: Sequence[str],
    rows: FloatMatrix,
    target: FloatVector,
    number: int,
    *,
    without: str | None = None,
) -> list[tuple[str, float]]:
    """Do the same for rows in memory."""
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(target)
    scores = rows @ target / np.where(lengths > 0, lengths, 1)
    order = np.argsort(-scores, kind="stable")[: number + 1]
    found = [(ids[i], float(scores[i])) for i in order if ids[i] != without]
    return found[:number]
