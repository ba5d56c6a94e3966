"""Documents as weighted averages of word-topic vectors, straight from sorted word ids.

The words of a document come sorted, so that the occurrences of one word stand together: a run
is a word and its length the word's count. The term factor of a run is its length, or
1 + log(length) where ``sublinear``. ``words`` and ``shares`` are room for the distinct words of one
document, at least as long as the longest.
"""

from __future__ import annotations

import threading
from math import log
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from psif.compiled.fetching import AHEAD, fetch_row
from psif.compiled.kernel import kernel
from psif.compiled.registers import aligned_zeros, lanes_for, panel_width
from psif.compiled.simd import add_rows

Floats: TypeAlias = NDArray[np.float32]
Doubles: TypeAlias = NDArray[np.float64]
Ids: TypeAlias = NDArray[np.int32]
Offsets: TypeAlias = NDArray[np.int64]

# Sums may be reordered (for vector units) and fused; NaN and infinity keep their meaning.
_SUMS = {"reassoc", "contract", "nsz"}

# Words of one tile, one bit each of an uint64; a panel of their vectors (64 x 104 floats are 26 KB)
# stays in the first cache while every topic passes over it.
_TILE_WORDS = 64

_kept = threading.local()


def bag_room(n_ids: int) -> tuple[Ids, Doubles]:
    """Room for the words and shares of the longest of documents that have so many words in all.

    What is never written is never taken from the machine.
    """
    return np.empty(n_ids, dtype=np.int32), np.empty(n_ids, dtype=np.float64)


