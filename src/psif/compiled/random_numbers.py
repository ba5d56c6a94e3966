"""Random numbers whose state the caller holds, so that no thread disturbs another."""

from __future__ import annotations

import numpy as np

from psif.compiled.kernel import kernel

# splitmix64: Steele, Lea, Flood (2014), Fast splittable pseudorandom number generators.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFT_1, _SHIFT_2, _SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
# The 53 highest bits make a float64 from 0 to below 1.
_TO_53_BITS, _OF_53_BITS = np.uint64(11), 2.0**-53


@kernel()
def mixed(number):  # type: ignore[no-untyped-def]
    """Return 64 bits that look independent for neighbouring numbers."""
    z = (number ^ (number >> _SHIFT_1)) * _MIX_1
    z = (z ^ (z >> _SHIFT_2)) * _MIX_2
    return z ^ (z >> _SHIFT_3)


@kernel()
def start(state, seed, place):  # type: ignore[no-untyped-def]
    """Begin the sequence that belongs to a seed and a place; ``state`` is one uint64."""
    state[0] = mixed(np.uint64(seed)) ^ mixed(np.uint64(place) + _STEP)


@kernel()
def uniform(state):  # type: ignore[no-untyped-def]
    """Return the next number, from 0 to below 1."""
    state[0] += _STEP
    return np.float64(mixed(state[0]) >> _TO_53_BITS) * _OF_53_BITS
