"""A task: its data, its citation and how it is scored. The scoring itself is elsewhere, once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from psif.evaluation.data.folders import read_rows
from psif.text.tokenised import TokenisedTexts


@dataclass(frozen=True)
class Documents:
    """Texts with a class each, or with a tuple of labels each."""

    texts: Sequence[str]
    labels: list[Any]

    def __len__(self) -> int:
        return len(self.texts)

    def take(self, rows: Iterable[int]) -> Documents:
        """Return some of them, in the given order."""
        rows = list(rows)
        return Documents(_taken(self.texts, rows), [self.labels[i] for i in rows])


@dataclass(frozen=True)
class Pairs:
    """Pairs of texts with a score each, and perhaps a class."""

    left: Sequence[str]
    right: Sequence[str]
    scores: list[float]
    labels: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.left)

    @property
    def texts(self) -> Sequence[str]:
        """All sentences, left ones first."""
        return join_texts(self.left, self.right)

    def take(self, rows: Iterable[int]) -> Pairs:
        """Return some of them, in the given order."""
        rows = list(rows)
        return Pairs(
            _taken(self.left, rows),
            _taken(self.right, rows),
            [self.scores[i] for i in rows],
            [self.labels[i] for i in rows] if self.labels else [],
        )


@dataclass(frozen=True)
class LabelledData:
    """Training and test documents; C is chosen on ``dev`` where there is one, else by folds."""

    train: Documents
    test: Documents
    dev: Documents | None = None

    @property
    def together(self) -> Documents:
        """Training documents, then test documents."""
        return Documents(
            join_texts(self.train.texts, self.test.texts), self.train.labels + self.test.labels
        )

    def resplit(self, seed: int) -> LabelledData:
        """Draw new training and test documents, in the same numbers."""
        together, n_train = self.together, len(self.train)
        order = self.drawn_order(seed).tolist()
        return LabelledData(together.take(order[:n_train]), together.take(order[n_train:]))

    def drawn_order(self, seed: int) -> np.ndarray:
        """Numbers of all documents, as a split drawn with this seed has them in order."""
        return np.random.default_rng(seed).permutation(len(self.train) + len(self.test))

    def fold(self, number: int, n_folds: int) -> LabelledData:
        """Hold out one of ``n_folds`` equal parts of all documents as the test."""
        together = self.together
        order = np.random.default_rng(0).permutation(len(together)).tolist()
        held = order[number::n_folds]
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

    def tokenised(self) -> LabelledData:
        """Return the same data as texts that are tokenised once, whoever reads them."""
        parts = [part for part in (self.train, self.test, self.dev) if part is not None]
        texts = iter(_tokenised(*(part.texts for part in parts)))
        return LabelledData(*(Documents(next(texts), part.labels) for part in parts))


@dataclass(frozen=True)
class PairData:
    """Test pairs by sub-task; training and development pairs where there are any.

    ``examples`` are single pairs, by name, whose cosines are printed.
    """

    parts: dict[str, Pairs]
    train: Pairs | None = None
    dev: Pairs | None = None
    examples: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def sample(self, n_docs: int) -> PairData:
        """At most ``n_docs`` pairs of each part, the same ones every time."""
        return self._map(lambda pairs: pairs.take(_some(len(pairs), n_docs)))

    def tokenised(self) -> PairData:
        """Return the same data as texts that are tokenised once, whoever reads them."""
        known = [pairs for pairs in (*self.parts.values(), self.train, self.dev) if pairs]
        texts = iter(_tokenised(*(side for pairs in known for side in (pairs.left, pairs.right))))
        new = {id(pairs): replace(pairs, left=next(texts), right=next(texts)) for pairs in known}
        return self._map(lambda pairs: new.get(id(pairs), pairs))

    def _map(self, change: Callable[[Pairs], Pairs]) -> PairData:
        return replace(
            self,
            parts={name: change(part) for name, part in self.parts.items()},
            train=None if self.train is None else change(self.train),
            dev=None if self.dev is None else change(self.dev),
        )


@dataclass(frozen=True)
class Task:
    """One evaluation.

    Attributes
    ----------
    name : str
        Short, as typed on the command line.
    title : str
    kind : {"classes", "labels", "similarity", "relatedness", "entailment", "examples", "search"}
        How it is scored: one class per document, several labels per document, similarity without
        training, a classifier of pairs, cosines of some pairs, or rankings of documents.
    load : callable
        Gives the data, a :class:`LabelledData`, a :class:`PairData` or a
        :class:`psif.evaluation.tasks.search.SearchData`.
    source : str
        Where the data comes from.
    citation : str
    own_split : bool
        The authors' split is not available: train and test are drawn with several seeds.
    most_splits : int
        How often they are drawn at most: with many documents the draws hardly differ.
    general_vectors : bool
        Word vectors of general texts suit it, not vectors trained on its own texts.
    folds : int
        With one file of documents: the number of parts, each of which is the test in turn.
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


def _taken(texts: Sequence[str], rows: Sequence[int]) -> Sequence[str]:
    return texts.take(rows) if isinstance(texts, TokenisedTexts) else [texts[i] for i in rows]


def join_texts(first: Sequence[str], second: Sequence[str]) -> Sequence[str]:
    """Join texts; parts of one whole that is tokenised once stay so."""
    if isinstance(first, TokenisedTexts) and isinstance(second, TokenisedTexts):
        return first + second
    return [*first, *second]


def _tokenised(*parts: Sequence[str]) -> list[TokenisedTexts]:
    """Return the parts of one whole that is tokenised once."""
    whole = TokenisedTexts(text for part in parts for text in part)
    found, begin = [], 0
    for part in parts:
        found.append(whole[begin : begin + len(part)])
        begin += len(part)
    return found


def _some(n: int, most: int) -> list[int]:
    if n <= most:
        return list(range(n))
    chosen: list[int] = np.sort(np.random.default_rng(0).permutation(n)[:most]).tolist()
    return chosen
