"""Score one task with one method under one protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from psif.baselines import METHODS
from psif.baselines.neighbours import NearestDocuments
from psif.classify.metrics import class_metrics
from psif.errors import InputError
from psif.evaluation.metrics.lengths import n_words
from psif.evaluation.metrics.similarity import pooled_metrics, similarity_metrics
from psif.evaluation.runner.build import MethodBuilder
from psif.evaluation.scoring.classes import Outcome, code_classes, score_vectors
from psif.evaluation.scoring.classifier import score_classifier
from psif.evaluation.scoring.examples import score_examples
from psif.evaluation.scoring.features import unit_features
from psif.evaluation.scoring.labels import score_label_vectors
from psif.evaluation.scoring.pairs import (
    predicted_similarity,
    score_entailment,
    score_relatedness,
)
from psif.evaluation.tasks.base import LabelledData, PairData, Task, join_texts

Scores: TypeAlias = Mapping[str, Mapping[str, float]]
"""Metrics by name, by part: "" is the task itself."""
Builders: TypeAlias = Sequence[tuple[MethodBuilder, tuple[str, ...]]]
"""Who makes the vectors for which measures."""


def score_documents(
    task: Task, data: LabelledData, builders: Builders, *, per_class: bool = False
) -> Scores:
    """Score one split of documents; with ``per_class`` also each class and range of lengths."""
    outcome = score_labelled(task, data, builders)
    scores: dict[str, Mapping[str, float]] = {"": outcome.metrics}
    if per_class:
        for row in outcome.details.get("classes", []):
            scores[row["label"]] = {name: row[name] for name in ("precision", "recall", "f1")}
        for name, accuracy in outcome.details.get("lengths", {}).items():
            scores[name] = {"accuracy": accuracy}
    return scores


def score_labelled(task: Task, data: LabelledData, builders: Builders) -> Outcome:
    """Classify documents; retrieve and cluster them where asked."""
    builder = builders[0][0]
    method, protocol = METHODS[builder.method], builder.protocol
    if method.kind == "distances":
        return _score_distances(task, data, builder)
    if method.kind == "ranking":
        raise InputError(
            f"{builder.method} ranks documents for queries; {task.name} needs vectors."
        )
    if method.kind == "classifier":
        return score_classifier(builder.prototype, task, data)
    supervised = method.needs_labels
    if supervised and task.kind == "labels":
        raise InputError(
            f"{builder.method} learns from one class per document; {task.name} has several."
        )
    # Before the costly part: a set that cannot be scored should fail at once.
    classes = None if task.kind == "labels" else code_classes(data)
    train, test = data.train.texts, data.test.texts
    known_texts = train if data.dev is None else join_texts(train, data.dev.texts)
    # Methods that see labels see training documents only, whatever the protocol.
    everything = protocol.transductive and not supervised
    seen = join_texts(known_texts, test) if everything else train
    outcome = Outcome({}, {})
    for one, asked in builders:
        model = one.fit(seen, data.train.labels if supervised else None)
        one.check_coverage(model, test, task.name)
        known = unit_features(model.transform(known_texts))
        tested = unit_features(model.transform(test))
        if classes is None:
            return score_label_vectors(
                known, tested, data, rules=protocol.classifier, random_state=one.random_state
            )
        found = score_vectors(
            known, tested, classes,
            measures=asked, lengths=n_words(test), rules=protocol.classifier,
            random_state=one.random_state,
        )  # fmt: skip
        outcome = Outcome(outcome.metrics | found.metrics, outcome.details | found.details)
        del known, tested
    return outcome


def _score_distances(task: Task, data: LabelledData, builder: MethodBuilder) -> Outcome:
    """Classify by the five nearest training documents, as Kusner et al. do."""
    if task.kind != "classes":
        raise InputError(
            f"{builder.method} gives distances, which cannot rank several labels per document."
        )
    classes = code_classes(data)
    method = builder.build_for(data.train.texts)
    classifier = NearestDocuments(method).fit(data.train.texts, classes.train.tolist())
    predicted = np.asarray(classifier.predict(data.test.texts))
    return Outcome(class_metrics(classes.test, predicted, len(classes.names)), {})


def score_pairs(
    task: Task, data: PairData, builder: MethodBuilder, background: Callable[[], Sequence[str]]
) -> Scores:
    """Score every sub-task; the task's own score is the mean over them.

    Where there are several, all pairs together are scored as well (``pooled spearman``): the two
    are different measures, and neither can be compared with the other.

    Parameters
    ----------
    background : callable
        Gives the texts that an inductive method learns from.
    """
    if METHODS[builder.method].kind == "ranking":
        raise InputError(
            f"{builder.method} ranks documents for queries; {task.name} needs vectors."
        )
    shared: Any = None
    if not builder.protocol.transductive:
        shared = builder.fit_shared(background())
    scores: dict[str, dict[str, float]] = {}
    predicted: list[Any] = []
    for name, part in data.parts.items():
        seen = part.texts
        if task.kind != "similarity" and data.train is not None:
            seen = join_texts(data.train.texts, part.texts)
        model = shared if shared is not None else builder.fit(seen)
        builder.check_coverage(model, part.texts, f"{task.name}/{name}")
        if task.kind == "examples":
            return score_examples(model, data)
        if task.kind == "entailment":
            scores[name] = score_entailment(model, data, random_state=builder.random_state).metrics
            continue
        predicted.append(predicted_similarity(model, part))
        scores[name] = similarity_metrics(np.array(part.scores), predicted[-1])
        if task.kind == "relatedness" and not hasattr(model, "distances"):
            learned = score_relatedness(model, data, random_state=builder.random_state)
            scores[name] |= learned.metrics
    if len(scores) == 1:
        return {"": next(iter(scores.values()))}
    names = next(iter(scores.values()))
    mean = {key: float(np.mean([part[key] for part in scores.values()])) for key in names}
    wanted = [np.array(part.scores) for part in data.parts.values()]
    return {"": mean | pooled_metrics(wanted, predicted), **scores}
