"""Doc2VecC: predict a word from its window and a random part of its document."""

from __future__ import annotations

import numpy as np

from psif.compiled.fetching import AHEAD, fetch_row
from psif.compiled.kernel import kernel
from psif.compiled.random_numbers import start, uniform
from psif.compiled.replicas import copy_row
from psif.compiled.skipgram import draw_noise, thin_out

# Neighbouring words of a document that share their noise words and the sample of the document: its
# rows are then read and changed once for all of them.
SHARED = 8


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
def choose_sample(n, rate, state, places):  # type: ignore[no-untyped-def]
    """Each of n positions with probability ``rate``, in order; return how many.

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
    hidden, target, drawn, outputs, own_outputs, rate, error
):
    """Tell ``target`` from noise words; update the outputs; leave the hidden layer's error."""
    slots, words, rows, size = own_outputs
    dim = len(hidden)
    error[:] = 0
    for draw in range(len(drawn) + 1):
        word = target
        if draw:
            word = drawn[draw - 1]
            if word == target:
                continue
        row = rows[own_row(outputs, slots, words, rows, size, word)]
        score = np.float32(0.0)
        for j in range(dim):
            score += hidden[j] * row[j]
        label = np.float32(1.0) if draw == 0 else np.float32(0.0)
        step = rate * (label - np.float32(1.0) / (np.float32(1.0) + np.exp(-score)))
        for j in range(dim):
            error[j] += step * row[j]
            row[j] += step * hidden[j]


@kernel()
def own_row(table, slots, words, rows, size, word):  # type: ignore[no-untyped-def]
    """Return the place of a replica's copy of a row, made now if there is none."""
    place = np.int64(slots[word])
    return place if place >= 0 else copy_row(table, slots, words, rows, size, word)


@kernel()
def fetch_new(table, slots, word):  # type: ignore[no-untyped-def]
    """Ask for a row that has no copy yet: it is soon copied."""
    if slots[word] < 0:
        fetch_row(table, word)


@kernel(fastmath={"contract", "reassoc", "nsz"})
def set_scaled(target, source, scale):  # type: ignore[no-untyped-def]
    """``target = scale * source``."""
    for j in range(len(target)):
        target[j] = scale * source[j]


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
    a random ``sample`` of its words, but for the predicted one, over ``sample * length``. A few
    neighbours share that sample: its sum is made once, and its words move once by what all of
    them say. Random numbers belong to positions.
    """
    in_slots, in_words, in_rows, in_size = own_inputs
    out_slots = own_outputs[0]
    dim = inputs.shape[1]
    longest = 0
    for position in range(first, last):
        longest = max(longest, borders[position, 1] - borders[position, 0])
    state = np.empty(1, dtype=np.uint64)
    places = np.empty(2 * window, dtype=np.int64)
    sampled = np.empty(longest + 1, dtype=np.int64)
    rows = np.empty(longest, dtype=np.int64)
    document = np.empty(dim, dtype=np.float32)
    errors = np.empty(dim, dtype=np.float32)
    hidden = np.empty(dim, dtype=np.float32)
    error = np.empty(dim, dtype=np.float32)
    drawn = np.empty(n_noise, dtype=np.int32)
    position = first
    while position < last:
        begin, end = borders[position, 0], borders[position, 1]
        start(state, seed, position + 1)
        for t in range(n_noise):
            drawn[t] = draw_noise(noise, state)
            fetch_new(outputs, out_slots, drawn[t])
        n_sampled = choose_sample(end - begin, sample, state, sampled)
        sampled[n_sampled] = end  # No position: the walk below ends here.
        document[:] = 0
        errors[:] = 0
        for target in range(position, min(position + SHARED, last, end)):
            fetch_new(outputs, out_slots, kept[target])
            fetch_new(inputs, in_slots, kept[target])
        for i in range(n_sampled):
            if i + AHEAD < n_sampled:
                fetch_new(inputs, in_slots, kept[begin + sampled[i + AHEAD]])
            rows[i] = own_row(
                inputs, in_slots, in_words, in_rows, in_size, kept[begin + sampled[i]]
            )
            add_scaled(document, in_rows[rows[i]], np.float32(1.0))
        share = np.float32(1.0 / (sample * (end - begin)))
        next_sampled = 0
        for target in range(position, min(position + SHARED, last, end)):
            start(state, seed + 1, target + 1)
            n_window = choose_contexts(
                target - begin, end - begin, window, left_only, state, places
            )
            mean = np.float32(1.0) / np.float32(n_window + 1)
            while sampled[next_sampled] < target - begin:
                next_sampled += 1
            is_sampled = sampled[next_sampled] == target - begin
            set_scaled(hidden, document, mean * share)
            if is_sampled:
                add_scaled(hidden, in_rows[rows[next_sampled]], -mean * share)
            for i in range(n_window):
                places[i] = own_row(
                    inputs, in_slots, in_words, in_rows, in_size, kept[begin + places[i]]
                )
                add_scaled(hidden, in_rows[places[i]], mean)
            predict(hidden, kept[target], drawn, outputs, own_outputs, rate, error)
            for i in range(n_window):
                add_scaled(in_rows[places[i]], error, mean)
            add_scaled(errors, error, mean * share)
            if is_sampled:
                add_scaled(in_rows[rows[next_sampled]], error, -mean * share)
        for i in range(n_sampled):
            add_scaled(in_rows[rows[i]], errors, np.float32(1.0))
        position = min(position + SHARED, last, end)
