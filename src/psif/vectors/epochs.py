"""Run a stochastic trainer over the documents, several times, on several threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from psif.runtime.threads import map_pieces
from psif.text.flat import FlatDocs
from psif.vectors.progress import Progress, Steps

# Words in one piece of work: large enough that Python's part is nothing, small enough that the
# step size falls smoothly and progress shows.
_PIECE_WORDS = 20_000


@dataclass(frozen=True)
class Passes:
    """How often to pass over the documents, and with which step size."""

    epochs: int
    alpha: float
    last_share: float = 1e-2  # The step size ends at this share of alpha.


def run_epochs(
    train: Callable[[FlatDocs, float, int], None],
    docs: FlatDocs,
    passes: Passes,
    rng: np.random.Generator,
    n_jobs: int | None,
    progress: Progress | None,
) -> None:
    """Call ``train(part, rate, seed)`` on pieces of the documents until all passes are done.

    The step size falls linearly over all pieces. Seeds belong to pieces, so that one thread
    always gives the same result.
    """
    from threadpoolctl import threadpool_limits

    pieces = _cut(docs)
    total = len(pieces) * passes.epochs
    steps = Steps(progress, total)
    place_of = {piece: place for place, piece in enumerate(pieces)}

    def work(epoch: int, seeds: list[int], start: int, stop: int) -> None:
        place = place_of[start, stop]
        done = (epoch * len(pieces) + place) / total
        rate = passes.alpha * (1 - (1 - passes.last_share) * done)
        train(docs.part(start, stop), rate, seeds[place])
        steps.advance()

    # Each thread multiplies small matrices on its own; the library's threads would be in the way.
    with threadpool_limits(1):
        for epoch in range(passes.epochs):
            seeds = rng.integers(0, 2**31, size=len(pieces))
            map_pieces(partial(work, epoch, seeds.tolist()), pieces, n_jobs=n_jobs)


def _cut(docs: FlatDocs) -> list[tuple[int, int]]:
    """Ranges of whole documents with about _PIECE_WORDS words each."""
    ends = docs.offsets[1:] - docs.offsets[0]
    marks = np.arange(_PIECE_WORDS, ends[-1] + 1 if len(ends) else 0, _PIECE_WORDS)
    cuts = np.unique([0, *(np.searchsorted(ends, marks) + 1).tolist(), len(docs)])
    return [(a, b) for a, b in pairwise(cuts.tolist())]
