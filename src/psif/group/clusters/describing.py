"""What is said about a group: its name, its size, and documents that show what it is about."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from psif.explain.naming import characteristic_words
from psif.text.bags import bags_of
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix

N_NAME, N_WORDS, N_EXAMPLES = 3, 10, 5


@dataclass
class Group:
    """A group of documents.

    Attributes
    ----------
    number : int
        0 is the largest group of the documents that the groups were learned from.
    name : str
        Its most characteristic words.
    words : list of str
        More of them.
    size : int
        Documents, without outliers.
    cohesion : float
        Mean cosine of its documents with their centroid.
    parents : list of int
        Numbers of the wider groups that it belongs to, level by level.
    typical, borderline : list of int
        Positions of the documents nearest to the centroid, and of those that another group nearly
        got.
    """

    number: int
    name: str
    words: list[str]
    size: int = 0
    cohesion: float = 0.0
    parents: list[int] = field(default_factory=list)
    typical: list[int] = field(default_factory=list)
    borderline: list[int] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
        return asdict(self)


@dataclass
class WideGroup:
    """A group of groups.

    Attributes
    ----------
    number : int
    name : str
    words : list of str
    groups : list of int
        The groups that it is made of.
    """

    number: int
    name: str
    words: list[str]
    groups: list[int]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
        return asdict(self)


def word_counts(docs: FlatDocs, labels: NDArray[np.int64], n_groups: int, n_words: int) -> Any:
    """Return how many documents of each group have each word; shape (groups, words)."""
    offsets, ids, _ = bags_of(docs)
    bags = csr_array((np.ones(len(ids)), ids, offsets), shape=(len(docs), n_words))
    rows = np.flatnonzero(labels >= 0)
    members = csr_array((np.ones(len(rows)), (labels[rows], rows)), shape=(n_groups, len(docs)))
    return (members @ bags).toarray()


def names_of(mass: Any, known: list[str]) -> list[tuple[str, list[str]]]:
    """Return name and words of each group; numbers tell groups apart that have the same name."""
    words = characteristic_words(mass, np.asarray(mass).sum(axis=0), known, N_WORDS)
    seen: dict[str, int] = {}
    found = []
    for number, own in enumerate(words):
        name = " ".join(own[:N_NAME]) or f"group {number}"
        seen[name] = seen.get(name, 0) + 1
        found.append((name if seen[name] == 1 else f"{name} ({seen[name]})", own))
    return found


def wide_levels(centroids: FloatMatrix) -> list[NDArray[np.int64]]:
    """Merge groups into wider ones, level by level, each with about a third as many.

    Average linkage of the cosines of centroids; at most two levels of two or more. Each level
    gives the number of the wider group of every group.
    """
    from scipy.cluster.hierarchy import fcluster, linkage

    levels: list[NDArray[np.int64]] = []
    n_wide = round(len(centroids) / 3)
    if n_wide < 2:
        return levels
    # Rounding may make a distance slightly negative.
    cosines = np.clip(centroids.astype(np.float64) @ centroids.T.astype(np.float64), -1, 1)
    upper = np.triu_indices(len(centroids), 1)
    tree = linkage(np.maximum(0, 1 - cosines[upper]), "average")
    while n_wide >= 2 and len(levels) < 2:
        found = fcluster(tree, n_wide, "maxclust")
        # Wider groups are numbered by their first group.
        _, first = np.unique(found, return_index=True)
        order = {found[place]: number for number, place in enumerate(np.sort(first).tolist())}
        levels.append(np.array([order[one] for one in found], dtype=np.int64))
        n_wide = round(n_wide / 3)
    return levels


class Examples:
    """Typical and borderline documents of each group, found while documents stream by."""

    def __init__(self, n_groups: int) -> None:
        self.sizes = np.zeros(n_groups, dtype=np.int64)
        self.cosine_sums = np.zeros(n_groups)
        self.n_outliers = 0
        self._typical: list[list[tuple[float, int]]] = [[] for _ in range(n_groups)]
        self._borderline: list[list[tuple[float, int]]] = [[] for _ in range(n_groups)]

    def add(
        self,
        first: int,
        labels: NDArray[np.int64],
        cosines: NDArray[np.float32],
        margins: NDArray[np.float32],
    ) -> None:
        """Take a batch of documents, whose first one has this position."""
        self.n_outliers += int(np.count_nonzero(labels < 0))
        for group in np.unique(labels[labels >= 0]).tolist():
            rows = np.flatnonzero(labels == group)
            self.sizes[group] += len(rows)
            self.cosine_sums[group] += float(cosines[rows].sum(dtype=np.float64))
            _keep(self._typical[group], -cosines[rows], rows + first)
            _keep(self._borderline[group], margins[rows], rows + first)

    def describe(self, groups: list[Group]) -> None:
        """Write what was found into the groups."""
        for group in groups:
            number = group.number
            group.size = int(self.sizes[number])
            group.cohesion = float(self.cosine_sums[number] / max(1, group.size))
            group.typical = [position for _, position in self._typical[number]]
            group.borderline = [position for _, position in self._borderline[number]]


def _keep(kept: list[tuple[float, int]], values: Any, positions: Any) -> None:
    """Keep the smallest values."""
    best = np.argsort(values, kind="stable")[:N_EXAMPLES]
    kept += zip(values[best].tolist(), positions[best].tolist(), strict=True)
    kept.sort()
    del kept[N_EXAMPLES:]
