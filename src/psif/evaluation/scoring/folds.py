"""Held-out parts of the training documents, to choose C on."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from psif.evaluation.linear.losses import Array
from psif.evaluation.linear.selection import Split

N_FOLDS = 5
# Values of C on unit-length features, in steps of four.
GRID = (0.125, 0.5, 2.0, 8.0, 32.0)


def folds(n_docs: int, classes: Array | None, random_state: int | None) -> list[Split]:
    """Five folds, each with every class in proportion when classes are given."""
    from sklearn.model_selection import KFold, StratifiedKFold

    n_folds = min(N_FOLDS, n_docs)
    rows = np.zeros((n_docs, 1))
    splitter: Any
    if classes is None:
        splitter = KFold(n_folds, shuffle=True, random_state=random_state)
        return list(splitter.split(rows))
    splitter = StratifiedKFold(n_folds, shuffle=True, random_state=random_state)
    with warnings.catch_warnings():
        # A class with fewer than five documents is missing from some folds; that is all right.
        warnings.filterwarnings("ignore", message="The least populated class")
        return list(splitter.split(rows, classes))
