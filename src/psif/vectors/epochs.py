"""Run a stochastic trainer over the documents, several times, on several threads.

Documents may be shuffled first: in a corpus that is sorted by class, the last classes overwrite
what the first ones taught. (On 20 Newsgroups, class after class, Doc2VecC loses 3 points, and P-SIF
with skip-gram vectors 1.7.)

The result is the same for any number of threads. Documents are cut into pieces and pieces into
rounds, and neither depends on the threads. In a round a few replicas train side by side, each on
its own copies of the rows that it touches; then the copies are merged in the order of the replicas
(see :mod:`psif.compiled.replicas`). Threads that write to shared tables without waiting for one
another, as word2vec's do, are as fast, but give another result in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np

from psif.runtime.blas import single_threaded_blas
from psif.runtime.threads import Workers, ranges, resolve_jobs
from psif.text.flat import FlatDocs
from psif.types import CountVector, FloatMatrix
from psif.vectors.progress import Progress, Steps

T = TypeVar("T")

# Words in one piece of work: the step size is the same for all of them.
_PIECE_WORDS = 20_000
# Pieces that are prepared at a time.
_WAVE = 16
# Replicas of a round, so the most threads that can help. What one of them learns the others see
# after the round: with more replicas, or longer rounds, vectors become too long and less accurate.
N_REPLICAS = 4


@dataclass(frozen=True)
class Passes:
    """How often to pass over the documents, and with which step size."""

    epochs: int
    alpha: float
    shuffled: bool  # Documents in one random order, or as they are read.
    last_share: float = 1e-2  # The step size ends at this share of alpha.


class Tables:
    """The two tables in training, and the replicas that train them.

    Parameters
    ----------
    inputs, outputs : ndarray of float32, shape (n_words, dim)
    capacities : (int, int)
        Most rows of each that a replica touches in a round.
    n_jobs : int or None
    """

    def __init__(
        self,
        inputs: FloatMatrix,
        outputs: FloatMatrix,
        capacities: tuple[int, int],
        n_jobs: int | None,
    ) -> None:
        from psif.compiled.replicas import empty_replica

        n_words, dim = inputs.shape
        self.inputs, self.outputs = inputs, outputs
        self.own_inputs, self.own_outputs = (
            tuple(empty_replica(n_words, capacity, dim) for _ in range(N_REPLICAS))
            for capacity in capacities
        )
        self._n_parts = min(resolve_jobs(n_jobs), N_REPLICAS)

    def train(
        self, work: Callable[[int, int, int], None], n: int, size: int, workers: Workers
    ) -> None:
        """Call ``work(replica, first, last)`` until all of ``range(n)`` is done.

        Each replica gets a part of the range to itself, so that replicas work on different
        documents, and ``size`` of it in every round.
        """
        share = -(-n // N_REPLICAS)
        for start, stop in ranges(share, size):

            def train(replica: int, _: int, start: int = start, stop: int = stop) -> None:
                begin, end = replica * share, min((replica + 1) * share, n)
                if begin + start < end:
                    work(replica, begin + start, min(begin + stop, end))

            workers.map(train, [(replica, replica + 1) for replica in range(N_REPLICAS)])
            workers.map(self._merge, [(part, self._n_parts) for part in range(self._n_parts)])
            for replica in (*self.own_inputs, *self.own_outputs):
                replica.size[0] = 0

    def _merge(self, part: int, n_parts: int) -> None:
        from psif.compiled.replicas import merge_replicas

        merge_replicas(self.inputs, self.own_inputs, part, n_parts)
        merge_replicas(self.outputs, self.own_outputs, part, n_parts)


def run_epochs(
    prepare: Callable[[FlatDocs, int], T],
    train: Callable[[T, float, int, Workers], None],
    docs: FlatDocs,
    passes: Passes,
    rng: np.random.Generator,
    n_jobs: int | None,
    progress: Progress | None,
) -> None:
    """Pass over the documents, piece by piece.

    ``prepare(part, seed)`` makes a piece ready without looking at the tables;
    ``train(prepared, rate, seed, workers)`` then trains on it. The step size falls linearly over
    all pieces. Seeds belong to pieces.
    """
    order = rng.permutation(len(docs)) if passes.shuffled else np.arange(len(docs))
    pieces = _cut(order, docs.lengths)
    total = len(pieces) * passes.epochs
    steps = Steps(progress, total)
    with single_threaded_blas(), Workers(n_jobs) as workers:
        for epoch in range(passes.epochs):
            seeds = rng.integers(0, 2**31, size=len(pieces)).tolist()
            for place, prepared in enumerate(_prepared(prepare, docs, pieces, seeds, workers)):
                done = (epoch * len(pieces) + place) / total
                rate = passes.alpha * (1 - (1 - passes.last_share) * done)
                train(prepared, rate, seeds[place], workers)
                steps.advance()


def _prepared(
    prepare: Callable[[FlatDocs, int], T],
    docs: FlatDocs,
    pieces: list[CountVector],
    seeds: list[int],
    workers: Workers,
) -> Iterator[T]:
    def work(place: int, _: int) -> T:
        return prepare(docs.take(pieces[place]), seeds[place])

    for first, last in ranges(len(pieces), _WAVE):
        yield from workers.map(work, [(place, place + 1) for place in range(first, last)])


def _cut(order: CountVector, lengths: CountVector) -> list[CountVector]:
    """Documents in this order, in pieces of about _PIECE_WORDS words each."""
    ends = np.cumsum(lengths[order])
    marks = np.arange(_PIECE_WORDS, ends[-1] + 1 if len(ends) else 0, _PIECE_WORDS)
    cuts = np.unique([0, *(np.searchsorted(ends, marks) + 1).tolist(), len(order)])
    return [order[a:b] for a, b in pairwise(cuts.tolist())]