def tile_room(n_topics: int, dim: int) -> tuple[Any, Any, Any, Any, Any]:
    """Room for one tile, kept for the next call of the same thread.

    Vectors, codes times shares, for each topic the words that use it, sums; and the registers.
    """
    shape, room = getattr(_kept, "room", (None, None))
    if shape != (n_topics, dim):
        lanes = lanes_for(dim, 4)
        width = panel_width(lanes, 4)
        pitch = -(-dim // width) * width
        room = (
            aligned_zeros((_TILE_WORDS, pitch), np.float32),
            aligned_zeros((_TILE_WORDS, n_topics), np.float32),
            np.zeros(n_topics, dtype=np.uint64),
            aligned_zeros((n_topics, pitch), np.float32),
            lanes,
        )
        _kept.room = (n_topics, dim), room
    return room  # type: ignore[return-value]


@kernel()
def bag(
    ids: Ids,
    low: int,
    high: int,
    weights: Floats,
    sublinear: bool,
    words: Ids,
    shares: Doubles,
) -> int:
    r"""Distinct words of one document and their shares; return how many.

    .. math:: s_w = \lambda_w \, t(\mathrm{count}_w) \big/ \sum_u t(\mathrm{count}_u)
    """
    n = 0
    total = 0.0
    i = low
    while i < high:
        word = ids[i]
        j = i + 1
        while j < high and ids[j] == word:
            j += 1
        factor = 1.0 + log(float(j - i)) if sublinear else float(j - i)
        words[n] = word
        shares[n] = factor * weights[word]
        total += factor
        n += 1
        i = j
    for t in range(n):
        shares[t] /= total
    return n


@kernel(fastmath=_SUMS)
def _fill_tile(
    words: Ids,
    shares: Doubles,
    low: int,
    high: int,
    codes: Floats,
    vectors: Floats,
    tile: Floats,
    factors: Floats,
    users: NDArray[np.uint64],
) -> None:
    """Vectors, factors s α and users of each topic, for words ``low`` to ``high`` of a bag."""
    n_topics, dim = len(users), vectors.shape[1]
    for j in range(n_topics):
        users[j] = 0
    for slot in range(high - low):
        ahead = words[min(low + slot + AHEAD, high - 1)]
        fetch_row(codes, ahead)
        fetch_row(vectors, ahead)
        word = words[low + slot]
        share = np.float32(shares[low + slot])
        bit = np.uint64(1) << np.uint64(slot)
        for j in range(n_topics):
            factor = share * codes[word, j]
            factors[slot, j] = factor
            users[j] |= bit if factor != 0 else np.uint64(0)
        for c in range(dim):
            tile[slot, c] = vectors[word, c]


@kernel(fastmath=_SUMS)
def sum_topics(
    words: Ids,
    shares: Doubles,
    n: int,
    codes: Floats,
    vectors: Floats,
    tile: Floats,
    factors: Floats,
    users: NDArray[np.uint64],
    sums: Floats,
    lanes: tuple[None, ...],
) -> None:
    r"""Write :math:`\sum_w s_w \alpha_w v_w^T` of the first ``n`` words of a bag into ``sums``."""
    n_topics, pitch, width = len(users), tile.shape[1], 8 * len(lanes)
    # Tiles of equal size; an empty document has one, with nothing in it.
    n_tiles = max(1, (n + _TILE_WORDS - 1) // _TILE_WORDS)
    size = (n + n_tiles - 1) // n_tiles
    for i in range(n_tiles):
        low = i * size
        _fill_tile(words, shares, low, min(low + size, n), codes, vectors, tile, factors, users)
        for c in range(0, pitch, width):
            for j in range(n_topics):
                add_rows(tile, c, factors, j, users[j], i == 0, sums, j * pitch + c, lanes)


@kernel(fastmath=_SUMS)
def along(direction: Floats, sums: Floats, dim: int) -> float:
    """Return the product of a direction of n_topics * dim numbers and a document's sums."""
    dot = 0.0
    for j in range(len(sums)):
        block = direction[j * dim : (j + 1) * dim]
        for c in range(dim):
            dot += block[c] * sums[j, c]
    return dot


@kernel(fastmath=_SUMS)
def average_documents(
    ids: Ids,
    offsets: Offsets,
    weights: Floats,
    codes: Floats,
    vectors: Floats,
    components: Floats,
    sublinear: bool,
    words: Ids,
    shares: Doubles,
    tile: Floats,
    factors: Floats,
    users: NDArray[np.uint64],
    sums: Floats,
    lanes: tuple[None, ...],
    out: Floats,
) -> None:
    r"""Write the document vectors, the common components removed, into ``out``.

    .. math:: M_d = \sum_w s_w \, \alpha_w v_w^T \in R^{K \times d}, \qquad
              x_d = M_d - \sum_r u_r \langle u_r, M_d \rangle

    Parameters
    ----------
    ids : int32 (n_ids,), sorted within each document
    offsets : int64 (n_docs + 1,)
    weights : float32 (n_words,)
    codes : float32 (n_words, n_topics)
    vectors : float32 (n_words, dim)
    components : float32 (n_removed, n_topics * dim), orthonormal rows
    sublinear : bool
    words, shares, tile, factors, users, sums, lanes
        Room to work in: :func:`bag_room`, :func:`tile_room`.
    out : float32 (n_docs, n_topics * dim)
    """
    dim, n_topics = vectors.shape[1], len(users)
    for doc in range(len(offsets) - 1):
        n = bag(ids, offsets[doc], offsets[doc + 1], weights, sublinear, words, shares)
        sum_topics(words, shares, n, codes, vectors, tile, factors, users, sums, lanes)
        for r in range(components.shape[0]):
            common = np.float32(along(components[r], sums, dim))
            for j in range(n_topics):
                direction = components[r, j * dim : (j + 1) * dim]
                for c in range(dim):
                    sums[j, c] -= common * direction[c]
        for j in range(n_topics):
            target = out[doc, j * dim : (j + 1) * dim]
            for c in range(dim):
                target[c] = sums[j, c]


@kernel()
def document_moment(
    ids: Ids,
    offsets: Offsets,
    weights: Floats,
    values: Doubles,
    sublinear: bool,
    words: Ids,
    shares: Doubles,
    total: Doubles,
) -> None:
    r"""Add :math:`S^T S g` for the documents to ``total``, S being their word shares.

    The one step of the common component that sees documents; a sum over them, so it merges.

    Parameters
    ----------
    ids, offsets, weights, sublinear, words, shares : as above
    values : float64 (n_words,)
        g, one number per word.
    total : float64 (n_words,)
    """
    for doc in range(len(offsets) - 1):
        n = bag(ids, offsets[doc], offsets[doc + 1], weights, sublinear, words, shares)
        y = 0.0
        for t in range(n):
            y += shares[t] * values[words[t]]
        for t in range(n):
            total[words[t]] += shares[t] * y


@kernel(fastmath=_SUMS)
def average_rows(
    ids: Ids,
    offsets: Offsets,
    weights: Floats,
    table: Floats,
    absolute: bool,
    sublinear: bool,
    words: Ids,
    shares: Doubles,
    out: Floats,
) -> None:
    """Write the weighted averages of plain table rows (or of their absolute values).

    Parameters
    ----------
    table : float32 (n_words, n_columns)
    absolute : bool
    out : float32 (n_docs, n_columns), zeros on entry
    """
    for doc in range(len(offsets) - 1):
        n = bag(ids, offsets[doc], offsets[doc + 1], weights, sublinear, words, shares)
        for t in range(n):
            share = np.float32(shares[t])
            word = words[t]
            if absolute:
                for c in range(table.shape[1]):
                    out[doc, c] += share * abs(table[word, c])
            else:
                for c in range(table.shape[1]):
                    out[doc, c] += share * table[word, c]
