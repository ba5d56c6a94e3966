"""PPMI vectors on a cluster: counts by blocks of rows, products where the blocks are."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from psif.distributed.cluster import Cluster
from psif.distributed.counting import Docs
from psif.text.vocabulary import Vocabulary
from psif.types import CountVector, FloatMatrix, FloatVector, IdVector
from psif.vectors.ppmi import (
    N_ITER,
    SHIFT,
    SMOOTHING,
    WINDOW,
    check_ppmi,
    cut_rows,
    information_biases,
    log_counts,
)
from psif.vectors.randomized_svd import factorise

# Entries that a block of rows may have at most: 12 bytes each while they are merged. Smaller ones
# where that gives every worker something to multiply.
_BLOCK_ENTRIES = 1 << 24
_LEAST_ENTRIES = 1 << 20
_WANTED_BLOCKS = 16
# Blocks that are counted at the same time.
_AHEAD = 2

Block: TypeAlias = tuple[CountVector, IdVector, Any]  # CSR: row ends, columns, counts (or logs)


def train_ppmi(
    cluster: Cluster,
    parts: list[Any],
    vocabulary: Vocabulary,
    *,
    dim: int,
    random_state: int | None,
    window: int = WINDOW,
    smoothing: float = SMOOTHING,
    shift: float = SHIFT,
    n_iter: int = N_ITER,
    max_memory: float | None = None,
) -> FloatMatrix:
    """Train as :func:`psif.vectors.ppmi.ppmi` does, on partitions of word ids.

    A partition counts the rows of one block at a time; the counts are whole numbers, so their sum
    does not depend on how documents are partitioned. A merged block stays on a worker, and only
    products of V x (dim + 16) numbers come back. ``max_memory`` is without effect: blocks that do
    not fit in memory are moved to disk by Dask.
    """
    check_ppmi(window=window, smoothing=smoothing, shift=shift, n_iter=n_iter)
    bounds = np.minimum(2 * window * vocabulary.counts, len(vocabulary))
    most = int(np.clip(bounds.sum() // _WANTED_BLOCKS, _LEAST_ENTRIES, _BLOCK_ENTRIES))
    ranges = cut_rows(bounds, most)
    blocks: list[Any] = []
    # Blocks one after another: what is not merged yet belongs to a few of them.
    for first, last in ranges:
        cluster.wait(blocks[-_AHEAD : len(blocks) - _AHEAD + 1])
        counted = cluster.each(_count_block, parts, first, last, len(vocabulary), window)
        blocks.append(cluster.submit(_finish_block, cluster.tree(_merge_blocks, counted)))
    marginals = np.concatenate(cluster.gather(cluster.each(_marginals, blocks)))
    matrix = _ClusterInformation(cluster, blocks, ranges, marginals, smoothing, shift)
    return factorise(matrix, dim, n_iter=n_iter, random_state=random_state)


class _ClusterInformation:
    """:class:`psif.vectors.ppmi.PositiveInformation` with its rows on the workers."""

    def __init__(
        self,
        cluster: Cluster,
        blocks: list[Any],
        ranges: list[tuple[int, int]],
        marginals: np.ndarray,
        smoothing: float,
        shift: float,
    ) -> None:
        self._cluster, self._blocks, self._ranges = cluster, blocks, ranges
        word_bias, context_bias = information_biases(marginals, smoothing, shift)
        self._biases = cluster.share((word_bias, context_bias))
        self.n_words = len(marginals)

    def times(self, factor: FloatMatrix, *, transposed: bool = False) -> FloatMatrix:
        """M @ factor, or M.T @ factor."""
        shared = self._cluster.share(np.ascontiguousarray(factor, dtype=np.float32), keep=False)
        products = self._cluster.start(
            _multiply,
            [
                (block, first, last, self._biases, shared, transposed)
                for block, (first, last) in zip(self._blocks, self._ranges, strict=True)
            ],
        )
        return np.concatenate(self._cluster.gather(products, shown=True))


def _count_block(docs: Docs, first: int, last: int, n_words: int, window: int) -> Block:
    """Count the neighbours of words ``first`` to ``last`` in one partition."""
    from psif.compiled.cooccurrence import count_rows

    ids, offsets, _ = docs
    ids = np.array(ids, dtype=np.int32) if not ids.flags.writeable else ids
    positions = np.flatnonzero((ids >= first) & (ids < last))
    rows = ids[positions] - first
    order = np.argsort(rows, kind="stable")
    counts = np.bincount(rows, minlength=last - first)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    # How far a window reaches before its document ends, at the positions that are looked at.
    document = np.searchsorted(offsets, positions, side="right") - 1
    left, right = np.zeros(len(ids), dtype=np.int16), np.zeros(len(ids), dtype=np.int16)
    left[positions] = np.minimum(positions - offsets[document], window)
    right[positions] = np.minimum(offsets[document + 1] - positions - 1, window)
    capacity = int(np.minimum(2 * window * counts, n_words).sum())
    counted: Block = count_rows(
        ids, left, right, starts, positions[order], window, 0, last - first, n_words, capacity
    )
    return counted


def _merge_blocks(parts: list[Block]) -> Block:
    from scipy.sparse import csr_array

    n_rows = len(parts[0][0]) - 1
    width = 1 + max(int(columns.max(initial=0)) for _, columns, _ in parts)
    total = csr_array((n_rows, width), dtype=np.int64)
    for indptr, columns, counts in parts:
        total = total + csr_array((counts, columns, indptr), shape=(n_rows, width))
    total.sort_indices()
    return total.indptr.astype(np.int64), total.indices.astype(np.int32), total.data


def _finish_block(block: Block) -> tuple[Block, CountVector]:
    """Logarithms instead of counts, and the sum of each row."""
    indptr, columns, counts = block
    before = np.concatenate([[0], np.cumsum(counts)])
    return (indptr, columns, log_counts(counts)), before[indptr[1:]] - before[indptr[:-1]]


def _marginals(finished: tuple[Block, CountVector]) -> np.ndarray:
    return finished[1].astype(np.float64)


def _multiply(
    finished: tuple[Block, CountVector],
    first: int,
    last: int,
    biases: tuple[FloatVector, FloatVector],
    factor: FloatMatrix,
    transposed: bool,
) -> FloatMatrix:
    from psif.compiled.cooccurrence import positive_product

    block, _ = finished
    row_bias, column_bias = biases[::-1] if transposed else biases
    out = np.zeros((last - first, factor.shape[1]), dtype=np.float32)
    arrays = (*block, row_bias[first:last], column_bias, factor, out)
    # Arrays that came over the wire are read-only; compiled code is compiled for writable ones.
    positive_product(*(a if a.flags.writeable else a.copy() for a in arrays))
    return out
