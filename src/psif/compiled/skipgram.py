"""Skip-gram with negative sampling as small matrix products."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def thin_out(words, keep, kept):  # type: ignore[no-untyped-def]
    """Copy each word with its probability ``keep`` into ``kept``; return how many."""
    n_kept = 0
    for word in words:
        if keep[word] >= 1.0 or np.random.random() < keep[word]:
            kept[n_kept] = word
            n_kept += 1
    return n_kept


@njit(cache=True, nogil=True, fastmath={"contract", "reassoc", "nsz"})
def step_row(row, step):  # type: ignore[no-untyped-def]
    """Add ``step`` to ``row``; a step longer than 1 is cut to length 1.

    Vectors grow to lengths of 2 to 3: longer steps come only from many pairs that all push the
    same row before any of them sees the effect, and would make training diverge.
    """
    square = np.float32(0.0)
    for j in range(len(step)):
        square += step[j] * step[j]
    scale = np.float32(1.0) / np.sqrt(max(square, np.float32(1.0)))
    for j in range(len(step)):
        row[j] += scale * step[j]


@njit(cache=True, nogil=True)
def train_skipgram(  # type: ignore[no-untyped-def]
    ids, offsets, keep, noise, inputs, outputs, window, block, n_noise, rate, seed
):
    """One pass over some documents, updating ``inputs`` and ``outputs`` in place.

    A block of neighbouring centres, the contexts that any of them can see and ``n_noise`` words
    drawn for the whole block meet in one product of scores; two more give all the updates. A
    pair at distance k weighs (window + 1 - k) / window, what a window of random width gives it
    on average. A noise word counts for a context as often as centres see it.
    ``noise`` is the cumulative distribution to draw from.
    """
    np.random.seed(seed)
    dim = inputs.shape[1]
    longest = 0
    for doc in range(len(offsets) - 1):
        longest = max(longest, offsets[doc + 1] - offsets[doc])
    kept = np.empty(longest, dtype=np.int32)
    x = np.empty((block + 2 * window, dim), dtype=np.float32)
    y = np.empty((block + n_noise, dim), dtype=np.float32)
    drawn = np.empty(block + n_noise, dtype=np.int64)
    for doc in range(len(offsets) - 1):
        n = thin_out(ids[offsets[doc] : offsets[doc + 1]], keep, kept)
        for start in range(0, n, block):
            stop = min(start + block, n)
            low = max(0, start - window)
            high = min(n, stop + window)
            n_contexts = high - low
            n_centres = stop - start
            n_targets = n_centres + n_noise
            for c in range(n_contexts):
                x[c] = inputs[kept[low + c]]
            for t in range(n_targets):
                if t < n_centres:
                    drawn[t] = kept[start + t]
                else:
                    drawn[t] = np.searchsorted(noise, np.random.random() * noise[-1])
                y[t] = outputs[drawn[t]]
            a = x[:n_contexts]
            b = y[:n_targets]
            scores = np.dot(a, b.T)
            for c in range(n_contexts):
                seen = np.float32(0.0)
                for t in range(n_centres):
                    k = abs(low + c - start - t)
                    if 0 < k <= window:
                        weight = np.float32(window + 1 - k) / np.float32(window)
                        seen += weight
                        scores[c, t] = rate * weight / (np.float32(1.0) + np.exp(scores[c, t]))
                    else:
                        scores[c, t] = np.float32(0.0)
                for t in range(n_centres, n_targets):
                    strength = rate * seen
                    scores[c, t] = -strength / (np.float32(1.0) + np.exp(-scores[c, t]))
            to_inputs = np.dot(scores, b)
            to_outputs = np.dot(scores.T, a)
            for c in range(n_contexts):
                step_row(inputs[kept[low + c]], to_inputs[c])
            for t in range(n_targets):
                step_row(outputs[drawn[t]], to_outputs[t])
