"""Threads: the one module that starts them.

Compiled loops are single-threaded and release the interpreter lock. This module spreads them over
ranges of rows. The ranges depend only on the data, never on the number of threads, so a result is
the same for any ``n_jobs``. (numba's ``parallel=True`` compiles several times slower, and the order
of its sums depends on the number of threads.)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

from psif.errors import InputError

S = TypeVar("S")
T = TypeVar("T")


def resolve_jobs(n_jobs: int | None) -> int:
    """Return the number of threads: ``None`` and -1 mean all cores that this process may use."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    cores = available or 1
    if n_jobs is None or n_jobs == -1:
        return cores
    if n_jobs < -1 or n_jobs == 0:
        raise InputError(f"n_jobs must be a positive number, -1 or None; got {n_jobs}.")
    return n_jobs


def ranges(n: int, size: int) -> list[tuple[int, int]]:
    """Cut ``range(n)`` into pieces of ``size`` (the last may be shorter)."""
    return [(start, min(start + size, n)) for start in range(0, n, size)]


class Workers:
    """A set of threads to reuse within one computation; a context manager."""

    def __init__(self, n_jobs: int | None = None) -> None:
        self._n_jobs = n_jobs
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            # After an error, Ctrl-C included, pieces that have not begun are cancelled.
            self._pool.shutdown(cancel_futures=kind is not None)

    def map(self, function: Callable[[int, int], T], pieces: list[tuple[int, int]]) -> list[T]:
        """Call ``function(start, stop)`` on every piece; results keep their order."""
        # Asking the system for its cores takes longer than embedding a short text.
        if len(pieces) <= 1 or resolve_jobs(self._n_jobs) == 1:
            return [function(start, stop) for start, stop in pieces]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(resolve_jobs(self._n_jobs))
        return list(self._pool.map(lambda piece: function(*piece), pieces))


def map_ranges(
    function: Callable[[int, int], T], n: int, *, size: int, n_jobs: int | None = None
) -> list[T]:
    """Call ``function(start, stop)`` on every piece of ``range(n)``; results keep their order."""
    return map_pieces(function, ranges(n, size), n_jobs=n_jobs)


def map_pieces(
    function: Callable[[int, int], T], pieces: list[tuple[int, int]], *, n_jobs: int | None = None
) -> list[T]:
    """Call ``function(start, stop)`` on the given pieces, spread over threads."""
    with Workers(n_jobs) as workers:
        return workers.map(function, pieces)


def map_items(
    function: Callable[[S], T], items: Sequence[S], *, n_jobs: int | None = None
) -> list[T]:
    """Call ``function(item)`` on every item, spread over threads; results keep their order."""
    return map_ranges(lambda start, _: function(items[start]), len(items), size=1, n_jobs=n_jobs)
