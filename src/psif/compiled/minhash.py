r"""Signatures of sets of words for which likely copies collide, and the exact overlap of two texts.

MinHash [1]_ with word weights: each word w of a text draws an exponential number with rate
:math:`\lambda_w`, the same in every text, and the smallest one names the text. The first event of
independent exponential clocks is that of w with probability :math:`\lambda_w / \sum_u \lambda_u`,
so that two texts get the same name with the probability

.. math:: J(A, B) = \sum_{w \in A \cap B} \lambda_w \Big/ \sum_{w \in A \cup B} \lambda_w

Common words hardly count: two texts in the same language do not collide by their function words.

References
----------
.. [1] Broder (1997), On the resemblance and containment of documents.
"""

from __future__ import annotations

import numpy as np

from psif.compiled.kernel import kernel
from psif.compiled.random_numbers import mixed

_MULTIPLY_1, _MULTIPLY_2 = np.uint32(0x85EBCA6B), np.uint32(0xC2B2AE35)
_SHIFT_1, _SHIFT_2, _TO_24_BITS = np.uint32(15), np.uint32(13), np.uint32(8)
_HIGH = np.uint64(32)
_STEP = np.uint64(0x9E3779B97F4A7C15)


@kernel()
def band_keys(ids, offsets, first, last, rates, seeds, n_bands, keys):  # type: ignore[no-untyped-def]
    """Write the key of every band of documents ``first`` to ``last``.

    Parameters
    ----------
    ids : int32
        Words, sorted within each document.
    offsets : int64 (n_docs + 1,)
    rates : float32 (n_words,)
        λ.
    seeds : uint32 (n_bands * n_rows,)
    keys : uint32 (n_bands, n_docs), written
    """
    n_hashes = len(seeds)
    n_rows = n_hashes // n_bands
    smallest = np.empty(n_hashes, dtype=np.float32)
    names = np.empty(n_hashes, dtype=np.uint32)
    draws = np.empty(n_hashes, dtype=np.float32)
    # The bits of a float, read as a number, are its logarithm (piecewise linear between powers of
    # two): good enough for a rare event's clock, and much faster than a real logarithm.
    bits = draws.view(np.int32)
    top = np.float32(1 << 24)
    draws[0] = top
    top_bits = np.float32(bits[0])
    for doc in range(first, last):
        smallest[:] = np.inf
        names[:] = 0
        before = -1
        for place in range(offsets[doc], offsets[doc + 1]):
            word = ids[place]
            if word == before:
                continue
            before = word
            name = np.uint32(mixed(np.uint64(word) + _STEP) >> _HIGH)
            slow = np.float32(1) / rates[word]
            for i in range(n_hashes):
                x = np.uint32(name ^ seeds[i])
                x = np.uint32(x * _MULTIPLY_1)
                x = np.uint32(x ^ (x >> _SHIFT_1))
                x = np.uint32(x * _MULTIPLY_2)
                x = np.uint32(x ^ (x >> _SHIFT_2))
                draws[i] = np.float32(np.int32(x >> _TO_24_BITS) + 1)
            for i in range(n_hashes):
                clock = (top_bits - np.float32(bits[i])) * slow
                if clock < smallest[i]:
                    smallest[i] = clock
                    names[i] = name
        for band in range(n_bands):
            key = np.uint64(band)
            for row in range(n_rows):
                key = mixed(key ^ np.uint64(names[band * n_rows + row])) + _STEP
            keys[band, doc] = np.uint32(key >> _HIGH)


@kernel()
def fingerprints(ids, offsets, out):  # type: ignore[no-untyped-def]
    """Write two 64-bit checksums of the words of each document, in their order."""
    for doc in range(len(offsets) - 1):
        one, two = np.uint64(1), np.uint64(2)
        for place in range(offsets[doc], offsets[doc + 1]):
            word = np.uint64(ids[place])
            one = mixed(one ^ word) + _STEP
            two = mixed(two + word * _STEP)
        out[doc, 0] = one
        out[doc, 1] = two


@kernel()
def weight_totals(ids, offsets, weights, totals):  # type: ignore[no-untyped-def]
    """Write the sum of the weights of the distinct words of each sorted document."""
    for doc in range(len(offsets) - 1):
        total, before = 0.0, -1
        for place in range(offsets[doc], offsets[doc + 1]):
            if ids[place] != before:
                before = ids[place]
                total += weights[before]
        totals[doc] = total


