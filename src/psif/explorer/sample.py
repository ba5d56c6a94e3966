"""A sample of a file of vectors, as large as a page and a machine can hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from psif.errors import FormatError, InputError
from psif.files.vector_files import read_vectors, vector_shape
from psif.runtime.norms import unit_rows
from psif.types import FloatMatrix

# Numbers held in memory (half a GiB); many long vectors are projected to fewer numbers, the more
# documents the fewer.
_MOST_NUMBERS = 1 << 27
_LEAST, _SHORT = 128, 256
_LEARNED_FROM = 2_048


@dataclass(frozen=True)
class Sample:
    """Documents of a file of vectors.

    Attributes
    ----------
    ids : list of str
    rows : ndarray of shape (n_docs, n_numbers)
        Unit rows; zero for documents with no known word.
    n_total : int
        Documents in the file.
    projection : ndarray of shape (dim, n_numbers) or None
        The projection of the rows, if they were projected.
    energies : ndarray of shape (n_docs, n_topics) or None
        Share of the block of each topic in each row, if rows have such blocks.
    """

    ids: list[str]
    rows: FloatMatrix
    n_total: int
    projection: FloatMatrix | None
    energies: FloatMatrix | None

    def shorten(self, vectors: FloatMatrix) -> FloatMatrix:
        """Project other vectors of the model into the space of the rows, as unit rows."""
        return unit_rows(vectors if self.projection is None else vectors @ self.projection)


def read_sample(path: Path, dim: int, most: int, n_blocks: int | None, seed: int = 0) -> Sample:
    """Read at most ``most`` rows, chosen evenly at random, in the order of the file.

    ``dim`` is the length of vectors of the model; ``n_blocks`` the topics of full vectors.
    """
    n_total, found = vector_shape(path)
    if not n_total:
        raise InputError(f"{path}: there is no vector in it")
    if found != dim:
        raise InputError(
            f"{path} holds vectors of {found} numbers, but the model makes {dim}; "
            "embed the documents with this model"
        )
    chosen = np.arange(n_total)
    if n_total > most:
        chosen = np.sort(np.random.default_rng(seed).choice(n_total, most, replace=False))
    projection = None
    short = max(_LEAST, min(_SHORT, _MOST_NUMBERS // len(chosen)))
    if len(chosen) * dim > _MOST_NUMBERS and dim > short:
        projection = _learn(path, chosen, short, seed)
    width = dim if projection is None else projection.shape[1]
    rows = np.empty((len(chosen), width), dtype=np.float32)
    energies = None if n_blocks is None else np.empty((len(chosen), n_blocks), dtype=np.float32)
    ids: list[str] = []
    for keys, block in _chosen(path, chosen):
        if not np.isfinite(block).all():
            raise FormatError(f"{path}: there are numbers in it that are not finite")
        here = slice(len(ids), len(ids) + len(keys))
        rows[here] = unit_rows(block if projection is None else block @ projection)
        if energies is not None:
            energies[here] = _energies(block, energies.shape[1])
        ids += keys
    return Sample(ids, rows, n_total, projection, energies)


def _chosen(path: Path, chosen: np.ndarray) -> Iterator[tuple[list[str], FloatMatrix]]:
    """Yield the rows with the given increasing numbers."""
    start = 0
    for keys, block in read_vectors(path):
        first, last = np.searchsorted(chosen, [start, start + len(keys)])
        here = chosen[first:last] - start
        start += len(keys)
        yield [keys[i] for i in here.tolist()], block[here]


def _energies(block: FloatMatrix, n_blocks: int) -> FloatMatrix:
    squares = (block**2).reshape(len(block), n_blocks, -1).sum(axis=2)
    total = squares.sum(axis=1, keepdims=True)
    result: FloatMatrix = squares / np.where(total > 0, total, 1)
    return result


def _learn(path: Path, chosen: np.ndarray, n_dims: int, seed: int) -> FloatMatrix:
    """Return the leading directions of some of the rows."""
    from sklearn.utils.extmath import randomized_svd

    few = np.sort(np.random.default_rng(seed).choice(chosen, _LEARNED_FROM, replace=False))
    rows = np.concatenate([unit_rows(block) for _, block in _chosen(path, few)])
    directions = randomized_svd(rows, n_dims, random_state=seed)[2]
    return np.ascontiguousarray(directions.T, dtype=np.float32)
