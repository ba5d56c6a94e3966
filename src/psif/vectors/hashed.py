"""Vectors that stand for nothing but the identity of a word."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from psif.types import FloatMatrix

# splitmix64 (Steele, Lea, Flood 2014), which makes independent bits of consecutive numbers.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def hashed_vectors(words: Sequence[str], dim: int) -> FloatMatrix:
    r"""Give each word a unit vector made of its spelling alone.

    .. math:: h_w \in \{\pm 1/\sqrt m\}^m

    Two words have :math:`\langle h_w, h_u \rangle = 1` if they are the same word, otherwise a
    random number of mean 0 and deviation :math:`1/\sqrt m`. No seed enters: all models, machines
    and shards agree.
    """
    digests = [
        hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        for word in words
    ]
    seeds = np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)
    n_draws = -(-dim // 64)
    with np.errstate(over="ignore"):
        state = seeds[:, None] + _STEP * np.arange(1, n_draws + 1, dtype=np.uint64)
        state = (state ^ (state >> np.uint64(30))) * _MIX_1
        state = (state ^ (state >> np.uint64(27))) * _MIX_2
        state ^= state >> np.uint64(31)
    drawn = np.ascontiguousarray(state.astype("<u8")).view(np.uint8)
    bits = np.unpackbits(drawn, axis=1, count=dim, bitorder="little")
    size = np.float32(1 / np.sqrt(dim))
    return np.where(bits, size, -size).astype(np.float32)
