"""Documents as weighted averages of word-topic vectors, straight from sorted word ids.

The words of a document come sorted, so that the occurrences of one word stand together: a run
is a word and its length the word's count. The term factor of a run is its length, or
1 + log(length) where ``sublinear``. ``words`` and ``shares`` are room for the distinct words of one
document, at least as long as the longest.
"""

from __future__ import annotations

from math import log
from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
Doubles: TypeAlias = NDArray[np.float64]
Ids: TypeAlias = NDArray[np.int32]
Offsets: TypeAlias = NDArray[np.int64]

# Sums may be reordered (for vector units) and fused; NaN and infinity keep their meaning.
_SUMS = {"reassoc", "contract", "nsz"}

# Words of one tile: their vectors (192 x 200 floats are 150 KB) stay in the second cache while
# every topic passes over them.
_TILE_WORDS = 192


def bag_room(n_ids: int) -> tuple[Ids, Doubles]:
    """Room for the words and shares of the longest of documents that have so many words in all.

    What is never written is never taken from the machine.
    """
    return np.empty(n_ids, dtype=np.int32), np.empty(n_ids, dtype=np.float64)


def tile_room(n_topics: int, dim: int) -> tuple[Floats, Ids, Floats, Ids]:
    """Room for one tile: its vectors, and for each topic the words that use it and how much."""
    # Rows padded to whole cache lines.
    tile = np.empty((_TILE_WORDS, (dim + 15) // 16 * 16), dtype=np.float32)
    used = np.empty((n_topics, _TILE_WORDS), dtype=np.int32)
    factors = np.empty((n_topics, _TILE_WORDS), dtype=np.float32)
    return tile, used, factors, np.empty(n_topics, dtype=np.int32)


@njit(cache=True, nogil=True)
def _bag(
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


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _add_words(tile: Floats, used: Ids, factors: Floats, j: int, n: int, out: Floats) -> None:
    """``out += sum_t factors[j, t] * tile[used[j, t]]``, n being a multiple of eight.

    Eight words at a time: each sum is loaded and stored once for eight multiply-adds.
    """
    for t in range(0, n, 8):
        w0, w1, w2, w3 = used[j, t], used[j, t + 1], used[j, t + 2], used[j, t + 3]
        w4, w5, w6, w7 = used[j, t + 4], used[j, t + 5], used[j, t + 6], used[j, t + 7]
        f0, f1, f2, f3 = factors[j, t], factors[j, t + 1], factors[j, t + 2], factors[j, t + 3]
        t4 = t + 4
        f4, f5, f6, f7 = factors[j, t4], factors[j, t4 + 1], factors[j, t4 + 2], factors[j, t4 + 3]
        for c in range(len(out)):
            out[c] += (
                f0 * tile[w0, c] + f1 * tile[w1, c] + f2 * tile[w2, c] + f3 * tile[w3, c]
            ) + (f4 * tile[w4, c] + f5 * tile[w5, c] + f6 * tile[w6, c] + f7 * tile[w7, c])


@njit(cache=True, nogil=True, fastmath=_SUMS)
def average_documents(
    ids: Ids,
    offsets: Offsets,
    weights: Floats,
    code_offsets: Offsets,
    topics: Ids,
    coefficients: Floats,
    vectors: Floats,
    components: Floats,
    sublinear: bool,
    words: Ids,
    shares: Doubles,
    tile: Floats,
    used: Ids,
    factors: Floats,
    n_used: Ids,
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
    code_offsets, topics, coefficients : int64 (n_words + 1,), int32, float32
        The nonzero topic codes α of each word, one word after another.
    vectors : float32 (n_words, dim)
    components : float32 (n_removed, n_topics * dim), orthonormal rows
    sublinear : bool
    words, shares, tile, used, factors, n_used
        Room to work in: :func:`bag_room`, :func:`tile_room`.
    out : float32 (n_docs, n_topics * dim), zeros on entry
    """
    dim = vectors.shape[1]
    n_topics = len(n_used)
    for doc in range(len(offsets) - 1):
        n = _bag(ids, offsets[doc], offsets[doc + 1], weights, sublinear, words, shares)
        for low in range(0, n, _TILE_WORDS):
            # The words of this tile, listed topic by topic.
            for j in range(n_topics):
                n_used[j] = 0
            high = low + _TILE_WORDS if low + _TILE_WORDS < n else n
            for t in range(low, high):
                word = words[t]
                share = np.float32(shares[t])
                slot = t - low
                for c in range(dim):
                    tile[slot, c] = vectors[word, c]
                for i in range(code_offsets[word], code_offsets[word + 1]):
                    j = topics[i]
                    used[j, n_used[j]] = slot
                    factors[j, n_used[j]] = share * coefficients[i]
                    n_used[j] += 1
            for j in range(n_topics):
                while n_used[j] & 7:  # fill the last eight with words that add nothing
                    used[j, n_used[j]] = 0
                    factors[j, n_used[j]] = 0.0
                    n_used[j] += 1
                target = out[doc, j * dim : (j + 1) * dim]
                _add_words(tile, used, factors, j, n_used[j], target)
        for r in range(components.shape[0]):
            dot = 0.0
            for c in range(n_topics * dim):
                dot += components[r, c] * out[doc, c]
            common = np.float32(dot)
            for c in range(n_topics * dim):
                out[doc, c] -= common * components[r, c]


@njit(cache=True, nogil=True)
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
        g, a number a word.
    total : float64 (n_words,)
    """
    for doc in range(len(offsets) - 1):
        n = _bag(ids, offsets[doc], offsets[doc + 1], weights, sublinear, words, shares)
        y = 0.0
        for t in range(n):
            y += shares[t] * values[words[t]]
        for t in range(n):
            total[words[t]] += shares[t] * y


@njit(cache=True, nogil=True, fastmath=_SUMS)
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
        n = _bag(ids, offsets[doc], offsets[doc + 1], weights, sublinear, words, shares)
        for t in range(n):
            share = np.float32(shares[t])
            word = words[t]
            if absolute:
                for c in range(table.shape[1]):
                    out[doc, c] += share * abs(table[word, c])
            else:
                for c in range(table.shape[1]):
                    out[doc, c] += share * table[word, c]
