"""Tasks on a Dask cluster: checked before, watched while they run, failures told in one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from importlib import metadata
from threading import Event, Thread
from typing import Any

import numpy as np

from psif.errors import PsifError
from psif.vectors.progress import Progress

# Values up to this many bytes travel inside a task, which the scheduler can give to another
# worker when one is lost. Larger ones are copied to every worker.
_BYTES_IN_A_TASK = 4 << 20
# Results merged by one task. The tree depends on the number of partitions alone, so that sums of
# floating-point numbers are the same whatever the workers.
_FAN_IN = 8
# Seconds to wait for workers when all are gone, and between two looks.
_PATIENCE, _EVERY = 120.0, 5.0


class ClusterError(PsifError):
    """The cluster failed, or is not fit for the work."""


def check_cluster(client: Any) -> None:
    """Refuse a cluster without workers, without psif, or with another version of it."""
    with in_words(client):
        if not client.scheduler_info()["workers"]:
            client.wait_for_workers(1, timeout=30)
        # A function of the standard library: one of ours could not arrive where psif is missing.
        found = client.run(metadata.version, "psif", on_error="return")
    ours = metadata.version("psif")
    for worker, version in found.items():
        if isinstance(version, OSError):
            continue  # It was lost just now; the others do its work.
        if isinstance(version, BaseException):
            raise ClusterError(
                f"the worker {worker} has no psif ({type(version).__name__}). Install it where the "
                f"workers run: pip install 'psif[dask]=={ours}'"
            )
        if version != ours:
            raise ClusterError(
                f"the worker {worker} has psif {version}, this side has {ours}. Install the same "
                f"version on both: pip install 'psif[dask]=={ours}'"
            )


@contextmanager
def in_words(client: Any, hint: str = "") -> Iterator[None]:
    """Turn what Dask raises about lost workers and schedulers into one clear error."""
    from dask.utils import key_split
    from distributed.comm.core import CommClosedError

    from distributed import KilledWorker

    hint = f" {hint}" if hint else ""
    try:
        yield
    except KilledWorker as error:
        raise ClusterError(
            f"{key_split(error.task)} was given up after the workers that tried it died "
            f"({error.allowed_failures + 1} times), most likely for want of memory. Make the "
            f"partitions smaller, or give workers more memory.{hint}"
        ) from error
    except (CancelledError, CommClosedError, TimeoutError, OSError) as error:
        if isinstance(error, OSError) and error.filename:
            raise  # A file, not the network.
        raise ClusterError(
            f"the cluster at {_address(client)} was lost, or did not answer "
            f"({type(error).__name__}: {' '.join(str(error).split())}).{hint}"
        ) from error


def _address(client: Any) -> str:
    try:
        return str(client.scheduler.address)
    except AttributeError:
        return "an unknown address"


class Cluster:
    """Tasks on a cluster.

    Parameters
    ----------
    client : distributed.Client
    progress : callable or None
        Called as ``progress(done, total)`` for each pass over the partitions.
    hint : str
        Added to the error when the cluster fails.
    """

    def __init__(self, client: Any, progress: Progress | None = None, hint: str = "") -> None:
        self.client = client
        self._progress = progress
        self._hint = hint
        self._held: list[Any] = []

    def share(self, value: Any, *, keep: bool = True) -> Any:
        """Send a value to the workers once; a future to give to tasks.

        ``keep`` holds it to the end, for results made from it that may have to be made again.
        """
        from dask.sizeof import sizeof

        if sizeof(value) <= _BYTES_IN_A_TASK:
            future = self.client.submit(_same, value, pure=False)
        else:
            future = self.client.scatter(value, broadcast=True, hash=False)
        if keep:
            self._held.append(future)
        return future

    def submit(self, function: Callable[..., Any], *args: Any) -> Any:
        """Start one task."""
        return self.client.submit(function, *args, pure=False)

    def on_sources(self, function: Callable[..., Any], calls: Sequence[Sequence[Any]]) -> list[Any]:
        """Start tasks whose first argument is a path or a computation of Dask."""
        if not any(hasattr(source, "dask") for source, *_ in calls):
            return self.start(function, calls)
        from dask.delayed import delayed

        # One task with its input: the input need not outlive it.
        tasks = [delayed(function, pure=False)(*call) for call in calls]
        futures: list[Any] = self.client.compute(tasks)
        return futures

    def each(self, function: Callable[..., Any], parts: Sequence[Any], *args: Any) -> list[Any]:
        """Start a task a part."""
        return self.start(function, [(part, *args) for part in parts])

    def start(self, function: Callable[..., Any], calls: Sequence[Sequence[Any]]) -> list[Any]:
        """Start a task for each tuple of arguments; all in one message to the scheduler."""
        if not calls:
            return []
        futures: list[Any] = self.client.map(function, *zip(*calls, strict=True), pure=False)
        return futures

    def tree(self, merge: Callable[[list[Any]], Any], parts: Sequence[Any]) -> Any:
        """Merge parts, in order, by a tree of tasks: no task sees more than a few of them."""
        while len(parts) > 1:
            groups = [list(parts[i : i + _FAN_IN]) for i in range(0, len(parts), _FAN_IN)]
            parts = self.each(merge, groups)
        return parts[0]

    def wait(self, futures: Sequence[Any], *, shown: bool = False) -> None:
        """Wait, leaving the results where they are; the first failure is raised."""
        from distributed import as_completed

        finished: Any = as_completed(futures, raise_errors=False)  # type: ignore[no-untyped-call]
        with in_words(self.client, self._hint), _Watch(self.client, futures) as watch:
            for done, future in enumerate(finished, start=1):
                if watch.no_worker_left:
                    raise ClusterError(
                        f"no worker is left at {_address(self.client)}, and none has come for "
                        f"{_PATIENCE} seconds. Start some. {self._hint}".rstrip()
                    )
                if future.status != "finished":
                    self._give_up(future, futures)
                if shown and self._progress is not None:
                    self._progress(done, len(futures))

    def _give_up(self, failed: Any, futures: Sequence[Any]) -> None:
        """Raise what a task raised; the cluster need not go on with the others."""
        status, key = failed.status, failed.key
        try:
            failed.result()
        finally:
            if self.client.status == "running":
                # Else a failure would be remembered as long as its traceback is.
                self.client.cancel(list(futures), force=True)
        raise CancelledError(f"{key} was {status}")

    def gather(self, futures: Sequence[Any], *, shown: bool = False) -> list[Any]:
        """Results in order; the first failure is raised."""
        self.wait(futures, shown=shown)
        with in_words(self.client, self._hint):
            results: list[Any] = self.client.gather(list(futures))
        return results

    def result(self, future: Any) -> Any:
        """Wait for one result."""
        return self.gather([future])[0]


class _Watch:
    """Notices that all workers are gone: Dask itself would wait for others for ever."""

    def __init__(self, client: Any, futures: Sequence[Any]) -> None:
        self.no_worker_left = False
        self._client, self._futures = client, futures
        self._over = Event()
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        alone = 0.0
        while not self._over.wait(_EVERY):
            try:
                workers = self._client.scheduler_info()["workers"]
            except Exception:  # the scheduler is lost, which the tasks themselves tell
                return
            alone = 0.0 if workers else alone + _EVERY
            if alone >= _PATIENCE:
                self.no_worker_left = True
                self._client.cancel(list(self._futures), force=True)  # wakes up who waits for them
                return


def add_up(parts: list[np.ndarray]) -> np.ndarray:
    """Sum arrays in their order."""
    total = parts[0].copy()
    for part in parts[1:]:
        total += part
    return total


def _same(value: Any) -> Any:
    return value
