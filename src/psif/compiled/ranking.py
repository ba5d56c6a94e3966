"""The best documents of a query, without looking at every number of every vector.

The first numbers of a vector, its head, are the leading directions of the collection and hold most
of its length. By the inequality of Cauchy and Schwarz a document's inner product is at most that of
the head plus the length of the rest times the length of the query's rest. Most documents are out by
that bound; only those that are not are scored exactly, so that no hit is missed.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from psif.compiled.kernel import kernel

# Numbers in a head, and documents whose heads lie together, one number of all after another.
HEAD, TOGETHER = 16, 1_024
# Sums may be reordered (for vector units) and fused; NaN and infinity keep their meaning.
_SUMS = {"reassoc", "contract", "nsz"}
# What rounding may add to a sum of float32 numbers of length 1, with room to spare.
_SLACK = 1e-5
# Of a block, so many documents are scored at once; of more, bounds are found first.
_FEW = 64


@kernel(fastmath=_SUMS)
def split_rows(vectors, scales, heads, tails):  # type: ignore[no-untyped-def]
    """Write the head of each row, and the length of the rest of it, rounded up.

    Parameters
    ----------
    vectors : int8 (n, n_dims)
    scales : float32 (n,)
    heads : int8 (n / TOGETHER rounded up, HEAD, TOGETHER)
        Written: number c of row r at ``[r // TOGETHER, c, r % TOGETHER]``. It begins with zeros.
    tails : float32 (n,)
        Written.

    Returns
    -------
    longest : float
        Length of the longest row.
    """
    n_dims, longest = vectors.shape[1], 0.0
    for row in range(len(vectors)):
        for c in range(min(HEAD, n_dims)):
            heads[row // TOGETHER, c, row % TOGETHER] = vectors[row, c]
        squares, all_squares = np.int64(0), np.int64(0)
        for c in range(HEAD, n_dims):
            squares += np.int32(vectors[row, c]) * np.int32(vectors[row, c])
        for c in range(min(HEAD, n_dims)):
            all_squares += np.int32(vectors[row, c]) * np.int32(vectors[row, c])
        all_squares += squares
        tails[row] = sqrt(float(squares)) * scales[row] * (1.0 + 1e-6)
        longest = max(longest, sqrt(float(all_squares)) * scales[row])
    return longest


@kernel(fastmath=_SUMS)
def _head_products(heads, query, out):  # type: ignore[no-untyped-def]
    """Write the inner products of the heads of one block, four numbers at a time."""
    out[:] = 0
    for c in range(0, HEAD, 4):
        a, b, d, e = query[c], query[c + 1], query[c + 2], query[c + 3]
        for i in range(TOGETHER):
            out[i] += (
                np.float32(heads[c, i]) * a
                + np.float32(heads[c + 1, i]) * b
                + np.float32(heads[c + 2, i]) * d
                + np.float32(heads[c + 3, i]) * e
            )


@kernel(fastmath=_SUMS)
def _add_bounds(words, factor, near, scales, tails, by_vector, reach, out):  # type: ignore[no-untyped-def]
    """Write the largest sums that documents can have."""
    for i in range(len(words)):
        dense = near[i] * scales[i] + reach * tails[i]
        out[i] = factor * words[i] + by_vector * float(dense)


@kernel(fastmath=_SUMS)
def _product(vectors, row, query):  # type: ignore[no-untyped-def]
    total = 0.0
    for c in range(vectors.shape[1]):
        total += float(vectors[row, c]) * query[c]
    return total


@kernel()
def products(vectors, scales, rows, query, out):  # type: ignore[no-untyped-def]
    """Write the inner products of some rows with a query."""
    for i in range(len(rows)):
        out[i] = _product(vectors, rows[i], query) * float(scales[rows[i]])


@kernel()
def _worse(scores, docs, i, j):  # type: ignore[no-untyped-def]
    """Whether entry i ranks behind entry j: by score, then by the later document."""
    if scores[i] != scores[j]:
        return scores[i] < scores[j]
    return docs[i] > docs[j]


@kernel()
def _sift(scores, docs, place, n):  # type: ignore[no-untyped-def]
    """Move an entry down a heap whose top is the worst."""
    while True:
        worst = place
        for child in (2 * place + 1, 2 * place + 2):
            if child < n and _worse(scores, docs, child, worst):
                worst = child
        if worst == place:
            return
        scores[place], scores[worst] = scores[worst], scores[place]
        docs[place], docs[worst] = docs[worst], docs[place]
        place = worst


@kernel()
def _sort(scores, docs, n):  # type: ignore[no-untyped-def]
    """Turn a heap into a list, best first."""
    for last in range(n - 1, 0, -1):
        scores[0], scores[last] = scores[last], scores[0]
        docs[0], docs[last] = docs[last], docs[0]
        _sift(scores, docs, 0, last)


@kernel()
def _offer(score, doc, n, scores, docs):  # type: ignore[no-untyped-def]
    """Put a document among the best, if it is; return how many there are now."""
    k = len(scores)
    if n < k:
        scores[n], docs[n] = score, doc
        n += 1
        if n == k:
            for place in range(k // 2 - 1, -1, -1):
                _sift(scores, docs, place, k)
    elif score > scores[0]:
        scores[0], docs[0] = score, doc
        _sift(scores, docs, 0, k)
    return n


@kernel()
def survey(values, live, scores, docs):  # type: ignore[no-untyped-def]
    """Find the standard deviation of the values of documents, and the largest ones above 0.

    Parameters
    ----------
    values : float64 (n,)
    live : bool (n,), or empty: no document is deleted
    scores, docs : float64, int64 (k,)
        Written: the largest values and where they are, in no order.

    Returns
    -------
    deviation : float
    n : int
        Values found, at most k.
    """
    n, k, n_live, total, squares, least = 0, len(scores), 0, 0.0, 0.0, 0.0
    for doc in range(len(values)):
        if len(live) and not live[doc]:
            continue
        value = values[doc]
        n_live += 1
        total += value
        squares += value * value
        if value > least:
            n = _offer(value, doc, n, scores, docs)
            if n == k:
                least = scores[0]
    if n_live == 0:
        return 0.0, n
    mean = total / n_live
    variance = squares / n_live - mean * mean
    # Rounding leaves about 1e-16 of the squares where all values are equal.
    return (sqrt(variance) if variance > 1e-13 * squares / n_live else 0.0), n


@kernel()
def best_rows(  # type: ignore[no-untyped-def]
    lexical, by_words, rows, query, by_vector, start, allowed, floor, scores, docs
):
    """Find the documents with the largest weighted sum of a score and an inner product.

    Only those count whose sum, or first part of it, is positive.

    Parameters
    ----------
    lexical : float64 (n,)
    by_words : float
        Its factor.
    rows : tuple
        vectors, scales, heads and tails of these documents, as :func:`split_rows` has them, and
        the length of the longest vector.
    query : float64 (n_dims,)
    by_vector : float
        The factor of its inner products, at least 0; with 0 no vector is read.
    start : int
        Position of the first document in ``allowed``, and what is added to ``docs``.
    allowed : bool, or empty: all are
    floor : float
        A score that so many documents are known to reach; what is below it is no hit.
    scores, docs : float64, int64 (k,)
        Written, best first; of equal ones the earlier document first.

    Returns
    -------
    n : int
        Documents found, at most k.
    """
    vectors, scales, heads, tails, longest = rows
    head = np.zeros(HEAD, dtype=np.float32)
    head[: min(HEAD, len(query))] = query[:HEAD]
    rest = query[HEAD:]
    reach = np.float32(sqrt((rest * rest).sum()))
    length = sqrt((query * query).sum())
    slack = _SLACK * by_vector * (1.0 + length)
    # What the best direction could add to a document.
    most = by_vector * length * longest * (1.0 + _SLACK)
    near, bounds = np.empty(TOGETHER, dtype=np.float32), np.empty(TOGETHER)
    chosen = np.empty(TOGETHER, dtype=np.int64)
    n, k, least = 0, len(scores), floor
    for begin in range(0, len(lexical), TOGETHER):
        end = min(begin + TOGETHER, len(lexical))
        n_chosen = 0
        for doc in range(begin, end):
            chosen[n_chosen] = doc
            n_chosen += by_words * lexical[doc] + most >= least
        if by_vector > 0.0 and n_chosen > _FEW:
            _head_products(heads[begin // TOGETHER], head, near)
            _add_bounds(
                lexical[begin:end], by_words, near, scales[begin:end], tails[begin:end],
                by_vector, reach, bounds,
            )  # fmt: skip
        for i in range(n_chosen):
            doc = chosen[i]
            words = by_words * lexical[doc]
            score = words
            if n_chosen > _FEW and by_vector > 0.0 and bounds[doc - begin] + slack < least:
                continue
            if len(allowed) and not allowed[start + doc]:
                continue
            if by_vector > 0.0:
                score += by_vector * (_product(vectors, doc, query) * float(scales[doc]))
            if score < least or not (score > 0.0 or words > 0.0):
                continue
            n = _offer(score, start + doc, n, scores, docs)
            if n == k:
                least = max(floor, scores[0])
    if n < k:
        for place in range(n // 2 - 1, -1, -1):
            _sift(scores, docs, place, n)
    _sort(scores, docs, n)
    return n
