"""Requests that arrive together are embedded together.

A call of the model costs about as much for ten short texts as for one. Texts that arrive while the
event loop is busy wait for its next turn and are then embedded in one call: nobody waits for a
timer, and the busier the server, the larger the batches.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import NamedTuple, TypeAlias

from psif.serve.failures import busy
from psif.types import CountVector, FloatMatrix

Vectors: TypeAlias = tuple[FloatMatrix, CountVector]
# Texts in a batch, and characters after which no more are added.
_TEXTS, _CHARACTERS = 1_024, 1 << 20
# A batch with fewer characters takes less time than passing it to a thread and back.
_SMALL = 1 << 15


class _Job(NamedTuple):
    texts: Sequence[str]
    answer: asyncio.Future[Vectors]


class Batcher:
    """Collect texts of concurrent requests for a model.

    Parameters
    ----------
    embed : callable
        From a list of texts to their vectors and their numbers of words.
    most : int
        Texts that may wait; a request beyond that is refused with 429.
    threads : Executor
        Embeds large batches, so that the event loop can go on.
    observe : callable, optional
        Called with the number of texts of every batch.
    """

    def __init__(
        self,
        embed: Callable[[list[str]], Vectors],
        most: int,
        threads: Executor,
        observe: Callable[[int], None] | None = None,
    ) -> None:
        self._embed, self._most, self._threads, self._observe = embed, most, threads, observe
        self._jobs: deque[_Job] = deque()
        self._scheduled = False
        self.waiting = 0

    async def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return vectors and numbers of words of some texts."""
        # A request that is alone is served whatever its size; it has its own limit.
        if self.waiting and self.waiting + len(texts) > self._most:
            raise busy()
        loop = asyncio.get_running_loop()
        job = _Job(texts, loop.create_future())
        self._jobs.append(job)
        self.waiting += len(texts)
        self._schedule(loop)
        return await job.answer

    def _schedule(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._jobs and not self._scheduled:
            self._scheduled = True
            loop.call_soon(self._next_batch, loop)

    def _next_batch(self, loop: asyncio.AbstractEventLoop) -> None:
        jobs, texts, n_characters = self._take()
        if self._observe is not None:
            self._observe(len(texts))
        if n_characters <= _SMALL:
            try:
                found = self._embed(texts)
            except Exception as error:
                self._fail(jobs, error)
            else:
                self._answer(jobs, found)
            self._finish(jobs, loop)
            return
        pending = loop.run_in_executor(self._threads, self._embed, texts)

        def done(result: asyncio.Future[Vectors]) -> None:
            error = result.exception()
            if error is None:
                self._answer(jobs, result.result())
            else:
                self._fail(jobs, error)
            self._finish(jobs, loop)

        pending.add_done_callback(done)

    def _take(self) -> tuple[list[_Job], list[str], int]:
        """Take the jobs of the next batch from the queue, at least one."""
        jobs: list[_Job] = []
        texts: list[str] = []
        n_characters = 0
        while self._jobs and len(texts) < _TEXTS and n_characters < _CHARACTERS:
            job = self._jobs.popleft()
            jobs.append(job)
            texts += job.texts
            n_characters += sum(map(len, job.texts))
        return jobs, texts, n_characters

    def _answer(self, jobs: list[_Job], found: Vectors) -> None:
        rows, counts = found
        start = 0
        for job in jobs:
            stop = start + len(job.texts)
            if not job.answer.done():  # its client may be gone
                job.answer.set_result((rows[start:stop], counts[start:stop]))
            start = stop

    def _fail(self, jobs: list[_Job], error: BaseException) -> None:
        for job in jobs:
            if not job.answer.done():
                job.answer.set_exception(error)

    def _finish(self, jobs: list[_Job], loop: asyncio.AbstractEventLoop) -> None:
        self.waiting -= sum(len(job.texts) for job in jobs)
        self._scheduled = False
        self._schedule(loop)
