"""Doc2VecC: predict a word from its window and a random part of its document."""

from __future__ import annotations

import numpy as np
from numba import njit

from psif.compiled.skipgram import thin_out


@njit(cache=True, nogil=True)
def choose_contexts(position, n, window, left_only, places):  # type: ignore[no-untyped-def]
    """Positions in a window of random width around ``position``; return how many.

    Both sides: up to ``window - b`` words either way, b drawn below ``window``. Left only, as the
    authors' program reads it: distances from b to ``window - b`` before the word, often none.
    """
    b = np.random.randint(0, window)
    count = 0
    if left_only:
        for k in range(max(b, 1), window - b + 1):
            if position - k >= 0:
                places[count] = position - k
                count += 1
    else:
        for k in range(1, window - b + 1):
            if position - k >= 0:
                places[count] = position - k
                count += 1
            if position + k < n:
                places[count] = position + k
                count += 1
    return count


@njit(cache=True, nogil=True)
def choose_sample(position, n, rate, places):  # type: ignore[no-untyped-def]
    """Each other position of the document with probability ``rate``; return how many.

    Steps from one chosen position to the next (geometric), so that it costs what it chooses.
    """
    count = 0
    place = -1
    while True:
        if rate >= 1.0:
            place += 1
        else:
            gap = np.log(1.0 - np.random.random()) / np.log(1.0 - rate)
            if gap >= n:
                return count
            place += 1 + int(gap)
        if place >= n:
            return count
        if place != position:
            places[count] = place
            count += 1


@njit(cache=True, nogil=True, fastmath={"contract", "reassoc", "nsz"})
def predict(hidden, outputs, target, noise, n_noise, rate, error):  # type: ignore[no-untyped-def]
    """Tell ``target`` from noise words; update ``outputs``; leave the hidden layer's error."""
    dim = len(hidden)
    error[:] = 0
    for draw in range(n_noise + 1):
        word = target
        if draw:
            word = np.searchsorted(noise, np.random.random() * noise[-1])
            if word == target:
                continue
        row = outputs[word]
        score = np.float32(0.0)
        for j in range(dim):
            score += hidden[j] * row[j]
        label = np.float32(1.0) if draw == 0 else np.float32(0.0)
        step = rate * (label - np.float32(1.0) / (np.float32(1.0) + np.exp(-score)))
        for j in range(dim):
            error[j] += step * row[j]
            row[j] += step * hidden[j]


@njit(cache=True, nogil=True, fastmath={"contract", "reassoc", "nsz"})
def add_scaled(target, source, scale):  # type: ignore[no-untyped-def]
    """``target += scale * source``."""
    for j in range(len(target)):
        target[j] += scale * source[j]


@njit(cache=True, nogil=True)
def train_doc2vecc(  # type: ignore[no-untyped-def]
    ids,
    offsets,
    keep,
    noise,
    inputs,
    outputs,
    window,
    left_only,
    n_noise,
    sample,
    longest,
    rate,
    seed,
):
    """One pass over some documents, updating ``inputs`` and ``outputs`` in place.

    The hidden layer is the mean of the window's vectors and one more, the document's: the sum of
    a random ``sample`` of its words over ``sample * length``. Stretches of ``longest`` words are
    documents of their own.
    """
    np.random.seed(seed)
    dim = inputs.shape[1]
    most = 0
    for doc in range(len(offsets) - 1):
        most = max(most, offsets[doc + 1] - offsets[doc])
    kept = np.empty(most, dtype=np.int32)
    window_places = np.empty(2 * window + 1, dtype=np.int64)
    doc_places = np.empty(min(longest, most), dtype=np.int64)
    hidden = np.empty(dim, dtype=np.float32)
    error = np.empty(dim, dtype=np.float32)
    for doc in range(len(offsets) - 1):
        n_kept = thin_out(ids[offsets[doc] : offsets[doc + 1]], keep, kept)
        for start in range(0, n_kept, longest):
            words = kept[start : min(start + longest, n_kept)]
            n = len(words)
            doc_weight = np.float32(1.0 / (sample * n))
            for position in range(n):
                n_window = choose_contexts(position, n, window, left_only, window_places)
                n_doc = choose_sample(position, n, sample, doc_places)
                mean = np.float32(1.0) / np.float32(n_window + 1)
                hidden[:] = 0
                for i in range(n_window):
                    add_scaled(hidden, inputs[words[window_places[i]]], mean)
                for i in range(n_doc):
                    add_scaled(hidden, inputs[words[doc_places[i]]], mean * doc_weight)
                predict(hidden, outputs, words[position], noise, n_noise, rate, error)
                for i in range(n_window):
                    add_scaled(inputs[words[window_places[i]]], error, mean)
                for i in range(n_doc):
                    add_scaled(inputs[words[doc_places[i]]], error, mean * doc_weight)
