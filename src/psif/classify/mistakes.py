"""Wrong predictions, the surest first: some of them are wrong labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from psif.classify.choosing import winners
from psif.classify.labels import is_several
from psif.classify.linear.losses import Array
from psif.classify.reasons import Reasons
from psif.errors import InputError

if TYPE_CHECKING:
    from psif.classify.estimator import PSIFClassifier


@dataclass(frozen=True)
class Mistake:
    """A document whose prediction differs from its label.

    Attributes
    ----------
    position : int
        Of the document among the texts.
    given : label or list of labels
    predicted : label or list of labels
    margin : float
        By how much the wrong label scores higher than the given one. With several labels: the
        absolute score of the label that is wrong.
    reasons : Reasons
        Of the wrong label against the given one. With several labels, and for a given label that
        no training document had: of the wrong label alone.
    """

    position: int
    given: Any
    predicted: Any
    margin: float
    reasons: Reasons

    def __str__(self) -> str:
        return (
            f"document {self.position}: predicted {self.predicted}, given {self.given}\n"
            f"{self.reasons}"
        )


def surest_mistakes(
    clf: PSIFClassifier, texts: Sequence[str], rows: Sequence[Any], n: int
) -> list[Mistake]:
    """List at most ``n`` mistakes."""
    if is_several(rows) != clf.several_:
        wanted = "lists of labels" if clf.several_ else "one label per document"
        raise InputError(f"this classifier was fitted with {wanted}; y has something else.")
    values = clf._decide(clf._word_ids(texts))
    if clf.several_:
        return _of_several(clf, texts, rows, values, n)
    names = clf.classes_.tolist()
    if values.shape[1] == 1:
        predicted = winners(values)
        values = np.hstack([-values, values])
    else:
        predicted = winners(values)
    targets = clf._targets(rows)
    given = np.where(targets.any(axis=1), targets.argmax(axis=1), -1)
    everyone = np.arange(len(rows))
    margins = values[everyone, predicted]
    # Two classes share one score, which is that of one against the other.
    if len(names) > 2:
        margins = margins - np.where(given >= 0, values[everyone, given], 0)
    wrong = np.flatnonzero(predicted != given)
    found = []
    for i in wrong[np.argsort(-margins[wrong], kind="stable")][:n]:
        label = names[predicted[i]]
        against = names[given[i]] if given[i] >= 0 else None
        reasons = clf.explain(texts[i], label, against)
        found.append(Mistake(int(i), rows[i], label, float(margins[i]), reasons))
    return found


def _of_several(
    clf: PSIFClassifier, texts: Sequence[str], rows: Sequence[Any], values: Array, n: int
) -> list[Mistake]:
    names = clf.classes_.tolist()
    wrong = np.argwhere((values > 0) != clf._targets(rows))
    sureness = np.abs(values[wrong[:, 0], wrong[:, 1]])
    found = []
    for place in np.argsort(-sureness, kind="stable")[:n]:
        i, c = wrong[place]
        predicted = [names[k] for k in np.flatnonzero(values[i] > 0)]
        reasons = clf.explain(texts[i], names[c])
        found.append(Mistake(int(i), rows[i], predicted, float(sureness[place]), reasons))
    return found
