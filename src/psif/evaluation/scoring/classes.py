"""One class per document: score vectors by a linear classifier, retrieval and clustering."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from psif.classify.choosing import fit_classes, winners
from psif.classify.linear.losses import Array
from psif.classify.metrics import class_metrics, class_table
from psif.classify.rules import BY_ACCURACY, ClassifierRules
from psif.errors import InputError
from psif.evaluation.metrics.clustering import clustering_metrics
from psif.evaluation.metrics.lengths import accuracy_by_length
from psif.evaluation.metrics.retrieval import retrieval_metrics
from psif.evaluation.tasks.base import Documents, LabelledData

MEASURES = ("classification", "retrieval", "clustering")


class Outcome(NamedTuple):
    """Metrics by name, and details such as the scores of each class."""

    metrics: dict[str, float]
    details: dict[str, Any]


class Coded(NamedTuple):
    """Classes as numbers, and the training documents that have them."""

    names: list[str]
    train: Array
    test: Array
    dev: Array | None
    texts: Sequence[str]


def code_classes(data: LabelledData) -> Coded:
    """Give numbers to the classes of the training documents, then to the others."""
    names = sorted({str(label) for label in data.train.labels})
    if len(names) < 2:
        raise InputError(f"the training documents have {len(names)} class; 2 or more are needed.")
    unseen = sorted({str(label) for label in data.test.labels} - set(names))
    numbers = {name: i for i, name in enumerate([*names, *unseen])}

    def coded(part: Documents) -> Array:
        return np.array([numbers.get(str(label), -1) for label in part.labels])

    dev = None if data.dev is None else coded(data.dev)
    return Coded([*names, *unseen], coded(data.train), coded(data.test), dev, data.train.texts)


def score_vectors(
    known: Any,
    test: Any,
    classes: Coded,
    *,
    measures: tuple[str, ...] = MEASURES[:1],
    lengths: Array | None = None,
    rules: ClassifierRules = BY_ACCURACY,
    random_state: int | None = 0,
) -> Outcome:
    """Score unit-length vectors.

    Parameters
    ----------
    known : ndarray or CSR matrix
        Training documents, then development documents where there are any.
    test : ndarray or CSR matrix
    lengths : ndarray of int, optional
        Words per test document, for the accuracy on short and on long ones.
    rules : ClassifierRules
        How loss and C are chosen.
    """
    metrics: dict[str, float] = {}
    details: dict[str, Any] = {}
    if "classification" in measures:
        predicted, details = _classify(known, test, classes, rules, random_state)
        metrics |= class_metrics(classes.test, predicted, len(classes.names))
        table = class_table(classes.test, predicted, classes.names)
        details["correct"] = classes.test == predicted
        details["classes"] = [row._asdict() for row in table]
        if lengths is not None:
            details["lengths"] = accuracy_by_length(classes.test, predicted, lengths)
    if "retrieval" in measures:
        train = known[: len(classes.train)]
        metrics |= retrieval_metrics(test, train, classes.test, classes.train)
    if "clustering" in measures:
        metrics |= clustering_metrics(test, classes.test, random_state=random_state)
    return Outcome(metrics, details)


def _classify(
    known: Any, test: Any, classes: Coded, rules: ClassifierRules, random_state: int | None
) -> tuple[Array, dict[str, Any]]:
    model = fit_classes(
        known,
        classes.train,
        classes.texts,
        dev=classes.dev,
        rules=rules,
        random_state=random_state,
    )
    return winners(model.decide(test)), {"loss": model.loss, "C": model.C}
