"""Score a classifier of raw texts as a user would: fit it, ask it for labels, compare."""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.classify.metrics import class_metrics, class_table
from psif.evaluation.metrics.labels import label_metrics
from psif.evaluation.metrics.lengths import accuracy_by_length, n_words
from psif.evaluation.scoring.classes import Outcome, code_classes
from psif.evaluation.scoring.labels import label_matrix
from psif.evaluation.tasks.base import LabelledData, Task


def score_classifier(prototype: Any, task: Task, data: LabelledData) -> Outcome:
    """Fit a clone on the training documents and score the labels of the test documents.

    Development documents are not used: a classifier chooses on its training documents.
    """
    from sklearn.base import clone

    labels: list[Any] = list(data.train.labels)
    if task.kind == "labels":
        return _score_labels(clone(prototype), labels, data)
    classes = code_classes(data)
    clf = clone(prototype).fit(data.train.texts, [str(label) for label in labels])
    numbers = {name: i for i, name in enumerate(classes.names)}
    predicted = np.array([numbers[name] for name in clf.predict(data.test.texts).tolist()])
    table = class_table(classes.test, predicted, classes.names)
    details = {
        **_chosen(clf),
        "classes": [row._asdict() for row in table],
        "lengths": accuracy_by_length(classes.test, predicted, n_words(data.test.texts)),
    }
    return Outcome(class_metrics(classes.test, predicted, len(classes.names)), details)


def _score_labels(clf: Any, labels: list[Any], data: LabelledData) -> Outcome:
    names, _, wanted = label_matrix(data)
    clf.fit(data.train.texts, [list(row) for row in labels])
    decided = clf.decision_function(data.test.texts)
    # A label that no training document has can only be ranked last.
    scores = np.full(wanted.shape, decided.min() - 1)
    numbers = {name: i for i, name in enumerate(names)}
    scores[:, [numbers[name] for name in clf.classes_.tolist()]] = decided
    return Outcome(label_metrics(wanted, scores), _chosen(clf))


def _chosen(clf: Any) -> dict[str, Any]:
    return {"loss": clf.loss_, "C": clf.C_, "pairs": len(clf.pairs_), "language": clf.language_}
