"""A classifier from the settings of its model of documents."""

from __future__ import annotations

from typing import Any

from psif.classify.estimator import PSIFClassifier
from psif.model.estimator import PSIF


def make_classifier(
    *,
    pairs: bool | str = "auto",
    class_weight: Any = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    **settings: Any,
) -> PSIFClassifier:
    """Make a classifier; ``settings`` override those of the preset ``classification``."""
    return PSIFClassifier(
        PSIF.from_preset("classification", **settings),
        pairs=pairs,
        class_weight=class_weight,
        random_state=random_state,
        n_jobs=n_jobs,
    )
