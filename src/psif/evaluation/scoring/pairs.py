"""Pairs of sentences: by cosine, or learned from training pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.classify.linear.losses import Array
from psif.classify.metrics import class_metrics
from psif.errors import InputError
from psif.evaluation.metrics.similarity import cosines, pearson, similarity_metrics
from psif.evaluation.scoring.classes import Outcome
from psif.evaluation.scoring.projection import (
    VectorPairs,
    learn_pairs,
    reduce_pairs,
    soft_targets,
)
from psif.evaluation.tasks.base import PairData, Pairs

_LEVELS = np.arange(1, 6)


def score_similarity(model: Any, pairs: Pairs) -> dict[str, float]:
    """Correlation of cosines, or of negative distances, with the given scores."""
    return similarity_metrics(np.array(pairs.scores), predicted_similarity(model, pairs))


def predicted_similarity(model: Any, pairs: Pairs) -> Array:
    """Cosine of each pair, or its negative distance for methods that give distances."""
    if hasattr(model, "distances"):
        return -np.asarray(model.distances(pairs.left, pairs.right, paired=True))
    vectors = embed_pairs(model, pairs)
    return cosines(vectors.left, vectors.right)


def embed_pairs(model: Any, pairs: Pairs) -> VectorPairs:
    """Vectors of both sides, from one call."""
    vectors = model.transform(pairs.texts)
    return VectorPairs(vectors[: len(pairs)], vectors[len(pairs) :])


def score_relatedness(model: Any, data: PairData, *, random_state: int | None = 0) -> Outcome:
    """Correlation of learned relatedness: the mean of a softmax over the scores 1 … 5."""
    (train, dev, test), (train_pairs, dev_pairs, test_pairs) = _embedded(model, data)
    wanted = np.array(dev_pairs.scores)
    predict = learn_pairs(
        train,
        soft_targets(np.array(train_pairs.scores)),
        dev,
        lambda shares: pearson(wanted, shares @ _LEVELS),
        random_state=random_state,
    )
    found = similarity_metrics(np.array(test_pairs.scores), predict(test) @ _LEVELS)
    return Outcome({f"supervised {name}": value for name, value in found.items()}, {})


def score_entailment(model: Any, data: PairData, *, random_state: int | None = 0) -> Outcome:
    """Accuracy of learned entailment, neutrality or contradiction."""
    (train, dev, test), (train_pairs, dev_pairs, test_pairs) = _embedded(model, data)
    names = sorted(set(train_pairs.labels))
    numbers = {name: i for i, name in enumerate(names)}

    def coded(pairs: Pairs) -> Array:
        return np.array([numbers.get(label, -1) for label in pairs.labels])

    wanted = coded(dev_pairs)
    predict = learn_pairs(
        train,
        np.eye(len(names))[coded(train_pairs)],
        dev,
        lambda shares: float(np.mean(shares.argmax(axis=1) == wanted)),
        random_state=random_state,
    )
    predicted = predict(test).argmax(axis=1)
    return Outcome(class_metrics(coded(test_pairs), predicted, len(names)), {})


def _embedded(model: Any, data: PairData) -> tuple[list[VectorPairs], list[Pairs]]:
    """Training, development and test pairs: as vectors of few dimensions, and the pairs."""
    if hasattr(model, "distances"):
        raise InputError("a method that gives distances has no vectors to learn from.")
    (test,) = data.parts.values()
    if data.train is None or data.dev is None:
        raise InputError("learning from pairs needs training and development pairs.")
    parts = [data.train, data.dev, test]
    embedded = [embed_pairs(model, part) for part in parts]
    return reduce_pairs(*embedded), parts
