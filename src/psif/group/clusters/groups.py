"""Named groups of documents."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from psif.errors import EmptyDocumentsWarning, InputError
from psif.group.clusters.describing import (
    Examples,
    Group,
    WideGroup,
    names_of,
    wide_levels,
    word_counts,
)
from psif.group.clusters.lexical import bags_of_words
from psif.group.clusters.reasons import GroupReasons, split_score
from psif.group.clusters.rule import Rule, cluster, learn_rule
from psif.runtime.norms import unit_rows
from psif.text.flat import FlatDocs

if TYPE_CHECKING:
    from psif.model.embedder import Embedder

# Documents that groups are learned from; all others are assigned.
SAMPLE = 10_000
_BATCH_BYTES = 1 << 26


class Assigned(NamedTuple):
    """Groups of some documents.

    Attributes
    ----------
    labels : ndarray of int64
        The group of each document, -1 for an outlier.
    nearest : ndarray of int64
        The same with the nearest group for outliers; -1 only for a document without known words.
    cosines : ndarray of float32
        With the centroid of the nearest group.
    margins : ndarray of float32
        Score of the nearest group less that of the second one.
    """

    labels: NDArray[np.int64]
    nearest: NDArray[np.int64]
    cosines: NDArray[np.float32]
    margins: NDArray[np.float32]


class Groups:
    """Groups of documents, learned once; new documents are assigned without learning again.

    Make them with :meth:`psif.PSIF.groups` or :meth:`load`.

    Attributes
    ----------
    model : Embedder
    groups : list of Group
        By number: the largest first.
    wide : list of list of WideGroup
        Groups of groups, level by level; none if there are few groups.
    labels, nearest, cosines, margins : ndarray
        Of the documents that the groups were learned from, as in :class:`Assigned`. Empty after
        :meth:`load`.
    """

    def __init__(
        self, model: Embedder, rule: Rule, groups: list[Group], wide: list[list[WideGroup]]
    ) -> None:
        self.model, self.rule, self.groups, self.wide = model, rule, groups, wide
        empty = np.zeros(0, np.int64)
        self._assigned = Assigned(empty, empty, empty.astype(np.float32), empty.astype(np.float32))

    # Learning

    @classmethod
    def learn(
        cls,
        model: Embedder,
        docs: FlatDocs,
        n_groups: int | None = None,
        *,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> Self:
        """Learn groups from documents given as word ids of a model; no document is assigned yet."""
        vectors = _unit_vectors(model, docs)
        rows = np.flatnonzero(vectors.any(axis=1))
        _check_number(n_groups, len(rows))
        vectors, docs, known = vectors[rows], docs.take(rows), model.vocabulary_.words
        words = bags_of_words(docs, len(known))
        labels = cluster(vectors, n_groups, words=words, random_state=random_state, n_jobs=n_jobs)
        rule, labels = learn_rule(vectors, labels, n_jobs=n_jobs)
        mass = word_counts(docs, labels, rule.n_groups, len(known))
        groups = [Group(g, name, words) for g, (name, words) in enumerate(names_of(mass, known))]
        wide = []
        for level in wide_levels(rule.centroids):
            sums = np.stack([mass[level == w].sum(axis=0) for w in range(level.max() + 1)])
            wide.append(
                [
                    WideGroup(w, name, words, np.flatnonzero(level == w).tolist())
                    for w, (name, words) in enumerate(names_of(sums, known))
                ]
            )
            for group in groups:
                group.parents.append(int(level[group.number]))
        return cls(model, rule, groups, wide)

    def describe(self, docs: FlatDocs) -> Self:
        """Assign documents, and describe the groups by them: sizes, cohesion, examples."""
        examples, parts = Examples(len(self.groups)), []
        for start, stop in _batches(docs, self.model.n_features_out_):
            found = self.assign_ids(docs.part(start, stop))
            examples.add(start, found.labels, found.cosines, found.margins)
            parts.append(found)
        examples.describe(self.groups)
        columns = (np.concatenate(column) for column in zip(*parts, strict=True))
        self._assigned = Assigned(*columns)
        return self

    # Assigning

    @property
    def labels(self) -> NDArray[np.int64]:
        """The group of each document, -1 for an outlier."""
        return self._assigned.labels

    @property
    def nearest(self) -> NDArray[np.int64]:
        """The nearest group of each document, outliers included."""
        return self._assigned.nearest

    @property
    def cosines(self) -> NDArray[np.float32]:
        """Cosine of each document with the centroid of its nearest group."""
        return self._assigned.cosines

    @property
    def margins(self) -> NDArray[np.float32]:
        """How much each document prefers its group to the second one."""
        return self._assigned.margins

    def assign(self, texts: Iterable[str]) -> Assigned:
        """Return the groups of documents, old or new."""
        docs = self.model.word_ids(texts)
        parts = [self.assign_ids(docs.part(a, b)) for a, b in _batches(docs, self._width)]
        return Assigned(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def assign_ids(self, docs: FlatDocs) -> Assigned:
        """Return the groups of documents given as word ids of the model."""
        vectors = _unit_vectors(self.model, docs)
        scores = self.rule.scores(vectors)
        nearest = np.argmax(scores, axis=1)
        rows = np.arange(len(nearest))
        best = scores[rows, nearest]
        scores[rows, nearest] = -np.inf
        second = scores.max(axis=1) if self.rule.n_groups > 1 else np.zeros_like(best)
        cosines = np.einsum("ij,ij->i", vectors, self.rule.centroids[nearest])
        labels = np.where(cosines >= self.rule.fences[nearest], nearest, -1)
        empty = ~vectors.any(axis=1)
        labels[empty] = nearest[empty] = -1
        return Assigned(labels, nearest, cosines, best - second)

    @property
    def _width(self) -> int:
        return self.model.n_features_out_

    # Explaining

    def explain(self, text: str, group: int | None = None) -> GroupReasons:
        """Say why a document is in its group, or how well it fits another one.

        Parameters
        ----------
        text : str
        group : int, optional
            By default the nearest group.
        """
        docs = self.model.word_ids([text])
        vector = _unit_vectors(self.model, docs)
        scores = self.rule.scores(vector)[0].astype(np.float64)
        order = np.argsort(-scores, kind="stable")
        number = int(order[0]) if group is None else group
        if not 0 <= number < len(self.groups):
            raise InputError(f"there is no group {group}; groups are 0 to {len(self.groups) - 1}.")
        others = [int(other) for other in order if other != number]
        words, topics, exact = split_score(
            self.model, docs.ids, vector[0], self.rule.weights[number]
        )
        score, bias = float(scores[number]), float(self.rule.biases[number])
        return GroupReasons(
            group=number,
            name=self.groups[number].name,
            score=score,
            bias=bias,
            residual=score - bias - sum(words.values()),
            words=sorted(words.items(), key=lambda item: -abs(item[1])),
            topics=[(int(j), float(topics[j])) for j in np.argsort(-np.abs(topics))],
            exact_words=exact,
            second=others[0] if others else -1,
            margin=score - float(scores[others[0]]) if others else 0.0,
        )

    # Files and tables

    def save(self, folder: str | Path) -> None:
        """Write groups and model to a folder, which appears complete or not at all."""
        from psif.group.clusters.storage import save

        save(self, folder)

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read groups that :meth:`save` wrote; files are checked, and no code in them is run."""
        from psif.group.clusters.storage import load

        return load(cls, folder)

    def __len__(self) -> int:
        return len(self.groups)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
        return {
            "groups": [group.to_dict() for group in self.groups],
            "wide": [[one.to_dict() for one in level] for level in self.wide],
            "outliers": int(np.count_nonzero(self.labels < 0)),
        }

    def __str__(self) -> str:
        lines = [f"{'group':>5}  {'size':>7}  {'cohesion':>8}  name"]
        lines += [f"{g.number:5}  {g.size:7,}  {g.cohesion:8.3f}  {g.name}" for g in self.groups]
        n_outliers = int(np.count_nonzero(self.labels < 0))
        return "\n".join([*lines, f"{n_outliers:,} documents are in no group"])


