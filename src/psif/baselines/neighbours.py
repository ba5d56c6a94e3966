"""Classification by the nearest documents, for methods that give distances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from psif.errors import InputError
from psif.model.estimator import NotFittedError


@runtime_checkable
class DistanceMethod(Protocol):
    """What a method of kind "distances" offers."""

    def fit(self, texts: Iterable[str], y: Any = None) -> Any:
        """Learn from documents and keep them."""
        ...

    def distances(
        self, texts_a: Iterable[str], texts_b: Iterable[str], *, paired: bool = False
    ) -> np.ndarray:
        """Distances between documents."""
        ...

    def kneighbors(
        self, texts: Iterable[str], n_neighbors: int = 5
    ) -> tuple[np.ndarray, np.ndarray]:
        """Distances and positions of the nearest fitted documents."""
        ...


@dataclass(eq=False, repr=False)
class NearestDocuments(ClassifierMixin, BaseEstimator):
    """The commonest class among the nearest documents; of equals, the nearer.

    Parameters
    ----------
    method : DistanceMethod
        For example ``make_method("wmd")``; its settings are taken, itself is not changed.
    n_neighbors : int, default=5
        Kusner et al. choose it on a part of the training documents.

    Examples
    --------
    >>> from psif.baselines import make_method
    >>> from psif.baselines.neighbours import NearestDocuments
    >>> method = make_method("rwmd", random_state=0, dim=2)
    >>> texts = ["cats purr softly", "cats sleep", "stocks fall fast", "stocks rise"]
    >>> classifier = NearestDocuments(method, n_neighbors=1).fit(texts, ["cat", "cat", "$", "$"])
    >>> [str(label) for label in classifier.predict(["cats purr"])]
    ['cat']
    """

    method: Any
    n_neighbors: int = 5

    def fit(self, texts: Sequence[str], y: Sequence[Any]) -> Self:
        """Keep the documents and their classes."""
        texts = texts if isinstance(texts, Sequence) else list(texts)
        if len(texts) != len(y):
            raise InputError(f"{len(texts)} documents but {len(y)} classes; each needs one.")
        self.classes_ = np.unique(np.asarray(y))
        self.labels_ = np.asarray(y)
        # Not clone(): it would copy the whole table of word vectors.
        self.method_ = type(self.method)(**self.method.get_params(deep=False)).fit(texts)
        return self

    def predict(self, texts: Iterable[str]) -> np.ndarray:
        """Classes of documents."""
        if not hasattr(self, "method_"):
            raise NotFittedError("this classifier is not fitted yet; call fit(texts, y) first.")
        _, positions = self.method_.kneighbors(texts, self.n_neighbors)
        # A Counter keeps the order of arrival, nearest first, among equals.
        labels = [Counter(self.labels_[row].tolist()).most_common(1)[0][0] for row in positions]
        return np.array(labels, dtype=self.labels_.dtype)
