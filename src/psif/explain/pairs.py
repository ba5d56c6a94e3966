r"""The word pairs that add most to a score.

A pair adds :math:`s_w s_u \langle \alpha_w, \alpha_u \rangle \langle v_w, v_u \rangle`. A word that
both documents share also adds the product of its word columns. By the Cauchy-Schwarz inequality
this is at most :math:`b_w b_u`, where b is the length of a word's part of its document. So words
are taken in order of decreasing b, and the search ends when no remaining pair can be among the n
best. In compact vectors, each pair adds the product of two rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.explain.explanation import PairShare
from psif.explain.side import CompactSide, Side
from psif.types import DoubleMatrix, DoubleVector

_ROWS = 256
# The largest number of pairs that are compared. Two documents of 2,000 distinct words each are
# always exact; longer ones are searched from their heaviest words down until this limit.
_MOST_PAIRS = 4_000_000


def strongest_pairs(
    names: list[str],
    a: Side | CompactSide,
    b: Side | CompactSide,
    unit: float,
    n_pairs: int,
    most: int = _MOST_PAIRS,
) -> list[PairShare]:
    """Return the ``n_pairs`` pairs of largest absolute share, times ``unit``, strongest first.

    ``most`` limits the pairs that are compared; at the limit, the list has the best of those.
    """
    if not len(a.ids) or not len(b.ids) or not unit or n_pairs < 1:
        return []
    bounds_a, bounds_b = a.bounds, b.bounds
    order_a = np.argsort(-bounds_a, kind="stable")
    order_b = np.argsort(-bounds_b, kind="stable")
    falling_b = bounds_b[order_b]
    kept: tuple[DoubleVector, np.ndarray, np.ndarray] = (
        np.zeros(0),
        np.zeros(0, np.int64),
        np.zeros(0, np.int64),
    )
    floor, left = 0.0, most
    for start in range(0, len(order_a), _ROWS):
        rows = order_a[start : start + _ROWS]
        # Columns that can still beat the n-th best pair with the heaviest of these rows.
        n_columns = int((falling_b * bounds_a[rows[0]] >= floor).sum())
        columns = order_b[: min(n_columns, max(1, left // len(rows)))]
        if not n_columns or left <= 0:
            break
        left -= len(rows) * len(columns)
        shares = weigh(a, b, rows, columns)
        kept = _best(kept, shares, rows, columns, n_pairs)
        if len(kept[0]) == n_pairs:
            # Rounding must not drop a pair that equals its bound.
            floor = float(np.abs(kept[0]).min()) * (1 - 1e-9)
    return [
        PairShare(names[a.ids[i]], names[b.ids[j]], float(share * unit))
        for share, i, j in zip(*kept, strict=True)
    ]


def weigh(a: Any, b: Any, rows: np.ndarray, columns: np.ndarray) -> DoubleMatrix:
    """Return what pairs of words of two sides of one kind add."""
    shares: DoubleMatrix = a.pair_shares(b, rows, columns)
    return shares


def _best(
    kept: tuple[DoubleVector, np.ndarray, np.ndarray],
    shares: np.ndarray,
    rows: np.ndarray,
    columns: np.ndarray,
    n_pairs: int,
) -> tuple[DoubleVector, np.ndarray, np.ndarray]:
    """Merge the best pairs so far with those of one block; ties are in the order of words."""
    flat = np.abs(shares).ravel()
    if len(flat) > n_pairs:
        # Keep all ties with the last one; the sort below chooses among them.
        least = np.partition(flat, len(flat) - n_pairs)[len(flat) - n_pairs]
        chosen = np.flatnonzero(flat >= least)
    else:
        chosen = np.arange(len(flat))
    i, j = np.unravel_index(chosen, shares.shape)
    values = np.concatenate([kept[0], shares.ravel()[chosen]])
    left, right = np.concatenate([kept[1], rows[i]]), np.concatenate([kept[2], columns[j]])
    order = np.lexsort((right, left, -np.abs(values)))[:n_pairs]
    return values[order], left[order], right[order]
