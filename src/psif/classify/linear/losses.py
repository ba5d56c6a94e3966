"""Losses of a margin, with the slope and the curvature that Newton's method asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from psif.errors import InputError

Array: TypeAlias = NDArray[Any]


class Loss(NamedTuple):
    """A loss ℓ(y, f) of targets y = ±1 and decision values f, elementwise.

    ``bend`` gives its first and second derivative in f.
    """

    value: Callable[[Array, Array], Array]
    bend: Callable[[Array, Array], tuple[Array, Array]]


def _hinge_value(y: Array, f: Array) -> Array:
    return np.asarray(np.square(np.maximum(0, 1 - y * f)))


def _hinge_bend(y: Array, f: Array) -> tuple[Array, Array]:
    # (1 - yf)² where yf < 1; its slope -2y(1 - yf) is 2(f - y), as y² = 1.
    curvature = 2 * (y * f < 1).astype(f.dtype)
    return curvature * (f - y), curvature


def _squares_value(y: Array, f: Array) -> Array:
    return np.asarray(np.square(y - f))


def _squares_bend(y: Array, f: Array) -> tuple[Array, Array]:
    return 2 * (f - y), np.full_like(f, 2)


def _logistic_value(y: Array, f: Array) -> Array:
    return np.asarray(np.logaddexp(f.dtype.type(0), -y * f))


def _logistic_bend(y: Array, f: Array) -> tuple[Array, Array]:
    # With e = exp(-|f|), which cannot overflow: σ(-yf) = e / (1 + e) on the right side of the
    # boundary, 1 / (1 + e) on the wrong one.
    e = np.exp(-np.abs(f))
    slope = -y * np.where(y * f > 0, e, 1) / (1 + e)
    return slope, e / np.square(1 + e)


LOSSES: dict[str, Loss] = {
    "squared_hinge": Loss(_hinge_value, _hinge_bend),
    "squares": Loss(_squares_value, _squares_bend),
    "logistic": Loss(_logistic_value, _logistic_bend),
}


def find_loss(name: str) -> Loss:
    """Return the loss called ``name``."""
    if name not in LOSSES:
        raise InputError(f"no loss is called {name!r}; there are {', '.join(LOSSES)}.")
    return LOSSES[name]
