"""Places of documents on a map."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from psif.explorer.neighbours import nearest_rows
from psif.types import FloatMatrix

_COMPONENTS = 50
_LEARNED_FROM = 8_000
_ROWS = 1 << 16
# Fewer documents than this have no structure that principal components would hide.
_FEW = 100
_NEIGHBOURS = 15
_RANDOM = 5
# Half of the side of the square on which points begin.
_START = 10.0
# Part of the time that finding neighbours takes.
_FINDING = 0.4

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Places:
    """Places in the unit square, NaN for documents with no known word, and the method."""

    xy: FloatMatrix
    method: str


def lay_out(
    unit: FloatMatrix,
    *,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Progress = lambda part: None,
) -> Places:
    """Put documents, given as unit rows, on a plane so that similar documents are close.

    Fifty principal components, then approximate neighbours, which a plane is arranged by as in
    UMAP; see :mod:`psif.compiled.neighbours` and :mod:`psif.compiled.layout`.

    Parameters
    ----------
    unit : ndarray of shape (n_docs, dim)
    seed : int
        The same rows and seed give the same map, for any number of threads.
    n_jobs : int or None
    progress : callable
        Called with the part that is done, up to 1.
    """
    known = np.flatnonzero(unit.any(axis=1))
    places = np.full((len(unit), 2), np.nan, dtype=np.float32)
    if not len(known):
        return Places(places, "no document has a known word")
    # The components are handed over, not kept: the layout lets go of them.
    plane, method = _arranged(principal(unit, seed, known), seed, n_jobs, progress)
    places[known] = _unit_square(plane)
    progress(1.0)
    return Places(places, method)


def principal(rows: FloatMatrix, seed: int = 0, chosen: np.ndarray | None = None) -> FloatMatrix:
    """Return at most fifty principal components, learned from a sample; at least two columns.

    ``chosen`` are the numbers of the rows that are wanted, by default all; the others do not count.
    """
    from sklearn.decomposition import PCA

    chosen = np.arange(len(rows)) if chosen is None else chosen
    if len(chosen) == 1:
        return np.zeros((1, 2), dtype=np.float32)
    some = chosen
    if len(chosen) > _LEARNED_FROM:
        some = np.random.default_rng(seed).choice(chosen, _LEARNED_FROM, replace=False)
    n_components = min(_COMPONENTS, len(some), rows.shape[1])
    learned = PCA(n_components, svd_solver="randomized", random_state=seed).fit(rows[some])
    # Block by block: a million rows are too many to hold twice.
    reduced = np.empty((len(chosen), n_components), dtype=np.float32)
    for start in range(0, len(chosen), _ROWS):
        block = chosen[start : start + _ROWS]
        reduced[start : start + len(block)] = learned.transform(rows[block])
    if reduced.shape[1] < 2:
        reduced = np.column_stack([reduced, np.zeros(len(reduced), np.float32)])
    return reduced


def _arranged(
    reduced: FloatMatrix, seed: int, n_jobs: int | None, progress: Progress
) -> tuple[FloatMatrix, str]:
    """Arrange rows on a plane by their neighbours, and say how; a few by their components.

    What is not needed any more is let go at once: a million documents have 25 million edges.
    """
    if len(reduced) <= _FEW or reduced.shape[1] <= 2:
        return reduced[:, :2], "principal components"
    from psif.compiled.layout import settle

    ids, far = nearest_rows(
        reduced,
        _NEIGHBOURS,
        seed=seed,
        n_jobs=n_jobs,
        progress=lambda part: progress(_FINDING * part),
    )
    n_epochs = 300 if len(ids) <= 10_000 else 200
    plane = _start(reduced, seed)
    del reduced
    heads, tails, weights = _edges(ids, far)
    del ids, far
    # An edge that is due less than once is left out.
    kept = weights >= weights.max() / n_epochs
    heads, tails = heads[kept], tails[kept]
    every = weights.max() / weights[kept]
    del weights, kept
    due = every.copy()
    for first in range(0, n_epochs, 10):
        last = min(first + 10, n_epochs)
        settle(plane, heads, tails, every, due, first, last, n_epochs, _RANDOM, seed + first)
        progress(_FINDING + (1 - _FINDING) * last / n_epochs)
    return plane, f"principal components, then a layout of {_NEIGHBOURS} neighbours per document"


def _start(reduced: FloatMatrix, seed: int) -> FloatMatrix:
    """Begin with two principal components; a little noise keeps equal documents apart."""
    widest = float(np.abs(reduced[:, :2]).max()) or 1.0
    noise = np.random.default_rng(seed).normal(0, 1e-3, (len(reduced), 2))
    return (_START * reduced[:, :2] / widest + noise).astype(np.float32)


def _edges(ids: np.ndarray, far: FloatMatrix) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges of the neighbour graph, both ways: a + b - ab of the weights that two rows give."""
    from scipy.sparse import csr_array

    from psif.compiled.layout import neighbour_weights

    n, number = ids.shape
    weights = np.empty_like(far)
    neighbour_weights(far, float(np.log2(number)), weights)
    # A place that no neighbour was found for has weight 0, with the row itself.
    ends = np.where(ids < 0, np.arange(n, dtype=np.int32)[:, None], ids)
    # Offsets of 32 bits, where they fit, keep scipy from doubling the room of all indices.
    kind = np.int32 if ids.size < 2**31 else np.int64
    offsets = np.arange(0, ids.size + 1, number, dtype=kind)
    given = csr_array((weights.ravel(), ends.ravel(), offsets), shape=(n, n))
    both = (given + given.T - given.multiply(given.T)).tocoo()
    return (
        both.row.astype(np.int32, copy=False), both.col.astype(np.int32, copy=False), both.data
    )  # fmt: skip


def _unit_square(plane: FloatMatrix) -> FloatMatrix:
    low = plane.min(axis=0)
    width = plane.max(axis=0) - low
    result: FloatMatrix = np.where(width > 0, (plane - low) / np.where(width > 0, width, 1), 0.5)
    return result
