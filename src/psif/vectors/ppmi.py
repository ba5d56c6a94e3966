"""PPMI vectors: counted, not trained. The default."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from psif.errors import InputError
from psif.runtime.threads import map_pieces
from psif.text.flat import FlatDocs
from psif.text.vocabulary import Vocabulary
from psif.types import CountVector, FloatMatrix, FloatVector, IdVector
from psif.vectors.progress import Progress, Steps
from psif.vectors.randomized_svd import factorise

Rows = tuple[CountVector, IdVector, FloatVector]

# Entries that one piece of rows may need at most: 4 Mi entries are 32 MB of scratch a thread.
_PIECE_ENTRIES = 1 << 22
_PIECE_ROWS = 1024
_ENTRY_BYTES = 8


# The settings, wherever the counting is done.
WINDOW, SMOOTHING, SHIFT, N_ITER = 10, 0.75, 1.0, 1


def ppmi(
    docs: FlatDocs,
    vocabulary: Vocabulary,
    *,
    dim: int,
    random_state: int | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    window: int = WINDOW,
    smoothing: float = SMOOTHING,
    shift: float = SHIFT,
    n_iter: int = N_ITER,
    max_memory: float = 2e9,
) -> FloatMatrix:
    r"""Factorise the positive pointwise mutual information of words and their neighbours.

    With :math:`n_{wc}` the windows in which c stands near w, each at distance k counting
    :math:`(L + 1 - k) / L` for a window of L words to either side:

    .. math:: M_{wc} = \max\Big(0, \log \frac{n_{wc}}{n_w\, p(c)} - \log s\Big), \qquad
              p(c) = \frac{n_c^\gamma}{\sum_u n_u^\gamma}

    and :math:`M \approx U S V^\top` gives the vectors :math:`U \sqrt{S}`. This is the matrix that
    skip-gram with negative sampling factorises implicitly ([Levy2014]_); the smoothed context
    distribution and the root of S are from [Levy2015]_.

    Parameters
    ----------
    window : int, default=10
        Words to either side.
    smoothing : float, default=0.75
        The exponent :math:`\gamma`.
    shift : float, default=1
        :math:`s`, the number of negative samples that the matrix imitates; 1 shifts nothing.
    n_iter : int, default=1
        Power iterations of the randomised factorisation.
    max_memory : float, default=2e9
        Bytes for stored counts. Rows beyond it are counted anew for each product: slower, the
        same result.

    Returns
    -------
    vectors : ndarray of float32, shape (n_words, dim)
        Fewer columns when the counts have a lower rank than ``dim``.

    References
    ----------
    .. [Levy2014] Levy, Goldberg (2014), Neural word embedding as implicit matrix factorization.
    .. [Levy2015] Levy, Goldberg, Dagan (2015), Improving distributional similarity with lessons
       learned from word embeddings.
    """
    check_ppmi(window=window, smoothing=smoothing, shift=shift, n_iter=n_iter)
    counts = Cooccurrences.prepare(docs, len(vocabulary), window, max_memory, n_jobs)
    steps = Steps(progress, len(counts.pieces) * (2 * n_iter + 2))
    matrix = PositiveInformation(counts, smoothing, shift, steps)
    vectors = factorise(matrix, dim, n_iter=n_iter, random_state=random_state, n_jobs=n_jobs)
    steps.finish()
    return vectors


def check_ppmi(*, window: int, smoothing: float, shift: float, n_iter: int) -> None:
    """Refuse options that have no meaning."""
    if not 1 <= window <= 1000:
        raise InputError(f"window must be between 1 and 1000 words; got {window}.")
    if not 0 < smoothing <= 1:
        raise InputError(f"smoothing must be above 0 and at most 1; got {smoothing}.")
    if not shift > 0:
        raise InputError(f"shift must be above 0 (1 shifts nothing); got {shift}.")
    if n_iter < 0:
        raise InputError(f"n_iter must be 0 or more; got {n_iter}.")


@dataclass
class Cooccurrences:
    """Rows of the symmetric matrix of co-occurrence counts, stored or counted on demand."""

    ids: IdVector
    left: np.ndarray
    right: np.ndarray
    starts: CountVector
    positions: CountVector
    marginals: np.ndarray  # n_w, in units of 1 / window
    window: int
    max_memory: float
    n_jobs: int | None
    pieces: list[tuple[int, int]]
    bounds: CountVector
    stored: dict[int, Rows] = field(default_factory=dict)
    stored_bytes: int = 0
    lock: Lock = field(default_factory=Lock)

    @classmethod
    def prepare(
        cls, docs: FlatDocs, n_words: int, window: int, max_memory: float, n_jobs: int | None
    ) -> Cooccurrences:
        """Index the positions of each word and cut the rows into pieces of bounded size."""
        from psif.compiled.cooccurrence import positions_by_word, window_reach, window_weights

        ids = np.ascontiguousarray(docs.ids, dtype=np.int32)
        left, right = window_reach(docs.offsets, window)
        starts, positions = positions_by_word(ids, n_words)
        marginals = window_weights(ids, left, right, window, n_words)
        bounds = np.minimum(2 * window * np.diff(starts), n_words)
        pieces = cut_rows(bounds, _PIECE_ENTRIES, _PIECE_ROWS)
        return cls(
            ids,
            left,
            right,
            starts,
            positions,
            marginals,
            window,
            max_memory,
            n_jobs,
            pieces,
            bounds,
        )

    def rows(self, first: int, last: int) -> Rows:
        """CSR arrays (row ends, columns, logarithms of counts) of some rows."""
        from psif.compiled.cooccurrence import count_rows

        if first in self.stored:
            return self.stored[first]
        capacity = int(self.bounds[first:last].sum())
        indptr, columns, totals = count_rows(
            self.ids, self.left, self.right, self.starts, self.positions,
            self.window, first, last, len(self.bounds), capacity,
        )  # fmt: skip
        rows: Rows = indptr, columns, log_counts(totals)
        with self.lock:
            size = len(rows[1]) * _ENTRY_BYTES
            if self.stored_bytes + size <= self.max_memory:
                self.stored[first] = rows
                self.stored_bytes += size
        return rows


def log_counts(totals: CountVector) -> FloatVector:
    """Logarithms of counts, in single precision."""
    return np.log(totals, dtype=np.float64).astype(np.float32)


def information_biases(
    marginals: np.ndarray, smoothing: float, shift: float
) -> tuple[FloatVector, FloatVector]:
    r"""Return :math:`\log n_w + \log s` and :math:`\log p(c)` of every word."""
    alone = marginals == 0  # Words without any neighbour: an empty row.
    n = np.where(alone, 1.0, marginals)
    smoothed = np.where(alone, 0.0, n**smoothing)
    log_p = smoothing * np.log(n) - np.log(smoothed.sum() or 1.0)
    return (np.log(n) + np.log(shift)).astype(np.float32), log_p.astype(np.float32)


class PositiveInformation:
    r"""The matrix M as something to multiply with, from either side.

    Counts are symmetric, so M and its transpose differ only in which of the two logarithms,
    :math:`\log n_w` or :math:`\log p(c)`, belongs to the rows: one stored matrix serves both.
    """

    def __init__(self, counts: Cooccurrences, smoothing: float, shift: float, steps: Steps) -> None:
        self.counts = counts
        self.steps = steps
        self.word_bias, self.context_bias = information_biases(counts.marginals, smoothing, shift)
        self.n_words = len(counts.marginals)

    def times(self, factor: FloatMatrix, *, transposed: bool = False) -> FloatMatrix:
        """M @ factor, or M.T @ factor."""
        from psif.compiled.cooccurrence import positive_product

        row_bias, column_bias = self.word_bias, self.context_bias
        if transposed:
            row_bias, column_bias = column_bias, row_bias
        out = np.zeros((self.n_words, factor.shape[1]), dtype=np.float32)

        def multiply(first: int, last: int) -> None:
            positive_product(
                *self.counts.rows(first, last), row_bias[first:last], column_bias, factor,
                out[first:last],
            )  # fmt: skip
            self.steps.advance()

        map_pieces(multiply, self.counts.pieces, n_jobs=self.counts.n_jobs)
        return out


def cut_rows(
    bounds: CountVector, most_entries: int, most_rows: int | None = None
) -> list[tuple[int, int]]:
    """Cut rows into pieces with at most so many entries (or of a single row)."""
    pieces, first, entries = [], 0, 0
    most_rows = most_rows or len(bounds)
    for row, bound in enumerate(bounds.tolist()):
        if row > first and (entries + bound > most_entries or row - first >= most_rows):
            pieces.append((first, row))
            first, entries = row, 0
        entries += bound
    return [*pieces, (first, len(bounds))] if len(bounds) else []
