r"""Groups as parts of a graph of nearest neighbours.

k-means draws its borders half-way between centroids, however large and wide the groups are. Real
groups differ in both. So documents are first connected with their nearest neighbours, and the graph
is cut where it has few edges. With W the symmetric matrix of edges and D their sums per document,
the leading eigenvectors of

.. math:: D^{-1/2} W D^{-1/2}

have nearly equal rows within a part [1]_. An eigenvector with the eigenvalue :math:`\mu` is scaled
by :math:`\mu^t`: what a random walk still knows of its start after t steps [3]_. So twice as many
eigenvectors as groups may take part, and those that describe only a few documents hardly count.
Their rows, scaled to unit length, are clustered by k-means. The modularity [2]_ of a partition
compares the share of edges within its parts with that of a random graph; it is largest for the
number of groups that the graph itself suggests.

References
----------
.. [1] Ng, Jordan, Weiss (2001), On spectral clustering: analysis and an algorithm.
.. [2] Newman, Girvan (2004), Finding and evaluating community structure in networks, equation 5.
.. [3] Coifman, Lafon (2006), Diffusion maps.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from psif.runtime.threads import map_ranges
from psif.types import DoubleMatrix, DoubleVector, FloatMatrix

Labels = NDArray[np.int64]
_ROWS = 512
# Below this, all eigenvectors are computed.
_DENSE = 800
_STARTS = 10
# Steps of the random walk, and eigenvectors per group.
_STEPS = 24
DIMS_PER_GROUP = 2


def nearest_neighbours(
    vectors: FloatMatrix, n_neighbours: int, n_jobs: int | None, words: Any = None
) -> NDArray[np.int64]:
    """Return the documents with the highest cosines for each document, the nearest first.

    Parameters
    ----------
    vectors : ndarray of shape (n_docs, n_dims)
        Unit rows.
    n_neighbours : int
        Less than ``n_docs``.
    n_jobs : int or None
    words : CSR array of shape (n_docs, n_words), optional
        Unit rows too; the two cosines then count the same.
    """
    turned = None if words is None else words.T.tocsr()

    def nearest(start: int, stop: int) -> NDArray[np.int64]:
        scores = vectors[start:stop] @ vectors.T
        if turned is not None:
            scores += (words[start:stop] @ turned).toarray()
        scores[np.arange(stop - start), np.arange(start, stop)] = -np.inf
        found = np.argpartition(-scores, n_neighbours - 1, axis=1)[:, :n_neighbours]
        order = np.argsort(-np.take_along_axis(scores, found, axis=1), axis=1, kind="stable")
        return np.take_along_axis(found, order, axis=1)

    return np.concatenate(map_ranges(nearest, len(vectors), size=_ROWS, n_jobs=n_jobs))


def neighbour_graph(nearest: NDArray[np.int64], n_neighbours: int) -> Any:
    """Return the symmetric graph of the first so many neighbours, as a CSR array.

    An edge weighs 2 if each of both documents is among the nearest of the other one, else 1.
    """
    from scipy.sparse import csr_array

    n, most = nearest.shape
    n_neighbours = min(n_neighbours, most)
    columns = nearest[:, :n_neighbours].ravel()
    rows = np.repeat(np.arange(n), n_neighbours)
    graph = csr_array((np.ones(len(columns)), (rows, columns)), shape=(n, n))
    return (graph + graph.T).tocsr()


def spectral_rows(graph: Any, n_dims: int, random_state: int) -> tuple[DoubleMatrix, DoubleVector]:
    """Return the leading eigenvectors of the normalised graph, one row per document.

    Each is scaled by what is left of it after the steps of a random walk. Eigenvalues, from 1
    downwards, come second.
    """
    from scipy.linalg import eigh
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    n = graph.shape[0]
    scale = diags_array(1 / np.sqrt(np.maximum(graph.sum(axis=1), 1e-12)))
    normalised = scale @ graph @ scale
    if n <= max(_DENSE, 2 * n_dims):
        values, vectors = eigh(normalised.toarray())
        return _walked(vectors[:, ::-1][:, :n_dims], values[::-1][:n_dims])
    start = np.random.default_rng(random_state).uniform(0.5, 1.5, n)
    try:
        values, vectors = eigsh(normalised, k=n_dims, which="LA", v0=start, tol=1e-5)
    except ArpackNoConvergence:
        values, vectors = eigh(normalised.toarray(), subset_by_index=[n - n_dims, n - 1])
    order = np.argsort(-values, kind="stable")
    return _walked(vectors[:, order], values[order])


def _walked(vectors: DoubleMatrix, values: DoubleVector) -> tuple[DoubleMatrix, DoubleVector]:
    return vectors * np.maximum(values, 0) ** _STEPS, values


def cut(rows: DoubleMatrix, n_groups: int, random_state: int) -> Labels:
    """Cluster documents by the directions of their rows."""
    import warnings

    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    chosen = rows / np.where(lengths > 0, lengths, 1)
    with warnings.catch_warnings():
        # Fewer distinct documents than groups: the groups that are left are told.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = KMeans(n_groups, n_init=_STARTS, random_state=random_state).fit_predict(chosen)
    return np.asarray(found, dtype=np.int64)


def modularity(graph: Any, labels: Labels) -> float:
    r"""Return :math:`\sum_g (e_g / m - (d_g / m)^2)`.

    e are the edge weights within a group, d those that touch it, m all of them.
    """
    from scipy.sparse import csr_array

    n, n_groups = len(labels), int(labels.max()) + 1
    members = csr_array((np.ones(n), (np.arange(n), labels)), shape=(n, n_groups))
    between = (members.T @ graph @ members).toarray()
    total = between.sum()
    return float(np.trace(between) / total - ((between.sum(axis=1) / total) ** 2).sum())
