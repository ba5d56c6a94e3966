"""Doc2VecC: predict a word from its window and a random part of its document."""

from __future__ import annotations

import numpy as np

from psif.compiled.kernel import kernel
from psif.compiled.random_numbers import start, uniform
from psif.compiled.replicas import copy_row
from psif.compiled.skipgram import draw_noise, thin_out

# Neighbouring positions that have the same noise words: rows that are in the cache already.
SHARED_NOISE = 8


@kernel()
def choose_contexts(position, n, window, left_only, state, places):  # type: ignore[no-untyped-def]
    """Positions in a window of random width around ``position``; return how many.

    Both sides: up to ``window - b`` words either way, b drawn below ``window``. Left only, as the
    authors' program reads it: distances from b to ``window - b`` before the word, often none.
    """
    b = int(uniform(state) * window)
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


@kernel()
def choose_sample(position, n, rate, state, places):  # type: ignore[no-untyped-def]
    """Each other position of the document with probability ``rate``; return how many.

    Steps from one chosen position to the next (geometric), so that it costs what it chooses.
    """
    count = 0
    place = -1
    while True:
        if rate >= 1.0:
            place += 1
        else:
            gap = np.log(1.0 - uniform(state)) / np.log(1.0 - rate)
            if gap >= n:
                return count
            place += 1 + int(gap)
        if place >= n:
            return count
        if place != position:
            places[count] = place
            count += 1


@kernel()
def cut_stretches(ids, offsets, keep, longest, seed):  # type: ignore[no-untyped-def]
    """Thin out some documents and cut them into stretches of at most ``longest`` words.

    Returns
    -------
    kept : int32
        The words that are left.
    borders : int64 (n_kept, 2)
        Of each word, where its stretch begins and ends.
    """
    state = np.empty(1, dtype=np.uint64)
    start(state, seed, 0)
    kept = np.empty(len(ids), dtype=np.int32)
    borders = np.empty((len(ids), 2), dtype=np.int64)
    begin = np.int64(0)
    for doc in range(len(offsets) - 1):
        words = ids[offsets[doc] : offsets[doc + 1]]
        end = begin + thin_out(words, keep, state, kept[begin:])
        for first in range(begin, end, longest):
            last = min(first + longest, end)
            borders[first:last, 0] = first
            borders[first:last, 1] = last
        begin = end
    return kept[:begin], borders[:begin]


@kernel(fastmath={"contract", "reassoc", "nsz"})
def predict(  # type: ignore[no-untyped-def]
    hidden, target, drawn, outputs, slots, words, rows, size, rate, error
):
    """Tell ``target`` from noise words; update the outputs; leave the hidden layer's error."""
    dim = len(hidden)
    error[:] = 0
    for draw in range(len(drawn) + 1):
        word = target
        if draw:
            word = drawn[draw - 1]
            if word == target:
                continue
        place = np.int64(slots[word])
        if place < 0:
            place = copy_row(outputs, slots, words, rows, size, word)
        row = rows[place]
        score = np.float32(0.0)
        for j in range(dim):
            score += hidden[j] * row[j]
        label = np.float32(1.0) if draw == 0 else np.float32(0.0)
        step = rate * (label - np.float32(1.0) / (np.float32(1.0) + np.exp(-score)))
        for j in range(dim):
            error[j] += step * row[j]
            row[j] += step * hidden[j]


@kernel(fastmath={"contract", "reassoc", "nsz"})
def add_scaled(target, source, scale):  # type: ignore[no-untyped-def]
    """``target += scale * source``."""
    for j in range(len(target)):
        target[j] += scale * source[j]


@kernel()
def train_positions(  # type: ignore[no-untyped-def]
    kept, borders, first, last, inputs, outputs, own_inputs, own_outputs, noise, n_noise, window,
    left_only, sample, rate, seed,
):  # fmt: skip
    """Train a replica on positions ``first`` to ``last``.

    The hidden layer is the mean of the window's vectors and one more, the document's: the sum of
    a random ``sample`` of its words over ``sample * length``. Random numbers belong to positions.
    """
    in_slots, in_words, in_rows, in_size = own_inputs
    out_slots, out_words, out_rows, out_size = own_outputs
    dim = inputs.shape[1]
    longest = 0
    for position in range(first, last):
        longest = max(longest, borders[position, 1] - borders[position, 0])
    state = np.empty(1, dtype=np.uint64)
    places = np.empty(2 * window + longest, dtype=np.int64)
    rows = np.empty(len(places), dtype=np.int64)
    hidden = np.empty(dim, dtype=np.float32)
    error = np.empty(dim, dtype=np.float32)
    drawn = np.empty(n_noise, dtype=np.int32)
    for position in range(first, last):
        start(state, seed, position + 1)
        if (position - first) % SHARED_NOISE == 0:
            for t in range(n_noise):
                drawn[t] = draw_noise(noise, state)
        begin = borders[position, 0]
        n = borders[position, 1] - begin
        n_window = choose_contexts(position - begin, n, window, left_only, state, places)
        n_all = n_window + choose_sample(position - begin, n, sample, state, places[n_window:])
        mean = np.float32(1.0) / np.float32(n_window + 1)
        of_document = mean * np.float32(1.0 / (sample * n))
        hidden[:] = 0
        for i in range(n_all):
            word = kept[begin + places[i]]
            rows[i] = in_slots[word]
            if rows[i] < 0:
                rows[i] = copy_row(inputs, in_slots, in_words, in_rows, in_size, word)
            add_scaled(hidden, in_rows[rows[i]], mean if i < n_window else of_document)
        predict(
            hidden, kept[position], drawn, outputs, out_slots, out_words, out_rows, out_size, rate,
            error,
        )  # fmt: skip
        for i in range(n_all):
            add_scaled(in_rows[rows[i]], error, mean if i < n_window else of_document)
