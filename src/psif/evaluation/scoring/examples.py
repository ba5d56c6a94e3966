"""Single pairs of sentences: their cosines, and how far cosines are from the given scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.evaluation.metrics.similarity import cosines
from psif.evaluation.tasks.base import PairData

_HIGHEST = 5


def score_examples(model: Any, data: PairData) -> dict[str, dict[str, float]]:
    """Cosines of the example pairs by name; of all pairs the mean distance from score / 5."""
    (part,) = data.parts.values()
    shown = list(data.examples.values())
    vectors = model.transform([left for left, _ in shown] + [right for _, right in shown])
    found = cosines(vectors[: len(shown)], vectors[len(shown) :])
    both = model.transform(part.texts)
    errors = np.abs(
        cosines(both[: len(part)], both[len(part) :]) - np.array(part.scores) / _HIGHEST
    )
    scores: dict[str, dict[str, float]] = {"": {"mean error": float(errors.mean())}}
    for name, value in zip(data.examples, found, strict=True):
        scores[name] = {"cosine": float(value)}
    return scores
