"""Labels of documents: checked, and coded as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from psif.classify.linear.losses import Array
from psif.errors import InputError

# Each class has a column of tens of thousands of weights, and one per fold while C is chosen.
MOST_CLASSES = 2000


class CodedLabels(NamedTuple):
    """Labels of training documents.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        Sorted.
    several : bool
        Whether documents have lists of labels.
    targets : ndarray of bool, shape (n_docs, n_classes)
    """

    classes: Array
    several: bool
    targets: Array


def code_labels(y: Any, n_docs: int) -> CodedLabels:
    """Check the labels of training documents and give them numbers."""
    rows = list_labels(y, n_docs)
    several = is_several(rows)
    given = [_labels_of(row, i) if several else (row,) for i, row in enumerate(rows)]
    flat = [_check_label(label, i) for i, row in enumerate(given) for label in row]
    classes = _sorted_classes(flat)
    if len(classes) < 2:
        found = f"only one class, {classes.tolist()[0]!r}" if len(classes) else "no label"
        raise InputError(f"the training documents have {found}; 2 or more classes are needed.")
    if len(classes) > MOST_CLASSES:
        raise InputError(
            f"the labels have {len(classes):,} classes; at most {MOST_CLASSES:,} are supported. "
            "Is this the column of the labels? If so, join rare classes."
        )
    if not several:
        from sklearn.utils.multiclass import check_classification_targets

        check_classification_targets(np.asarray(flat))
    return CodedLabels(classes, several, label_matrix(given, classes))


def label_matrix(rows: Sequence[Iterable[Any]], classes: Array) -> Array:
    """Which of the classes each document has; labels that are no class are left out."""
    numbers = {label: i for i, label in enumerate(classes.tolist())}
    found = np.zeros((len(rows), len(classes)), dtype=bool)
    for i, row in enumerate(rows):
        for label in row:
            number = numbers.get(_plain(label))
            if number is not None:
                found[i, number] = True
    return found


def list_labels(y: Any, n_docs: int) -> list[Any]:
    """Labels as a list that is as long as the documents."""
    if y is None:
        raise InputError(
            "requires y to be passed, but the target y is None: give one label per document."
        )
    if not isinstance(y, Iterable) and hasattr(y, "__array__"):
        y = np.asarray(y)
    if isinstance(y, str | bytes | Mapping) or not isinstance(y, Iterable):
        raise InputError(f"expected a list with one label per document, got {type(y).__name__}.")
    if getattr(y, "ndim", 1) > 1:
        from sklearn.utils.validation import column_or_1d

        y = column_or_1d(y, warn=True)
    rows = y.tolist() if hasattr(y, "tolist") else list(y)
    if len(rows) != n_docs:
        raise InputError(
            f"there are {n_docs:,} texts and {len(rows):,} labels; give one label per text."
        )
    return rows


def is_several(rows: Sequence[Any]) -> bool:
    """Whether documents have lists of labels; mixtures are refused."""
    kinds = {isinstance(row, list | tuple | set | frozenset | np.ndarray) for row in rows}
    if len(kinds) > 1:
        raise InputError(
            "some documents have a list of labels and others a single label. "
            "Give lists for all of them, for example [['a'], ['a', 'b'], []]."
        )
    return kinds == {True}


def _labels_of(row: Any, position: int) -> list[Any]:
    labels = [_plain(label) for label in row]
    if any(isinstance(label, list | tuple) for label in labels):
        raise InputError(f"the labels of document {position} are nested lists; give one list.")
    return labels


def _check_label(label: Any, position: int) -> Any:
    label = _plain(label)
    kind = type(label).__name__
    if label is None or kind in ("NAType", "NaTType") or label != label:
        raise InputError(
            f"the label of document {position} is missing ({label!r}). Leave such documents out, "
            "or give them to fit as unlabelled=."
        )
    if isinstance(label, float) and not np.isfinite(label):
        raise InputError(f"the label of document {position} is {label!r}, not a class.")
    if not isinstance(label, str | int | float | bool):
        raise InputError(
            f"the label of document {position} is of type {kind}; "
            "labels are strings, numbers or booleans."
        )
    return label


def _sorted_classes(labels: list[Any]) -> Array:
    distinct = set(labels)
    texts = {isinstance(label, str) for label in distinct}
    if len(texts) > 1:
        text = next(label for label in distinct if isinstance(label, str))
        other = next(label for label in distinct if not isinstance(label, str))
        raise InputError(
            f"labels are of mixed types: {text!r} is a string and {other!r} is not. "
            "Convert them, for example [str(label) for label in y]."
        )
    return np.array(sorted(distinct))


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def class_weights(class_weight: Any, coded: CodedLabels) -> Array | None:
    r"""Return what documents count, (n_docs, 1), or per label, (n_docs, n_classes).

    "balanced" is scikit-learn's :math:`n / (k\, n_c)`: all classes count alike. Where documents
    have several labels, a label's weight is that of the documents that have it.
    """
    if class_weight is None:
        return None
    sizes = coded.targets.sum(axis=0)
    names = coded.classes.tolist()
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise InputError(
                f"class_weight must be 'balanced', a dict or None; got {class_weight!r}."
            )
        weights = len(coded.targets) / (len(names) * np.maximum(sizes, 1))
    elif isinstance(class_weight, Mapping):
        unknown = [label for label in class_weight if label not in names]
        if unknown:
            raise InputError(f"class_weight names {unknown[0]!r}, which no document has.")
        weights = np.array([class_weight.get(name, 1) for name in names], dtype=np.float64)
        if not (np.isfinite(weights) & (weights > 0)).all():
            raise InputError("the values of class_weight must be positive numbers.")
    else:
        raise InputError(f"class_weight must be 'balanced', a dict or None; got {class_weight!r}.")
    if coded.several:
        return np.where(coded.targets, weights, 1.0)
    return np.asarray(weights[coded.targets.argmax(axis=1)][:, None])
