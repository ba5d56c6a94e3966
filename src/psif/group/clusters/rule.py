r"""Which group a document belongs to: a linear rule, learned from a clustered sample.

.. math:: \mathrm{score}_g(x) = \langle x / \|x\|, w_g \rangle + b_g

The group with the highest score wins. w and b are the least-squares solution for the targets +1
(in the group) and -1 (not in it), with ridge 1. Since the vector of a document is linear in its
words, so is every score: that is what makes assignments exactly explainable, and new documents are
assigned without the sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from psif.group.clusters.graph import (
    DIMS_PER_GROUP,
    Labels,
    cut,
    modularity,
    nearest_neighbours,
    neighbour_graph,
    spectral_rows,
)
from psif.runtime.blas import inner_product, single_threaded_libraries, tall_product
from psif.runtime.subspace_iteration import leading_right_singular_vectors
from psif.types import DoubleVector, FloatMatrix, FloatVector

# A graph of few neighbours may fall apart, one of many loses small groups: of the partitions of
# three graphs the one with the largest modularity is taken, all measured on the same graph.
_NEIGHBOURS, _MEASURED = (10, 15, 25), 15
# A graph falls into k parts only if its k-th eigenvalue is near 1 (Cheeger's inequality). Else the
# neighbours of any cloud of points have some modularity, and it would be cut again and again.
_SEPARATE = 0.75
# Within so much of the largest modularity, fewer groups are better.
_AS_GOOD = 0.98
# Neighbours are looked for in so many leading directions, if vectors have more numbers.
_MOST_DIMS = 512
_LEADING = 128
_RIDGE = 1.0
# Fewer documents are one group, unless a number is given.
_FEWEST = 4
# Numbers of groups to choose from.
_CHOICES = (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 25, 30, 40, 50)
# A chosen group has at least so many documents of the sample on average.
_LEAST = 10
# Parts of a graph with less modularity are no groups: random graphs reach about this much.
_LEAST_MODULARITY = 0.15


@dataclass(frozen=True)
class Rule:
    """The linear rule, and what is needed to say how well a document fits its group.

    Attributes
    ----------
    weights : ndarray of shape (n_groups, n_features)
    biases : ndarray of shape (n_groups,)
    centroids : ndarray of shape (n_groups, n_features)
        Unit-length means of the unit vectors of the members.
    fences : ndarray of shape (n_groups,)
        A document whose cosine with its centroid is lower is an outlier: Tukey's lower fence, the
        first quartile less one and a half interquartile ranges.
    """

    weights: FloatMatrix
    biases: FloatVector
    centroids: FloatMatrix
    fences: FloatVector

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.biases)

    def scores(self, vectors: FloatMatrix) -> FloatMatrix:
        """Return the score of every group for unit vectors."""
        result: FloatMatrix = vectors @ self.weights.T + self.biases
        return result

    def reordered(self, order: NDArray[np.int64]) -> Rule:
        """Return the same rule with its groups in another order."""
        return Rule(
            self.weights[order], self.biases[order], self.centroids[order], self.fences[order]
        )


def cluster(
    vectors: FloatMatrix,
    n_groups: int | None,
    *,
    words: Any = None,
    random_state: int,
    n_jobs: int | None = None,
) -> Labels:
    """Cut the graph of neighbours of unit vectors, and of unit bags of words, into groups.

    ``n_groups`` None takes the number with the largest modularity, or one group if no partition
    has any.
    """
    import sklearn.cluster  # noqa: F401  (a library that is loaded later would not be limited)

    n = len(vectors)
    with single_threaded_libraries():
        if n_groups == 1 or (n_groups is None and n < _FEWEST):
            return np.zeros(n, dtype=np.int64)
        if n_groups is not None and n < _FEWEST:  # a graph of so few documents says nothing
            return cut(vectors.astype(np.float64), n_groups, random_state)
        short = _leading(vectors, random_state, n_jobs)
        nearest = nearest_neighbours(short, min(max(_NEIGHBOURS), n - 1), n_jobs, words)
        if n_groups is None:
            n_groups = _choose_number(nearest, random_state)
        if n_groups == 1:
            return np.zeros(n, dtype=np.int64)
        measured = neighbour_graph(nearest, _MEASURED)
        found = []
        for m in _NEIGHBOURS:
            n_dims = min(DIMS_PER_GROUP * n_groups, n - 1)
            rows, _ = spectral_rows(neighbour_graph(nearest, m), n_dims, random_state)
            found.append(cut(rows, n_groups, random_state))
        return found[int(np.argmax([modularity(measured, labels) for labels in found]))]


def _choose_number(nearest: NDArray[np.int64], random_state: int) -> int:
    """Return the smallest number of groups whose modularity is nearly the largest."""
    choices = [k for k in _CHOICES if k * _LEAST <= len(nearest)] or [2]
    graph = neighbour_graph(nearest, _MEASURED)
    n_dims = min(DIMS_PER_GROUP * max(choices), len(nearest) - 1)
    rows, separate = spectral_rows(graph, n_dims, random_state)
    choices = [k for k in choices if separate[k - 1] >= _SEPARATE] or [2]
    cuts = (cut(rows[:, : DIMS_PER_GROUP * k], k, random_state) for k in choices)
    values = np.array([modularity(graph, labels) for labels in cuts])
    if values.max() < _LEAST_MODULARITY:
        return 1
    return choices[int(np.argmax(values >= _AS_GOOD * values.max()))]


def learn_rule(
    vectors: FloatMatrix, labels: Labels, *, n_jobs: int | None = None
) -> tuple[Rule, Labels]:
    """Return the rule of a clustered sample and the labels that the rule itself gives to it.

    Groups are numbered by falling size. A group that the rule gives to no document is dropped.
    """
    with single_threaded_libraries():
        weights, biases = _least_squares(vectors, labels, n_jobs)
        ruled = np.argmax(vectors @ weights.T + biases, axis=1)
        sizes = np.bincount(ruled, minlength=len(biases))
        order = np.argsort(-sizes, kind="stable")[: int(np.count_nonzero(sizes))]
        places = np.full(len(biases), -1)
        places[order] = np.arange(len(order))
        ruled = places[ruled]
        members = [vectors[ruled == g] for g in range(len(order))]
        centroids = np.stack([_unit(part.mean(axis=0)) for part in members])
        fences = [_fence(part @ centre) for part, centre in zip(members, centroids, strict=True)]
    rule = Rule(weights[order], biases[order], centroids, np.array(fences, dtype=np.float32))
    return rule, ruled


def _leading(vectors: FloatMatrix, random_state: int, n_jobs: int | None) -> FloatMatrix:
    """Return unit vectors, in fewer dimensions if there are very many."""
    if vectors.shape[1] <= _MOST_DIMS or len(vectors) <= _LEADING:
        return vectors
    directions, _ = leading_right_singular_vectors(
        vectors, _LEADING, random_state=random_state, n_jobs=n_jobs
    )
    found = tall_product(vectors, np.ascontiguousarray(directions), n_jobs=n_jobs)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _least_squares(
    vectors: FloatMatrix, labels: Labels, n_jobs: int | None
) -> tuple[FloatMatrix, FloatVector]:
    n_groups = int(labels.max()) + 1
    targets = np.full((len(labels), n_groups), -1, dtype=np.float32)
    targets[np.arange(len(labels)), labels] = 1
    mean, mean_target = vectors.mean(axis=0, dtype=np.float64), targets.mean(axis=0)
    centred = (vectors - mean).astype(np.float32)
    aims = (targets - mean_target).astype(np.float32)
    if centred.shape[1] <= len(centred):
        gram = inner_product(centred, centred, n_jobs=n_jobs)
        right = inner_product(centred, aims, n_jobs=n_jobs)
        weights = np.linalg.solve(gram + _RIDGE * np.eye(len(gram)), right)
    else:  # the same by its dual
        kernel = (centred @ centred.T).astype(np.float64)
        weights = centred.T @ np.linalg.solve(kernel + _RIDGE * np.eye(len(kernel)), aims)
    biases = mean_target - mean @ weights
    return np.ascontiguousarray(weights.T, dtype=np.float32), biases.astype(np.float32)


def _fence(cosines: DoubleVector) -> float:
    low, high = np.quantile(cosines, [0.25, 0.75])
    # A group of equal documents has no spread but rounding.
    return float(low - 1.5 * (high - low) - 1e-4)


def _unit(vector: FloatVector) -> FloatVector:
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
