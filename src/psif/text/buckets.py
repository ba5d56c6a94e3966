"""A place for words outside the vocabulary: numbered buckets, chosen by a hash of the word.

The same unknown word always falls into the same bucket, so that a name which no vector knows still
counts when it stands in both of two documents. Different words meet in one bucket once in
``N_BUCKETS`` times.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from psif.types import IdVector

N_BUCKETS = 4_096
# FNV-1a, 64 bits, as in psif.compiled.word_scan.
_FNV_BASIS, _FNV_PRIME, _MASK = 14695981039346656037, 1099511628211, 2**64 - 1


def bucket_of(word: str, n_buckets: int = N_BUCKETS) -> int:
    """Bucket of a word, the same as the compiled scan finds.

    >>> bucket_of("zbo") == bucket_of("zbo")
    True
    """
    value = _FNV_BASIS
    for byte in word.encode("utf-8", "surrogatepass"):
        value = (value ^ byte) * _FNV_PRIME & _MASK
    return (value ^ value >> 32) % n_buckets


def bucket_names(n_buckets: int) -> list[str]:
    """Names that no tokenizer preset can produce."""
    return [f"<unknown {number}>" for number in range(n_buckets)]


def buckets_of(words: Sequence[str], n_buckets: int) -> IdVector:
    """Bucket of each of some words."""
    return np.array([bucket_of(word, n_buckets) for word in words], dtype=np.int32)
