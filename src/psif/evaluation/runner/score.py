"""Score one task under one method and one protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from psif.baselines import METHODS
from psif.baselines.neighbours import NearestDocuments
from psif.errors import InputError
from psif.evaluation.data.background import background_sentences
from psif.evaluation.metrics.classes import class_metrics
from psif.evaluation.metrics.lengths import n_words
from psif.evaluation.paper.examples import score_examples
from psif.evaluation.runner.build import Maker
from psif.evaluation.scoring.classes import Outcome, code_classes, score_vectors
from psif.evaluation.scoring.features import unit_features
from psif.evaluation.scoring.labels import score_label_vectors
from psif.evaluation.scoring.pairs import score_entailment, score_relatedness, score_similarity
from psif.evaluation.tasks.base import LabelledData, PairData, Task

Scores = Mapping[str, Mapping[str, float]]
"""Metrics by name, by part: "" is the task itself."""


def score_labelled(
    task: Task, data: LabelledData, maker: Maker, measures: tuple[str, ...]
) -> Outcome:
    """Classify documents, and look for them and group them where asked."""
    if METHODS[maker.method].kind == "distances":
        return _score_distances(task, data, maker)
    train, test = data.train.texts, data.test.texts
    dev = data.dev.texts if data.dev is not None else []
    labels = data.train.labels
    supervised = METHODS[maker.method].needs_labels
    if supervised and task.kind == "labels":
        raise InputError(f"{maker.method} learns from one class a document; {task.name} has many.")
    # Before the costly part: a set that cannot be scored should fail at once.
    classes = None if task.kind == "labels" else code_classes(data)
    # Methods that see labels see training documents only, whatever the protocol.
    seen = train + dev + test if maker.protocol.transductive and not supervised else train
    if classes is None:
        measures = ("classification",)
    outcome = Outcome({}, {})
    for one, asked in maker.by_measures(measures):
        model = one.fit(seen, labels if supervised else None)
        one.check_coverage(model, test, task.name)
        known = unit_features(model.transform(train + dev))
        tested = unit_features(model.transform(test))
        if classes is None:
            return score_label_vectors(
                known, tested, data,
                rules=maker.protocol.classifier, random_state=one.random_state,
            )  # fmt: skip
        found = score_vectors(
            known, tested, classes,
            measures=asked, lengths=n_words(test), rules=maker.protocol.classifier,
            random_state=one.random_state,
        )  # fmt: skip
        outcome = Outcome(outcome.metrics | found.metrics, outcome.details | found.details)
        del known, tested
    return outcome


def _score_distances(task: Task, data: LabelledData, maker: Maker) -> Outcome:
    """Classify by the five nearest training documents, as Kusner et al. do."""
    if task.kind != "classes":
        raise InputError(f"{maker.method} gives distances, which cannot rank the labels of many.")
    classes = code_classes(data)
    method = maker.build_for(data.train.texts)
    classifier = NearestDocuments(method).fit(data.train.texts, classes.train.tolist())
    predicted = np.asarray(classifier.predict(data.test.texts))
    return Outcome(class_metrics(classes.test, predicted, len(classes.names)), {})


def score_pairs(task: Task, data: PairData, maker: Maker, sample: int | None) -> Scores:
    """Score every sub-task; the task's own number is the mean over them."""
    shared: Any = None
    if not maker.protocol.transductive:
        shared = maker.fit_shared(background_sentences(sample))
    scores: dict[str, dict[str, float]] = {}
    for name, part in data.parts.items():
        seen = part.texts
        if task.kind != "similarity" and data.train is not None:
            seen = data.train.texts + part.texts
        model = shared if shared is not None else maker.fit(seen)
        maker.check_coverage(model, part.texts, f"{task.name}/{name}")
        if task.kind == "examples":
            return score_examples(model, part)
        scores[name] = _score_part(task, data, model, maker.random_state, name)
    if len(scores) == 1:
        return {"": next(iter(scores.values()))}
    names = next(iter(scores.values()))
    mean = {key: float(np.mean([part[key] for part in scores.values()])) for key in names}
    return {"": mean, **scores}


def _score_part(
    task: Task, data: PairData, model: Any, random_state: int | None, name: str
) -> dict[str, float]:
    if task.kind == "entailment":
        return score_entailment(model, data, random_state=random_state).metrics
    metrics = score_similarity(model, data.parts[name])
    if task.kind == "relatedness" and not hasattr(model, "distances"):
        metrics |= score_relatedness(model, data, random_state=random_state).metrics
    return metrics
