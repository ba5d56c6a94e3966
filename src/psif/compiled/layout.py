r"""A plane on which neighbours attract each other and all others repel.

The weights of neighbours are those of UMAP (McInnes, Healy and Melville 2018, section 3.1), and so
is the way the plane is found (section 3.2): a neighbour moves a point towards itself in proportion
to its weight, and a few random points move it away. The similarity of two points at distance d on
the plane is :math:`1 / (1 + d^2)`, UMAP's a = b = 1.
"""

from __future__ import annotations

from math import exp

import numpy as np

from psif.compiled.average import Floats, Ids
from psif.compiled.kernel import kernel

# No single step is longer than this, in units of the plane.
_MOST = np.float32(4.0)
# A linear congruential generator of 32 bits (Numerical Recipes), of which the upper ones are used.
_FACTOR, _SHIFT, _MASK = 1664525, 1013904223, 0xFFFFFFFF


@kernel()
def neighbour_weights(far: Floats, total: float, weights: Floats) -> None:
    r"""Fill :math:`\exp(-(d - \rho) / \sigma)` for each row of distances, which rise.

    :math:`\rho` is the smallest distance above 0, and :math:`\sigma` makes the weights of a row
    sum to ``total``.
    """
    for i in range(len(far)):
        rho = 0.0
        for t in range(far.shape[1]):
            if far[i, t] > 0:
                rho = far[i, t]
                break
        low, high, sigma = 0.0, np.inf, 1.0
        for _ in range(64):
            found = 0.0
            for t in range(far.shape[1]):
                found += exp(-max(0.0, far[i, t] - rho) / sigma)
            if abs(found - total) < 1e-5:
                break
            if found > total:
                high = sigma
                sigma = (low + high) / 2
            else:
                low = sigma
                sigma = sigma * 2 if high == np.inf else (low + high) / 2
        for t in range(far.shape[1]):
            weights[i, t] = exp(-max(0.0, far[i, t] - rho) / max(sigma, 1e-12))


@kernel()
def settle(
    plane: Floats,
    heads: Ids,
    tails: Ids,
    every: Floats,
    due: Floats,
    first: int,
    last: int,
    n_epochs: int,
    n_random: int,
    seed: int,
) -> None:
    """Move the points of a plane, for the epochs ``first`` to ``last`` of ``n_epochs``.

    Parameters
    ----------
    plane : float32 (n, 2), changed
    heads, tails : int32 (n_edges,)
        Ends of each edge.
    every, due : float32 (n_edges,)
        Epochs between two turns of an edge, and the epoch of its next one; ``due`` is changed.
    n_random : int
        Random points that repel for each turn.
    seed : int
    """
    state = seed & _MASK
    n = len(plane)
    for epoch in range(first, last):
        rate = np.float32(1 - epoch / n_epochs)
        for edge in range(len(heads)):
            if due[edge] > epoch:
                continue
            due[edge] += every[edge]
            i, j = heads[edge], tails[edge]
            x, y = plane[i, 0] - plane[j, 0], plane[i, 1] - plane[j, 1]
            pull = np.float32(-2) / (np.float32(1) + x * x + y * y)
            by_x, by_y = rate * _bounded(pull * x), rate * _bounded(pull * y)
            plane[i, 0] += by_x
            plane[i, 1] += by_y
            plane[j, 0] -= by_x
            plane[j, 1] -= by_y
            for _ in range(n_random):
                state = (state * _FACTOR + _SHIFT) & _MASK
                j = state * n >> 32
                if j == i:
                    continue
                x, y = plane[i, 0] - plane[j, 0], plane[i, 1] - plane[j, 1]
                near = x * x + y * y
                push = np.float32(2) / ((np.float32(0.001) + near) * (np.float32(1) + near))
                plane[i, 0] += rate * _bounded(push * x)
                plane[i, 1] += rate * _bounded(push * y)


@kernel()
def _bounded(step: np.float32) -> np.float32:
    return np.float32(min(max(step, -_MOST), _MOST))
