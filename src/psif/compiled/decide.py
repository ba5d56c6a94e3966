"""Scores of classes straight from word ids, by tables into which a linear classifier was folded.

The vector of a document has parts that are scaled to their shares of its length: topics, single
words, pairs of words (see :mod:`psif.classify.features`). Its score is linear in the words, so one
row of numbers per word, and one per pair, is all that a class needs. Only the length of the topic
part asks for the word vectors.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np

from psif.compiled.average import _SUMS, Doubles, Floats, Ids, Offsets, along, bag, sum_topics
from psif.compiled.kernel import kernel
from psif.compiled.pairs import PairTable, find_pair

# A topic part shorter than this share of what it was with the common components is rounding.
ROUNDING = 1e-6


class DecisionTables(NamedTuple):
    """What a score needs, with m columns of classes.

    Attributes
    ----------
    weights, codes, vectors, components : as in :mod:`psif.compiled.average`
    scores : float32 (n_words, 2 * m)
        Of each word: its score through the topics, then that of its own column.
    has_column : bool (n_words,)
    pairs : PairTable
    pair_weights : float32 (n_pairs,)
    pair_scores : float32 (n_pairs, m)
    shares : float64 (3,)
        Of topics, words and pairs.
    intercepts : float32 (m,)
    """

    weights: Any
    codes: Any
    vectors: Any
    components: Any
    scores: Any
    has_column: Any
    pairs: PairTable
    pair_weights: Any
    pair_scores: Any
    shares: Any
    intercepts: Any


@kernel()
def part_scales(
    shares: Doubles, topics: float, words: float, pairs: float
) -> tuple[float, float, float]:
    """Return the factors of the parts of a document, from their squared lengths.

    Parts that are there divide the unit length of the document by their shares. A document
    without topics is zero.
    """
    if topics <= 0.0:
        return 0.0, 0.0, 0.0
    total = shares[0]
    if words > 0.0:
        total += shares[1]
    if pairs > 0.0:
        total += shares[2]
    of_topics = sqrt(shares[0] / (total * topics))
    of_words = sqrt(shares[1] / (total * words)) if words > 0.0 else 0.0
    of_pairs = sqrt(shares[2] / (total * pairs)) if pairs > 0.0 else 0.0
    return of_topics, of_words, of_pairs


@kernel(fastmath=_SUMS)
def _topic_square(
    words: Ids,
    shares: Doubles,
    n: int,
    codes: Floats,
    vectors: Floats,
    components: Floats,
    room: Any,
) -> float:
    """Squared length of the topic part without its common components."""
    tile, factors, users, sums, lanes = room
    sum_topics(words, shares, n, codes, vectors, tile, factors, users, sums, lanes)
    dim = vectors.shape[1]
    whole = 0.0
    for j in range(len(users)):
        row = sums[j]
        for c in range(dim):
            whole += row[c] * row[c]
    square = whole
    for r in range(components.shape[0]):
        dot = along(components[r], sums, dim)
        square -= dot * dot
    return square if square > ROUNDING * whole else 0.0


@kernel()
def topic_squares(
    offsets: Ids,
    words: Ids,
    shares: Floats,
    codes: Floats,
    vectors: Floats,
    components: Floats,
    room: Any,
    wide: Doubles,
    out: Doubles,
) -> None:
    """Write the squared lengths of topic parts, from word shares in CSR form.

    Parameters
    ----------
    offsets, words, shares : the rows of a CSR matrix
    codes, vectors, components : as in :mod:`psif.compiled.average`
    room : see :func:`psif.compiled.average.tile_room`
    wide : float64, room for the shares of the longest row
    out : float64 (n_docs,)
    """
    for doc in range(len(offsets) - 1):
        low, high = offsets[doc], offsets[doc + 1]
        n = high - low
        for t in range(n):
            wide[t] = shares[low + t]
        out[doc] = _topic_square(words[low:high], wide, n, codes, vectors, components, room)


@kernel(fastmath=_SUMS)
def topic_rows(
    offsets: Ids,
    words: Ids,
    shares: Floats,
    codes: Floats,
    vectors: Floats,
    components: Floats,
    room: Any,
    wide: Doubles,
    out: Floats,
) -> None:
    """Write topic parts without their common components; the arguments are as above.

    ``out`` is float32 (n_docs, n_topics * dim).
    """
    tile, factors, users, sums, lanes = room
    dim = vectors.shape[1]
    for doc in range(len(offsets) - 1):
        low, high = offsets[doc], offsets[doc + 1]
        n = high - low
        for t in range(n):
            wide[t] = shares[low + t]
        sum_topics(words[low:high], wide, n, codes, vectors, tile, factors, users, sums, lanes)
        row = out[doc]
        for j in range(len(users)):
            row[j * dim : (j + 1) * dim] = sums[j, :dim]
        for r in range(components.shape[0]):
            common = np.float32(along(components[r], sums, dim))
            for c in range(len(row)):
                row[c] -= common * components[r, c]


@kernel()
def row_squares(offsets: Ids, columns: Ids, values: Floats, counted: Any, out: Doubles) -> None:
    """Write the squared lengths of the rows of a CSR matrix over the columns that are counted."""
    for row in range(len(offsets) - 1):
        total = 0.0
        for i in range(offsets[row], offsets[row + 1]):
            if counted[columns[i]]:
                total += float(values[i]) * float(values[i])
        out[row] = total


@kernel()
def _pair_bag(
    ids: Ids, low: int, high: int, tables: DecisionTables, found: Ids, shares: Doubles
) -> int:
    """Distinct pairs of one document and their shares; return how many."""
    n = 0
    for i in range(low, high - 1):
        pair = find_pair(tables.pairs, ids[i], ids[i + 1])
        if pair >= 0:
            found[n] = pair
            n += 1
    found[:n].sort()
    distinct = 0
    i = 0
    while i < n:
        j = i + 1
        while j < n and found[j] == found[i]:
            j += 1
        found[distinct] = found[i]
        shares[distinct] = (1.0 + log(float(j - i))) * tables.pair_weights[found[i]]
        distinct += 1
        i = j
    return distinct


@kernel(fastmath=_SUMS)
def _add_scores(
    table: Floats, words: Ids, shares: Doubles, n: int, first: int, factor: float, out: Floats
) -> None:
    """Add the rows of some words, from column ``first`` on, times shares and a factor."""
    for t in range(n):
        share = np.float32(factor * shares[t])
        row = table[words[t]]
        for c in range(len(out)):
            out[c] += share * row[first + c]


@kernel()
def decide_documents(
    ids: Ids,
    offsets: Offsets,
    tables: DecisionTables,
    sublinear: bool,
    order: Ids,
    words: Ids,
    shares: Doubles,
    tile_room: Any,
    out: Floats,
) -> None:
    """Write the scores of documents, whose ids are in reading order.

    Parameters
    ----------
    ids : int32 (n_ids,)
    offsets : int64 (n_docs + 1,)
    tables : DecisionTables
    sublinear : bool
    order, words, shares : room for the words of the longest document, ``shares`` twice that
    tile_room : see :func:`psif.compiled.average.tile_room`
    out : float32 (n_docs, m)
    """
    m = out.shape[1]
    for doc in range(len(offsets) - 1):
        low, high = offsets[doc], offsets[doc + 1]
        n_ids = high - low
        order[:n_ids] = ids[low:high]
        order[:n_ids].sort()
        n = bag(order, 0, n_ids, tables.weights, sublinear, words, shares)
        topics = _topic_square(
            words, shares, n, tables.codes, tables.vectors, tables.components, tile_room
        )
        squares = 0.0
        for t in range(n):
            if tables.has_column[words[t]]:
                squares += shares[t] * shares[t]
        n_pairs, pair_square = 0, 0.0
        if len(tables.pair_weights):
            # The order of the words is no longer needed: its room is for the pairs.
            n_pairs = _pair_bag(ids, low, high, tables, order, shares[n:])
            for t in range(n, n + n_pairs):
                pair_square += shares[t] * shares[t]
        of_topics, of_words, of_pairs = part_scales(tables.shares, topics, squares, pair_square)
        out[doc] = tables.intercepts
        _add_scores(tables.scores, words, shares, n, 0, of_topics, out[doc])
        _add_scores(tables.scores, words, shares, n, m, of_words, out[doc])
        if n_pairs:
            _add_scores(tables.pair_scores, order, shares[n:], n_pairs, 0, of_pairs, out[doc])
