"""Fit classes or labels: loss and C are chosen on folds of the training documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from psif.classify.folds import folds, folds_of_texts, sample_of_classes
from psif.classify.linear.losses import Array
from psif.classify.linear.selection import LinearModel, fit_linear
from psif.classify.metrics import micro_f1
from psif.classify.rules import BY_ACCURACY, ClassifierRules


def fit_classes(
    known: Any,
    train: Array,
    texts: Sequence[str],
    *,
    dev: Array | None = None,
    doc_weights: Array | None = None,
    rules: ClassifierRules = BY_ACCURACY,
    random_state: int | None = 0,
) -> LinearModel:
    """Fit one class per document; two classes share one column.

    Parameters
    ----------
    known : ndarray, CSR matrix or features with a form
        Unit-length features of the training documents, then of the development documents.
    train : ndarray of int
        Class of each training document.
    texts : sequence of str
        The training documents: copies of a text are held out together.
    dev : ndarray of int, optional
        Classes of development documents, on which to choose instead of folds.
    doc_weights : ndarray of shape (n_docs, 1), optional
    rules : ClassifierRules
    random_state : int or None
    """
    n_train, n_classes = len(train), int(train.max()) + 1
    losses, grid = rules.losses, rules.grid
    decided: Array | None = None
    if rules.most_docs is not None and dev is None and n_train > 2 * rules.most_docs:
        some = sample_of_classes(train, rules.most_docs, random_state)
        chosen = fit_classes(
            known[some],
            train[some],
            [texts[i] for i in some],
            doc_weights=None if doc_weights is None else doc_weights[some],
            rules=rules,
            random_state=random_state,
        )
        losses, grid = (chosen.loss,), (chosen.C,)
        if chosen.decided is not None:
            decided = np.full((n_train, chosen.decided.shape[1]), np.nan, chosen.decided.dtype)
            decided[some] = chosen.decided
    rows, truth = np.arange(n_train), train
    if dev is not None:
        # Choose on the development documents; the last fit does without them.
        truth = np.concatenate([train, dev])
        splits = [(rows, np.arange(n_train, len(truth)))]
    elif len(losses) * len(grid) == 1:
        splits = []
    elif rules.copies_together:
        splits = folds_of_texts(texts, train, random_state)
    else:
        splits = folds(n_train, train, random_state)
    targets = truth[:, None] == np.arange(n_classes)

    def score(wanted: Array, values: Array) -> float:
        return rules.score(winners(wanted), winners(values), n_classes)

    model = fit_linear(
        known,
        # Two classes need one boundary.
        targets[:, 1:] if n_classes == 2 else targets,
        losses=losses,
        grid=grid,
        splits=splits[: rules.n_held_out],
        score=score,
        final_rows=rows,
        doc_weights=doc_weights,
    )
    return model if model.decided is not None else model._replace(decided=decided)


def fit_labels(
    known: Any,
    targets: Array,
    *,
    doc_weights: Array | None = None,
    rules: ClassifierRules = BY_ACCURACY,
    random_state: int | None = 0,
) -> LinearModel:
    """Fit several labels per document: logistic regressions, C by micro-averaged F1 on folds."""
    return fit_linear(
        known,
        targets,
        losses=["logistic"],
        grid=rules.label_grid,
        splits=folds(len(targets), None, random_state)[: rules.n_held_out],
        score=lambda held, values: micro_f1(held, values > 0),
        doc_weights=doc_weights,
    )


def winners(values: Array) -> Array:
    """Class of the largest value in each row; of one column, whether it is positive."""
    if values.shape[1] > 1:
        return np.asarray(values.argmax(axis=1))
    return np.asarray((values[:, 0] > 0).astype(np.int64))
