"""Skip-gram with negative sampling as small matrix products."""

from __future__ import annotations

import numpy as np

from psif.compiled.kernel import kernel
from psif.compiled.random_numbers import start, uniform
from psif.compiled.replicas import copy_row, empty_replica, merge_replicas

# Columns of the table of blocks: positions in the kept words.
LOW, FIRST, LAST, HIGH = 0, 1, 2, 3


@kernel()
def thin_out(words, keep, state, kept):  # type: ignore[no-untyped-def]
    """Copy each word with its probability ``keep`` into ``kept``; return how many."""
    n_kept = 0
    for word in words:
        if keep[word] >= 1.0 or uniform(state) < keep[word]:
            kept[n_kept] = word
            n_kept += 1
    return n_kept


@kernel()
def draw_noise(noise, state):  # type: ignore[no-untyped-def]
    """Draw a word from a cumulative distribution."""
    return np.searchsorted(noise, uniform(state) * noise[-1])


@kernel()
def cut_blocks(ids, offsets, keep, noise, window, block, n_noise, seed):  # type: ignore[no-untyped-def]
    """Thin out some documents, cut them into blocks of centres and draw the blocks' noise words.

    Returns
    -------
    kept : int32
        The words that are left, one document after another.
    blocks : int64 (n_blocks, 4)
        Contexts of a block are ``kept[low:high]``, centres ``kept[first:last]``.
    drawn : int32 (n_blocks, n_noise)
    """
    state = np.empty(1, dtype=np.uint64)
    start(state, seed, 0)
    kept = np.empty(len(ids), dtype=np.int32)
    ends = np.empty(len(offsets) - 1, dtype=np.int64)
    n_kept = 0
    n_blocks = 0
    for doc in range(len(offsets) - 1):
        words = ids[offsets[doc] : offsets[doc + 1]]
        n = thin_out(words, keep, state, kept[n_kept:])
        n_kept += n
        n_blocks += (n + block - 1) // block
        ends[doc] = n_kept
    blocks = np.empty((n_blocks, 4), dtype=np.int64)
    drawn = np.empty((n_blocks, n_noise), dtype=np.int32)
    begin = np.int64(0)
    b = 0
    for end in ends:
        for first in range(begin, end, block):
            last = min(first + block, end)
            blocks[b, LOW], blocks[b, FIRST] = max(begin, first - window), first
            blocks[b, LAST], blocks[b, HIGH] = last, min(end, last + window)
            for t in range(n_noise):
                drawn[b, t] = draw_noise(noise, state)
            b += 1
        begin = end
    return kept[:n_kept], blocks, drawn


@kernel(fastmath={"contract", "reassoc", "nsz"})
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


@kernel()
def train_blocks(  # type: ignore[no-untyped-def]
    kept, blocks, drawn, inputs, outputs, own_inputs, own_outputs, window, rate
):
    """Train a replica on some blocks.

    The contexts of a block and its targets, the centres and the noise words, meet in one product of
    scores; two more give all the steps. A pair at distance k weighs (window + 1 - k) / window, what
    a window of random width gives it on average. A noise word counts for a context as often as
    centres see it.

    Parameters
    ----------
    kept, blocks, drawn
        As :func:`cut_blocks` gives them, or some rows of the last two.
    inputs, outputs : float32 (n_words, dim)
        The tables, only read.
    own_inputs, own_outputs : Replica
    window : int
    rate : float32
    """
    in_slots, in_words, in_rows, in_size = own_inputs
    out_slots, out_words, out_rows, out_size = own_outputs
    n_noise = drawn.shape[1]
    dim = inputs.shape[1]
    most_centres = 0
    most_contexts = 0
    for i in range(len(blocks)):
        most_centres = max(most_centres, blocks[i, LAST] - blocks[i, FIRST])
        most_contexts = max(most_contexts, blocks[i, HIGH] - blocks[i, LOW])
    x = np.empty((most_contexts, dim), dtype=np.float32)
    y = np.empty((most_centres + n_noise, dim), dtype=np.float32)
    x_rows = np.empty(len(x), dtype=np.int64)
    y_rows = np.empty(len(y), dtype=np.int64)
    for i in range(len(blocks)):
        low, first = blocks[i, LOW], blocks[i, FIRST]
        n_contexts, n_centres = blocks[i, HIGH] - low, blocks[i, LAST] - first
        n_targets = n_centres + n_noise
        for c in range(n_contexts):
            word = kept[low + c]
            row = np.int64(in_slots[word])
            if row < 0:
                row = copy_row(inputs, in_slots, in_words, in_rows, in_size, word)
            x_rows[c] = row
            for j in range(dim):
                x[c, j] = in_rows[row, j]
        for t in range(n_targets):
            word = kept[first + t] if t < n_centres else drawn[i, t - n_centres]
            row = np.int64(out_slots[word])
            if row < 0:
                row = copy_row(outputs, out_slots, out_words, out_rows, out_size, word)
            y_rows[t] = row
            for j in range(dim):
                y[t, j] = out_rows[row, j]
        a = x[:n_contexts]
        b = y[:n_targets]
        scores = np.dot(a, b.T)
        for c in range(n_contexts):
            seen = np.float32(0.0)
            for t in range(n_centres):
                k = abs(low + c - first - t)
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
            step_row(in_rows[x_rows[c]], to_inputs[c])
        for t in range(n_targets):
            step_row(out_rows[y_rows[t]], to_outputs[t])


def train_in_order(  # type: ignore[no-untyped-def]
    ids, offsets, keep, noise, inputs, outputs, window, block, n_noise, rate, seed
) -> None:
    """One pass over some documents in one thread, changing the tables in place."""
    kept, blocks, drawn = cut_blocks(ids, offsets, keep, noise, window, block, n_noise, seed)
    tables = (inputs, outputs)
    own = [empty_replica(len(t), len(kept) + drawn.size, t.shape[1]) for t in tables]
    train_blocks(kept, blocks, drawn, inputs, outputs, own[0], own[1], window, rate)
    for table, replica in zip(tables, own, strict=True):
        merge_replicas(table, (replica,), 0, 1)