@kernel()
def overlap(ids, offsets, weights, a, b):  # type: ignore[no-untyped-def]
    """Return how many words two sorted documents share, and the weight of the distinct ones."""
    i, i_end = offsets[a], offsets[a + 1]
    j, j_end = offsets[b], offsets[b + 1]
    n_shared, weight, before = 0, 0.0, -1
    while i < i_end and j < j_end:
        if ids[i] == ids[j]:
            n_shared += 1
            if ids[i] != before:
                before = ids[i]
                weight += weights[before]
            i += 1
            j += 1
        elif ids[i] < ids[j]:
            i += 1
        else:
            j += 1
    return n_shared, weight


@kernel()
def root_of(parents, doc):  # type: ignore[no-untyped-def]
    """Return the first document of a component; paths are shortened on the way."""
    while parents[doc] != doc:
        parents[doc] = parents[parents[doc]]
        doc = parents[doc]
    return doc


@kernel()
def join(parents, a, b):  # type: ignore[no-untyped-def]
    """Make one component of two; return whether they were two."""
    a, b = root_of(parents, a), root_of(parents, b)
    if a == b:
        return False
    if a < b:
        parents[b] = a
    else:
        parents[a] = b
    return True


@kernel()
def join_pairs(parents, pairs, joined):  # type: ignore[no-untyped-def]
    """Join all pairs in their order; write whether each one joined two components."""
    for i in range(len(pairs)):
        joined[i] = join(parents, pairs[i, 0], pairs[i, 1])


@kernel()
def roots(parents, out):  # type: ignore[no-untyped-def]
    """Write the first document of the component of every document."""
    for doc in range(len(parents)):
        out[doc] = root_of(parents, doc)


@kernel()
def link_band(  # type: ignore[no-untyped-def]
    order, keys, ids, offsets, weights, totals, changed, least_weight, short,
    most_compared, most_seen, parents, links, similarities, n_links,
):  # fmt: skip
    """Compare documents with the same key, and join those that are near-identical.

    Documents that are joined already are not compared again, so that a thousand copies cost a
    thousand comparisons. In a bucket of many unlike documents each one is compared with at most
    ``most_compared`` others, the last ones before it.

    Parameters
    ----------
    order : int64
        Documents, those with the same key together, in rising order.
    keys : uint32
        By document.
    changed : float
        Largest share of changed words, counted in the longer text and rounded to whole words.
    least_weight : float
        Least share of the weight of the words of the heavier text that both have.
    short : int
        Texts with fewer words must have the same words.
    parents : int64, changed
        Components.
    links : int64 (n_docs, 2), similarities : float64, written
        Pairs that joined two components.
    n_links : int
        Pairs found before; the new number is returned.
    """
    start = 0
    n = len(order)
    while start < n:
        stop = start + 1
        key = keys[order[start]]
        while stop < n and keys[order[stop]] == key:
            stop += 1
        for i in range(start + 1, stop):
            doc = order[i]
            length = offsets[doc + 1] - offsets[doc]
            n_compared = 0
            for j in range(i - 1, max(start, i - most_seen) - 1, -1):
                other = order[j]
                other_length = offsets[other + 1] - offsets[other]
                longer, shorter = max(length, other_length), min(length, other_length)
                allowed = np.int64(changed * longer + 0.5) if longer >= short else 0
                if longer - shorter > allowed:
                    continue
                lighter = min(totals[doc], totals[other])
                heavier = max(totals[doc], totals[other])
                if lighter < least_weight * heavier:
                    continue
                if root_of(parents, doc) == root_of(parents, other):
                    continue
                n_shared, weight = overlap(ids, offsets, weights, doc, other)
                n_compared += 1
                if longer - n_shared <= allowed and weight >= least_weight * heavier:
                    join(parents, doc, other)
                    links[n_links, 0], links[n_links, 1] = other, doc
                    similarities[n_links] = 1 - (longer - n_shared) / (2 * longer)
                    n_links += 1
                if n_compared == most_compared:
                    break
        start = stop
    return n_links
