r"""Approximate nearest neighbours: trees of random planes, then neighbours of neighbours.

A tree cuts the rows by the plane between two random rows of a part, until parts are small; rows of
one leaf are near each other more often than not. All pairs of each leaf are compared, for several
trees, and what is found is improved by looking at the neighbours of one's neighbours (Tang, Liu,
Zhang and Mei 2016, "Visualizing large-scale and high-dimensional data", section 3.1). Each row's
list is sorted by distance.
"""

from __future__ import annotations

import numpy as np

from psif.compiled.average import Floats, Ids, Offsets
from psif.compiled.kernel import kernel

_SUMS = {"reassoc", "contract", "nsz"}
# Planes that leave nearly everything on one side are tried again so often.
_TRIES = 4


@kernel()
def grow_tree(rows: Floats, leaf: int, seed: int) -> tuple[Ids, Offsets]:
    """Return the rows in the order of the leaves, and where each leaf begins, and the end."""
    np.random.seed(seed)
    n, dim = rows.shape
    order = np.arange(n).astype(np.int32)
    bounds = np.empty(n + 1, dtype=np.int64)
    n_bounds = 0
    plane = np.empty(dim, dtype=np.float32)
    stack = [(0, n)]
    while len(stack) > 0:
        low, high = stack.pop()
        if high - low <= leaf:
            bounds[n_bounds] = low
            n_bounds += 1
            continue
        middle = low
        for _ in range(_TRIES):
            a = order[low + np.random.randint(high - low)]
            b = order[low + np.random.randint(high - low)]
            offset = np.float32(0)
            for d in range(dim):
                plane[d] = rows[a, d] - rows[b, d]
                offset += plane[d] * (rows[a, d] + rows[b, d]) * np.float32(0.5)
            middle = _cut(rows, order, low, high, plane, offset)
            if (high - low) // 10 < middle - low < high - low - (high - low) // 10:
                break
        else:
            # Rows that are all alike: any half is as good.
            middle = (low + high) // 2
        stack.append((middle, high))
        stack.append((low, middle))
    bounds[n_bounds] = n
    return order, bounds[: n_bounds + 1].copy()


@kernel(fastmath=_SUMS)
def _cut(rows: Floats, order: Ids, low: int, high: int, plane: Floats, offset: np.float32) -> int:
    """Bring rows on the far side of a plane to the front; return how far they reach."""
    middle = low
    for i in range(low, high):
        side = np.float32(0)
        for d in range(rows.shape[1]):
            side += rows[order[i], d] * plane[d]
        if side > offset:
            order[middle], order[i] = order[i], order[middle]
            middle += 1
    return middle


@kernel(fastmath=_SUMS)
def _squared(rows: Floats, i: int, j: int) -> np.float32:
    total = np.float32(0)
    for d in range(rows.shape[1]):
        difference = rows[i, d] - rows[j, d]
        total += difference * difference
    return total


@kernel()
def _push(ids: Ids, far: Floats, j: int, distance: np.float32) -> None:
    """Put a neighbour into a sorted list of its own, unless it is too far or there already."""
    last = len(ids) - 1
    if distance >= far[last]:
        return
    for t in range(len(ids)):
        if ids[t] == j:
            return
    while last > 0 and far[last - 1] > distance:
        far[last] = far[last - 1]
        ids[last] = ids[last - 1]
        last -= 1
    far[last] = distance
    ids[last] = j


@kernel()
def join_leaves(
    rows: Floats, order: Ids, bounds: Offsets, start: int, stop: int, ids: Ids, far: Floats
) -> None:
    """Compare all pairs of the leaves ``start`` to ``stop``; a row is in one leaf only."""
    for leaf in range(start, stop):
        for s in range(bounds[leaf], bounds[leaf + 1]):
            i = order[s]
            for t in range(s + 1, bounds[leaf + 1]):
                j = order[t]
                distance = _squared(rows, i, j)
                _push(ids[i], far[i], j, distance)
                _push(ids[j], far[j], i, distance)


@kernel()
def explore_neighbours(
    rows: Floats, old_ids: Ids, start: int, stop: int, ids: Ids, far: Floats
) -> None:
    """Improve the lists of the rows ``start`` to ``stop`` by the neighbours of their neighbours.

    ``ids`` and ``far`` begin as copies of the old lists.
    """
    seen = np.full(len(rows), -1, dtype=np.int32)
    for i in range(start, stop):
        seen[i] = i
        for a in old_ids[i]:
            if a >= 0:
                seen[a] = i
        for a in old_ids[i]:
            if a < 0:
                break
            for b in old_ids[a]:
                if b < 0:
                    break
                if seen[b] != i:
                    seen[b] = i
                    _push(ids[i], far[i], b, _squared(rows, i, b))