def find_groups(
    model: Embedder,
    texts: Iterable[str],
    n_groups: int | None = None,
    *,
    random_state: int = 0,
) -> Groups:
    """Learn groups from (a sample of) texts and assign all of them."""
    docs = model.word_ids(texts)
    if not len(docs):
        raise InputError("there are no documents to group.")
    rows = np.arange(len(docs))
    if len(docs) > SAMPLE:
        rows = np.sort(np.random.default_rng(random_state).permutation(len(docs))[:SAMPLE])
    sample = docs.take(rows) if len(rows) < len(docs) else docs
    learned = Groups.learn(model, sample, n_groups, random_state=random_state, n_jobs=model.n_jobs)
    return learned.describe(docs)


def _check_number(n_groups: int | None, n_docs: int) -> None:
    if not n_docs:
        raise InputError("no document has a word that the model knows; there is nothing to group.")
    if n_groups is None:
        return
    if not isinstance(n_groups, int | np.integer) or isinstance(n_groups, bool) or n_groups < 1:
        raise InputError(f"n_groups must be a whole number of at least 1; got {n_groups!r}.")
    if n_groups > n_docs:
        raise InputError(f"n_groups is {n_groups}, but only {n_docs} documents have known words.")


def _unit_vectors(model: Embedder, docs: FlatDocs) -> NDArray[np.float32]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EmptyDocumentsWarning)
        return unit_rows(model.average(docs))


def _batches(docs: FlatDocs, width: int) -> list[tuple[int, int]]:
    size = max(1, _BATCH_BYTES // (4 * width))
    return [(a, min(a + size, len(docs))) for a in range(0, max(1, len(docs)), size)]
