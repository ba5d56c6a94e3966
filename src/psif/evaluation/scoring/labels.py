"""Several labels per document: one-against-the-rest logistic regression."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from psif.classify.choosing import fit_labels
from psif.classify.linear.losses import Array
from psif.classify.rules import BY_ACCURACY, ClassifierRules
from psif.evaluation.metrics.labels import label_metrics
from psif.evaluation.scoring.classes import Outcome
from psif.evaluation.tasks.base import LabelledData

# Of the five folds, so many are held out: each label is a classifier in every one of them. One fold
# of Reuters has 1,554 documents to choose C by, and chooses what two do (docs/research.md).
_HELD_OUT = 1


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
    """Score unit-length vectors; C is chosen by micro-averaged F1 on one of five folds.

    A label that no training document has can only be ranked last.
    """
    _, truth, wanted = label_matrix(data)
    seen = truth.any(axis=0)
    rules = replace(rules, n_held_out=_HELD_OUT)
    model = fit_labels(train, truth[:, seen], rules=rules, random_state=random_state)
    scores = np.full(wanted.shape, -np.inf)
    decided = model.decide(test)
    scores[:, seen] = decided
    scores[:, ~seen] = decided.min() - 1
    first = wanted[np.arange(len(wanted)), scores.argmax(axis=1)]
    return Outcome(label_metrics(wanted, scores), {"C": model.C, "correct": first})
