"""What a task is: data, a citation, and what is measured. The scoring lives elsewhere, once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from psif.evaluation.data.folders import read_rows


@dataclass(frozen=True)
class Documents:
    """Texts with a class each, or with a tuple of labels each."""

    texts: list[str]
    labels: list[Any]

    def __len__(self) -> int:
        return len(self.texts)

    def take(self, rows: Iterable[int]) -> Documents:
        """Return some of them, in the given order."""
        rows = list(rows)
        return Documents([self.texts[i] for i in rows], [self.labels[i] for i in rows])


@dataclass(frozen=True)
class Pairs:
    """Pairs of texts with a score each, and perhaps a class."""

    left: list[str]
    right: list[str]
    scores: list[float]
    labels: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.left)

    @property
    def texts(self) -> list[str]:
        """All sentences, left ones first."""
        return self.left + self.right

    def take(self, rows: Iterable[int]) -> Pairs:
        """Return some of them, in the given order."""
        rows = list(rows)
        return Pairs(
            [self.left[i] for i in rows],
            [self.right[i] for i in rows],
            [self.scores[i] for i in rows],
            [self.labels[i] for i in rows] if self.labels else [],
        )


@dataclass(frozen=True)
class LabelledData:
    """Training and test documents; C is chosen on ``dev`` where there is one, else by folds."""

    train: Documents
    test: Documents
    dev: Documents | None = None

    def resplit(self, seed: int) -> LabelledData:
        """Draw the training and test documents anew, in the same numbers."""
        texts, labels = self.train.texts + self.test.texts, self.train.labels + self.test.labels
        together = Documents(texts, labels)
        order = np.random.default_rng(seed).permutation(len(texts)).tolist()
        n_train = len(self.train)
        return LabelledData(together.take(order[:n_train]), together.take(order[n_train:]))

    def fold(self, number: int, n_folds: int) -> LabelledData:
        """All documents, one part in ``n_folds`` of them held out as the test."""
        texts, labels = self.train.texts + self.test.texts, self.train.labels + self.test.labels
        order = np.random.default_rng(0).permutation(len(texts)).tolist()
        held = order[number::n_folds]
        together = Documents(texts, labels)
        rest = sorted(set(order) - set(held))
        return LabelledData(together.take(rest), together.take(held))

    def sample(self, n_docs: int) -> LabelledData:
        """At most ``n_docs`` documents of each split, the same ones every time."""
        dev = None if self.dev is None else self.dev.take(_some(len(self.dev), n_docs))
        return LabelledData(
            self.train.take(_some(len(self.train), n_docs)),
            self.test.take(_some(len(self.test), n_docs)),
            dev,
        )


@dataclass(frozen=True)
class PairData:
    """Test pairs by sub-task; training and development pairs where there are any."""

    parts: dict[str, Pairs]
    train: Pairs | None = None
    dev: Pairs | None = None

    def sample(self, n_docs: int) -> PairData:
        """At most ``n_docs`` pairs of each part, the same ones every time."""

        def some(pairs: Pairs) -> Pairs:
            return pairs.take(_some(len(pairs), n_docs))

        return PairData(
            {name: some(part) for name, part in self.parts.items()},
            None if self.train is None else some(self.train),
            None if self.dev is None else some(self.dev),
        )


@dataclass(frozen=True)
class Task:
    """One evaluation.

    Attributes
    ----------
    name : str
        Short, as typed on the command line.
    title : str
    kind : {"classes", "labels", "similarity", "relatedness", "entailment", "examples"}
        How it is scored: one class a document, several labels a document, similarity without
        training, a classifier of pairs, or cosines of some pairs.
    load : callable
        Gives the data, a :class:`LabelledData` or a :class:`PairData`.
    source : str
        Where the data comes from.
    citation : str
    own_split : bool
        The authors' split cannot be had: train and test are drawn anew with several seeds.
    most_splits : int
        Times it is drawn at most: with many documents the draws hardly differ.
    general_vectors : bool
        Word vectors of general texts suit it, not ones trained on its own.
    folds : int
        With one file of documents: each part of so many is the test in turn.
    """

    name: str
    title: str
    kind: str
    load: Callable[[], Any]
    source: str
    citation: str
    own_split: bool = False
    most_splits: int = 100
    general_vectors: bool = False
    folds: int = 0


def documents(name: str, label: str = "label") -> Documents:
    """Read the documents of one split."""
    rows = list(read_rows(name))
    return Documents([row["text"] for row in rows], [row[label] for row in rows])


def labelled(folder: str) -> LabelledData:
    """Read a set that has a train and a test file."""
    return LabelledData(documents(f"{folder}/train"), documents(f"{folder}/test"))


def pairs(name: str) -> Pairs:
    """Read scored pairs of one file."""
    rows = list(read_rows(name))
    return Pairs(
        [row["text_a"] for row in rows],
        [row["text_b"] for row in rows],
        [float(row["score"]) for row in rows],
        [row["label"] for row in rows] if rows and "label" in rows[0] else [],
    )


def _some(n: int, most: int) -> list[int]:
    if n <= most:
        return list(range(n))
    chosen: list[int] = np.sort(np.random.default_rng(0).permutation(n)[:most]).tolist()
    return chosen
