"""One class a document: a linear SVM on vectors, the nearest documents on distances."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from psif.errors import InputError
from psif.evaluation.linear.losses import Array
from psif.evaluation.linear.selection import fit_linear
from psif.evaluation.metrics.classes import class_metrics, class_table, macro_f1
from psif.evaluation.metrics.clustering import clustering_metrics
from psif.evaluation.metrics.retrieval import retrieval_metrics
from psif.evaluation.scoring.folds import GRID, folds
from psif.evaluation.tasks.base import Documents, LabelledData

MEASURES = ("classification", "retrieval", "clustering")


class Outcome(NamedTuple):
    """Metrics by name, and whatever else is worth keeping."""

    metrics: dict[str, float]
    details: dict[str, Any]


class Coded(NamedTuple):
    """Classes as numbers."""

    names: list[str]
    train: Array
    test: Array
    dev: Array | None


def code_classes(data: LabelledData) -> Coded:
    """Give numbers to the classes of the training documents, then to others."""
    names = sorted({str(label) for label in data.train.labels})
    if len(names) < 2:
        raise InputError(f"the training documents have {len(names)} class; 2 or more are needed.")
    unseen = sorted({str(label) for label in data.test.labels} - set(names))
    numbers = {name: i for i, name in enumerate([*names, *unseen])}

    def coded(part: Documents) -> Array:
        return np.array([numbers.get(str(label), -1) for label in part.labels])

    dev = None if data.dev is None else coded(data.dev)
    return Coded([*names, *unseen], coded(data.train), coded(data.test), dev)


def score_vectors(
    vectors: tuple[Any, Any, Any],
    classes: Coded,
    *,
    measures: tuple[str, ...] = MEASURES[:1],
    random_state: int | None = 0,
) -> Outcome:
    """Score unit-length vectors of training, test and development documents (None: folds)."""
    train, test, _ = vectors
    metrics: dict[str, float] = {}
    details: dict[str, Any] = {}
    if "classification" in measures:
        predicted, details = _classify(vectors, classes, random_state)
        metrics |= class_metrics(classes.test, predicted, len(classes.names))
        table = class_table(classes.test, predicted, classes.names)
        details["classes"] = [row._asdict() for row in table]
    if "retrieval" in measures:
        metrics |= retrieval_metrics(test, train, classes.test, classes.train)
    if "clustering" in measures:
        metrics |= clustering_metrics(test, classes.test, random_state=random_state)
    return Outcome(metrics, details)


def _classify(
    vectors: tuple[Any, Any, Any], classes: Coded, random_state: int | None
) -> tuple[Array, dict[str, Any]]:
    train, test, dev = vectors
    truth, n_classes = classes.train, int(classes.train.max()) + 1
    if dev is not None and classes.dev is not None:
        # Choose on the development documents; the last fit does without them.
        features, rows = _stack(train, dev), np.arange(len(truth) + len(classes.dev))
        known = np.concatenate([truth, classes.dev])
        splits = [(rows[: len(truth)], rows[len(truth) :])]
    else:
        features, known = train, truth
        splits = folds(len(truth), truth, random_state)
    targets = known[:, None] == np.arange(n_classes)
    # Two classes need one boundary.
    columns = targets[:, 1:] if n_classes == 2 else targets

    def score(wanted: Array, decided: Array) -> float:
        return macro_f1(_winner(wanted), _winner(decided), n_classes)

    model = fit_linear(
        features, columns, loss="squared_hinge", grid=GRID, splits=splits, score=score
    )
    if features is not train:
        model = fit_linear(
            train, columns[: len(truth)], loss="squared_hinge", grid=[model.C], tol=1e-2
        )
    return _winner(model.decide(test)), {"C": model.C}


def _winner(values: Array) -> Array:
    if values.shape[1] > 1:
        return np.asarray(values.argmax(axis=1))
    return np.asarray((values[:, 0] > 0).astype(np.int64))


def _stack(top: Any, bottom: Any) -> Any:
    from scipy import sparse

    if sparse.issparse(top):
        return sparse.vstack([top, bottom], format="csr")
    return np.vstack([top, bottom])
