"""Several labels per document: one-against-the-rest logistic regression."""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.classify.linear.losses import Array
from psif.classify.linear.selection import fit_linear
from psif.evaluation.metrics.labels import label_metrics, micro_f1
from psif.evaluation.scoring.classes import Outcome
from psif.evaluation.scoring.classifier_rules import BY_ACCURACY, ClassifierRules
from psif.evaluation.scoring.folds import folds
from psif.evaluation.tasks.base import LabelledData


def label_matrix(data: LabelledData) -> tuple[list[str], Array, Array]:
    """All labels, and which of them each training and test document has."""
    names = sorted(
        {name for part in (data.train, data.test) for row in part.labels for name in row}
    )
    numbers = {name: i for i, name in enumerate(names)}
    matrices = []
    for part in (data.train, data.test):
        matrix = np.zeros((len(part), len(names)), dtype=bool)
        for row, labels in enumerate(part.labels):
            matrix[row, [numbers[name] for name in labels]] = True
        matrices.append(matrix)
    return names, matrices[0], matrices[1]


def score_label_vectors(
    train: Any,
    test: Any,
    data: LabelledData,
    *,
    rules: ClassifierRules = BY_ACCURACY,
    random_state: int | None = 0,
) -> Outcome:
    """Score unit-length vectors; C is chosen by micro-averaged F1 on five folds.

    A label that no training document has can only be ranked last.
    """
    _, truth, wanted = label_matrix(data)
    seen = truth.any(axis=0)
    model = fit_linear(
        train,
        truth[:, seen],
        losses=["logistic"],
        grid=rules.label_grid,
        splits=folds(len(truth), None, random_state),
        score=lambda held, decided: micro_f1(held, decided > 0),
    )
    scores = np.full(wanted.shape, -np.inf)
    decided = model.decide(test)
    scores[:, seen] = decided
    scores[:, ~seen] = decided.min() - 1
    return Outcome(label_metrics(wanted, scores), {"C": model.C})
