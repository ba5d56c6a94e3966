"""Nearest rows of every row, without comparing all pairs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from psif.runtime.threads import Workers, ranges
from psif.types import FloatMatrix

# Below this all pairs are compared, which is exact and as fast.
_FEW = 2_000
_TREES = 10
_LEAF = 64
_EXPLORATIONS = 2
_ROWS = 4_096


def nearest_rows(
    rows: FloatMatrix,
    number: int,
    *,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Callable[[float], None] = lambda part: None,
) -> tuple[np.ndarray, FloatMatrix]:
    """Neighbours of each row by Euclidean distance, nearest first, and the distances.

    Parameters
    ----------
    rows : ndarray of shape (n, dim)
        Few dimensions (tens): the trees look at all of them.
    number : int
        Neighbours per row, itself left out; less than n.
    seed : int
    n_jobs : int or None
    progress : callable
        Called with the part that is done, up to 1.

    Returns
    -------
    ids : int32 ndarray of shape (n, number)
        -1 where so many could not be found.
    distances : float32 ndarray of shape (n, number)
        Infinite there.
    """
    rows = np.ascontiguousarray(rows, dtype=np.float32)
    if len(rows) <= max(_FEW, number + 1):
        progress(1.0)
        return _all_pairs(rows, number)
    from psif.compiled.neighbours import grow_tree

    ids = np.full((len(rows), number), -1, dtype=np.int32)
    far = np.full((len(rows), number), np.inf, dtype=np.float32)
    steps = _TREES + 4 * _EXPLORATIONS
    with Workers(n_jobs) as workers:
        for tree in range(_TREES):
            order, bounds = grow_tree(rows, _LEAF, seed + tree)
            join = partial(_join, rows, order, bounds, ids, far)
            workers.map(join, ranges(len(bounds) - 1, _ROWS // _LEAF))
            progress((tree + 1) / steps)
        for turn in range(_EXPLORATIONS):
            explore = partial(_explore, rows, ids.copy(), ids, far)
            workers.map(explore, ranges(len(rows), _ROWS))
            progress((_TREES + 4 * (turn + 1)) / steps)
    return ids, np.sqrt(far)


def _join(
    rows: FloatMatrix,
    order: np.ndarray,
    bounds: np.ndarray,
    ids: np.ndarray,
    far: FloatMatrix,
    start: int,
    stop: int,
) -> None:
    from psif.compiled.neighbours import join_leaves

    join_leaves(rows, order, bounds, start, stop, ids, far)


def _explore(
    rows: FloatMatrix, old: np.ndarray, ids: np.ndarray, far: FloatMatrix, start: int, stop: int
) -> None:
    from psif.compiled.neighbours import explore_neighbours

    explore_neighbours(rows, old, start, stop, ids, far)


def _all_pairs(rows: FloatMatrix, number: int) -> tuple[np.ndarray, FloatMatrix]:
    squares = (rows**2).sum(axis=1)
    far = squares[:, None] + squares - 2 * rows @ rows.T
    np.fill_diagonal(far, np.inf)
    ids = np.argsort(far, axis=1, kind="stable")[:, :number].astype(np.int32)
    distances = np.sqrt(np.maximum(np.take_along_axis(far, ids, axis=1), 0))
    return ids, distances.astype(np.float32)
