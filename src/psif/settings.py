"""Refuse wrong settings before any work is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from psif.averaging import COUNTS
from psif.compact import DTYPES, METHODS
from psif.errors import InputError
from psif.parallel import resolve_jobs
from psif.partitions.selection import PARTITIONS
from psif.partitions.shaping import SHAPES
from psif.vectors.preparation import PREPARATIONS
from psif.weights import WEIGHTINGS

_CHOICES: dict[str, tuple[str, ...]] = {
    "partition": PARTITIONS,
    "weighting": WEIGHTINGS,
    "counts": COUNTS,
    "compact": METHODS,
    "dtype": DTYPES,
    "word_norm": PREPARATIONS,
    "codes": SHAPES,
    "covariance": ("tied", "diag", "full"),
    "init": ("svd", "data"),
    "vocabulary": ("all", "corpus"),
}
# Smallest whole number allowed, and what else is.
_WHOLE: dict[str, tuple[int, Any]] = {
    "n_topics": (1, "auto"),
    "n_active": (1, None),
    "n_removed": (0, 0),
    "n_dims": (1, None),
    "dim": (1, 1),
    "max_iter": (0, 0),
}


def check_settings(params: Mapping[str, Any]) -> None:
    """Check the parameters of :class:`psif.PSIF` that can be checked without data."""
    for name, allowed in _CHOICES.items():
        if params[name] not in allowed:
            raise InputError(f"{name} must be one of {', '.join(allowed)}; got {params[name]!r}.")
    for name, (least, other) in _WHOLE.items():
        _check_whole(name, params[name], least, other)
    resolve_jobs(params["n_jobs"])
    a = params["a"]
    if not isinstance(a, int | float | np.number) or not 0 < a < np.inf:
        raise InputError(f"a must be a positive number (the paper uses 1e-3); got {a!r}.")
    n_topics, n_active = params["n_topics"], params["n_active"]
    if n_active is not None and n_topics != "auto" and n_active > n_topics:
        raise InputError(
            f"n_active={n_active} is more than n_topics={n_topics}: "
            "it is how many topics one word may use."
        )


def _check_whole(name: str, value: Any, least: int, other: Any) -> None:
    if value is other or (isinstance(value, str) and value == other):
        return
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_whole or value < least:
        hint = f" (or {other!r})" if not isinstance(other, int) else ""
        raise InputError(f"{name} must be a whole number from {least} up{hint}; got {value!r}.")
