"""Held-out parts of the training documents, to choose C on."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from psif.classify.linear.losses import Array
from psif.classify.linear.selection import Split

N_FOLDS = 5


def folds(n_docs: int, classes: Array | None, random_state: int | None) -> list[Split]:
    """Five folds, each with every class in proportion when classes are given."""
    from sklearn.model_selection import KFold, StratifiedKFold

    n_folds = min(N_FOLDS, n_docs)
    rows = np.zeros((n_docs, 1))
    splitter: Any
    # Where no class is large enough to be in every fold, proportions cannot be kept.
    if classes is None or np.bincount(classes).max() < n_folds:
        splitter = KFold(n_folds, shuffle=True, random_state=random_state)
        return list(splitter.split(rows))
    splitter = StratifiedKFold(n_folds, shuffle=True, random_state=random_state)
    with warnings.catch_warnings():
        # scikit-learn's only warning here: a class with fewer than five documents is missing from
        # some folds, which is all right.
        warnings.simplefilter("ignore", UserWarning)
        return list(splitter.split(rows, classes))


def folds_of_texts(texts: Sequence[str], classes: Array, random_state: int | None) -> list[Split]:
    """Five folds of different texts: copies of one are held out together.

    Each has every class in proportion, that of a text being the class of its first copy.
    """
    number: dict[str, int] = {}
    copies = np.array([number.setdefault(text, len(number)) for text in texts])
    first = np.unique(copies, return_index=True)[1]
    found = []
    for _, held in folds(len(first), classes[first], random_state):
        out = np.isin(copies, held)
        found.append((np.flatnonzero(~out), np.flatnonzero(out)))
    return found


def sample_of_classes(classes: Array, most: int, random_state: int | None) -> Array:
    """Return the rows of a random part of the documents, with every class in it, in order.

    It has ``most`` documents, or one of each class where classes are more.
    """
    order = np.random.default_rng(random_state).permutation(len(classes))
    first = np.unique(classes[order], return_index=True)[1]
    rest = np.delete(np.arange(len(order)), first)
    return np.sort(order[np.concatenate([first, rest])[: max(most, len(first))]])
