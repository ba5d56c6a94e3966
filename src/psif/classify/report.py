"""How well a classifier does on documents that it did not learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from psif.classify.linear.losses import Array
from psif.classify.metrics import ClassScores, class_table, micro_f1

# Characters of a label in a table, and the most classes of a confusion matrix as text.
_LABEL_WIDTH = 20
_MOST_CLASSES = 30


@dataclass(frozen=True)
class HeldOutReport:
    """Scores on held-out documents.

    Attributes
    ----------
    n_docs : int
    accuracy : float
        Share of documents whose label, or whole list of labels, is right, × 100.
    micro_f1 : float or None
        With several labels per document: F1 over all decisions together, × 100.
    classes : list of ClassScores
        Precision, recall and F1 of each class, × 100.
    confusion : ndarray of shape (n_classes, n_classes) or None
        Documents by given class (rows) and predicted class (columns); None with several labels.
    """

    n_docs: int
    accuracy: float
    micro_f1: float | None
    classes: list[ClassScores]
    confusion: Array | None

    @classmethod
    def of_classes(cls, truth: Array, predicted: Array, names: Sequence[str]) -> HeldOutReport:
        """Make a report of one class per document, given as numbers."""
        confusion = np.zeros((len(names), len(names)), dtype=np.int64)
        np.add.at(confusion, (truth, predicted), 1)
        accuracy = 100 * float(np.mean(truth == predicted))
        return cls(len(truth), accuracy, None, class_table(truth, predicted, names), confusion)

    @classmethod
    def of_labels(cls, truth: Array, predicted: Array, names: Sequence[str]) -> HeldOutReport:
        """Make a report of several labels per document, given as a matrix of booleans."""
        classes = []
        for i, name in enumerate(names):
            both = class_table(truth[:, i].astype(int), predicted[:, i].astype(int), ["", name])
            classes.append(both[1])
        exact = 100 * float((truth == predicted).all(axis=1).mean())
        return cls(len(truth), exact, 100 * micro_f1(truth, predicted), classes, None)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "documents": self.n_docs,
            "accuracy": self.accuracy,
            "micro_f1": self.micro_f1,
            "classes": [row._asdict() for row in self.classes],
            "confusion": None if self.confusion is None else self.confusion.tolist(),
        }

    def __str__(self) -> str:
        lines = [f"accuracy {self.accuracy:.1f} on {self.n_docs:,} held-out documents"]
        if self.micro_f1 is not None:
            lines[0] += f", micro F1 {self.micro_f1:.1f}"
        lines += ["", *self._class_lines()]
        if self.confusion is not None and len(self.classes) <= _MOST_CLASSES:
            lines += ["", *self._confusion_lines()]
        return "\n".join(lines)

    def _class_lines(self) -> list[str]:
        width = max(5, *(len(_short(row.label)) for row in self.classes))
        lines = [f"{'class':<{width}}  precision  recall     F1  documents"]
        lines += [
            f"{_short(row.label):<{width}}  {row.precision:9.1f}  {row.recall:6.1f}  "
            f"{row.f1:5.1f}  {row.n_docs:9,}"
            for row in self.classes
        ]
        return lines

    def _confusion_lines(self) -> list[str]:
        assert self.confusion is not None
        names = [_short(row.label) for row in self.classes]
        width = max(len(name) for name in names)
        cell = max(len(str(self.confusion.max())), len(str(len(names)))) + 1
        heads = "".join(f"{i + 1:>{cell}}" for i in range(len(names)))
        number = len(str(len(names)))
        lines = [
            "confusion: rows are given classes, columns predicted ones",
            " " * (width + number + 2) + heads,
        ]
        for i, (name, row) in enumerate(zip(names, self.confusion, strict=True)):
            cells = "".join(f"{count if count else '.':>{cell}}" for count in row.tolist())
            lines.append(f"{i + 1:>{number}}. {name:<{width}}{cells}")
        return lines


def _short(label: str) -> str:
    return label if len(label) <= _LABEL_WIDTH else label[: _LABEL_WIDTH - 1] + "…"
