"""The columns that belong to single words, written beside the topics of each document."""

from __future__ import annotations

from math import sqrt

import numpy as np

from psif.compiled.average import Doubles, Floats, Ids, Offsets, bag
from psif.compiled.kernel import kernel


@kernel()
def write_word_columns(
    ids: Ids,
    offsets: Offsets,
    weights: Floats,
    columns: Ids,
    sublinear: bool,
    first: int,
    words: Ids,
    shares: Doubles,
    out: Floats,
) -> None:
    """Write the share of every word that has a column into that column.

    Parameters
    ----------
    ids, offsets, weights, sublinear, words, shares : as in :mod:`psif.compiled.average`
    columns : int32 (n_words,)
        Column of each word, counted from ``first``; -1 for a word without one.
    first : int
        Columns of the topics.
    out : float32 (n_docs, first + n_columns), zeros from ``first`` on
    """
    for doc in range(len(offsets) - 1):
        n = bag(ids, offsets[doc], offsets[doc + 1], weights, sublinear, words, shares)
        for t in range(n):
            column = columns[words[t]]
            if column >= 0:
                out[doc, first + column] = np.float32(shares[t])


@kernel()
def balance_rows(out: Floats, first: int, ratio: float) -> None:
    """Make the part of each row from ``first`` on ``ratio`` times as long as the part before."""
    for doc in range(len(out)):
        before = 0.0
        for c in range(first):
            before += float(out[doc, c]) * float(out[doc, c])
        squares = 0.0
        for c in range(first, out.shape[1]):
            squares += float(out[doc, c]) * float(out[doc, c])
        if squares > 0.0:
            scale = np.float32(ratio * sqrt(before / squares))
            for c in range(first, out.shape[1]):
                out[doc, c] *= scale
