"""Slow, obvious twin of the strongest word pairs."""

from __future__ import annotations

import math


def pair_shares(ids_a, ids_b, words, unit):
    """Every pair of distinct words, straight from the definition."""
    shares = {}
    for w, s in word_shares(ids_a, words).items():
        for u, t in word_shares(ids_b, words).items():
            topics = dot(words.codes[w], words.codes[u])
            alike = dot(words.vectors[w], words.vectors[u])
            shares[w, u] = s * t * topics * alike * unit
    return shares


def compact_topic_shares(words, table, ids_a, ids_b):
    """What each topic adds to the cosine of two compact vectors, one word at a time."""
    rows = [
        {w: [s * float(x) for x in table[w]] for w, s in word_shares(ids, words).items()}
        for ids in (ids_a, ids_b)
    ]
    whole = [[sum(column) for column in zip(*side.values(), strict=True)] for side in rows]
    length = math.sqrt(dot(whole[0], whole[0]) * dot(whole[1], whole[1]))
    shares = [0.0] * words.codes.shape[1]
    for side, other in ((rows[0], whole[1]), (rows[1], whole[0])):
        for w, row in side.items():
            squares = [float(c) ** 2 for c in words.codes[w]]
            squares[: words.n_shared] = [0.0] * words.n_shared
            if not sum(squares):
                squares[words.n_shared :] = [1.0] * (len(squares) - words.n_shared)
            for j, square in enumerate(squares):
                if length:
                    shares[j] += square / sum(squares) * dot(row, other) / length / 2
    return shares


def word_shares(ids, words):
    factors = {}
    for w in sorted(set(ids)):
        n = list(ids).count(w)
        factors[w] = 1 + math.log(n) if words.counts == "log" else n
    total = sum(factors.values())
    return {w: f * float(words.weights[w]) / total for w, f in factors.items()}


def dot(x, y):
    return sum(float(p) * float(q) for p, q in zip(x, y, strict=True))
