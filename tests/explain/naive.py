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


def word_shares(ids, words):
    factors = {}
    for w in sorted(set(ids)):
        n = list(ids).count(w)
        factors[w] = 1 + math.log(n) if words.counts == "log" else n
    total = sum(factors.values())
    return {w: f * float(words.weights[w]) / total for w, f in factors.items()}


def dot(x, y):
    return sum(float(p) * float(q) for p, q in zip(x, y, strict=True))
