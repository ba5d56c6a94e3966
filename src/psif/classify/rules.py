"""Rules by which the linear classifier of documents is chosen, always on training documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from psif.classify.folds import N_FOLDS
from psif.classify.linear.losses import Array
from psif.classify.metrics import macro_f1


@dataclass(frozen=True)
class ClassifierRules:
    """Which classifiers are tried, and by which score the best is chosen.

    Attributes
    ----------
    losses : tuple of str
        Names in :data:`psif.classify.linear.losses.LOSSES`.
    grid : tuple of float
        Values of C, on features of unit length.
    metric : {"accuracy", "macro_f1"}
        Of held-out documents.
    copies_together : bool
        Whether all copies of a text are held out together. In Ohsumed a document of two classes
        is there once per class. With its copies in different folds the classifier is asked to
        contradict what it has just learned, and the folds favour learning as little as possible.
    most_docs : int or None
        With more than twice this number of training documents, the folds are made of this many
        of them; the final fit uses all.
    label_grid : tuple of float
        Values of C for the logistic regression of documents with several labels.
    n_held_out : int
        How many of the five folds are held out in turn.
    """

    losses: tuple[str, ...]
    grid: tuple[float, ...]
    metric: str
    copies_together: bool
    most_docs: int | None
    label_grid: tuple[float, ...]
    n_held_out: int = N_FOLDS

    def score(self, wanted: Array, predicted: Array, n_classes: int) -> float:
        """Score predicted classes, × 100."""
        if self.metric == "accuracy":
            return 100 * float(np.mean(wanted == predicted))
        return macro_f1(wanted, predicted, n_classes)


# docs/research.md, "The classifier".
BY_ACCURACY = ClassifierRules(
    losses=("squared_hinge", "squares"),
    grid=(0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0),
    metric="accuracy",
    copies_together=True,
    # A Gram matrix of this many documents fits into memory.
    most_docs=10_000,
    # Rare labels ask for little regularisation: folds of Reuters choose the last but one.
    label_grid=(0.125, 0.5, 2.0, 8.0, 32.0, 128.0, 512.0, 2048.0),
)
# "Experimental Details": LinearSVM, five-fold cross-validation on the F1 score.
BY_F1 = ClassifierRules(
    losses=("squared_hinge",),
    grid=(0.125, 0.5, 2.0, 8.0, 32.0),
    metric="macro_f1",
    copies_together=False,
    most_docs=None,
    label_grid=(0.125, 0.5, 2.0, 8.0, 32.0),
)
