"""Processes of this machine that embed files: workers of a Dask cluster, or without a cluster."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.resources import peak_mb

# Seconds, and processor seconds of all processes that took part.
Cost: TypeAlias = tuple[float, float]


class DaskCluster:
    """A local Dask cluster whose workers have one thread each.

    Parameters
    ----------
    n_workers : int
    plain : bool
        Dask's own settings instead of those of ``psif embed --cluster local``.
    """

    def __init__(self, n_workers: int, *, plain: bool = False) -> None:
        from distributed import Client, LocalCluster
        from psif.distributed.local import local_cluster

        make: Any = LocalCluster if plain else local_cluster
        options: dict[str, Any] = {"dashboard_address": ":0", "silence_logs": 50}
        options |= {"n_workers": n_workers, "threads_per_worker": 1}
        self.cluster: Any = make(**options) if plain else make(n_workers)
        connect: Any = Client
        self.client: Any = connect(self.cluster)

    def close(self) -> None:
        """End its processes."""
        self.client.close()
        self.cluster.close()

    def transform(self, model: Path, files: Sequence[Path], out: Path) -> Cost:
        """Embed files into a folder; scheduler and client count as processes that took part."""
        from psif import distributed

        shutil.rmtree(out, ignore_errors=True)
        began, cpu = time.perf_counter(), self._cpu_seconds()
        distributed.transform(model, list(files), client=self.client, out=out)
        return time.perf_counter() - began, self._cpu_seconds() - cpu

    def fit(self, settings: dict[str, Any], files: Sequence[Path]) -> tuple[float, Any]:
        """Return seconds and the fitted model."""
        from psif import PSIF, distributed

        began = time.perf_counter()
        model = distributed.fit(PSIF(**settings), list(files), client=self.client)
        return time.perf_counter() - began, model

    def peak_mb(self) -> float:
        """Return the peak memory of the largest worker."""
        return float(max(self.client.run(peak_mb).values()))

    def sent_bytes(self) -> int:
        """Return the bytes that workers sent so far, to each other and to the client."""
        return int(sum(self.client.run(_sent_bytes).values()))

    def _cpu_seconds(self) -> float:
        workers: float = sum(self.client.run(time.process_time).values())
        return time.process_time() + workers


def _sent_bytes(dask_worker: Any) -> int:
    return int(dask_worker.transfer_outgoing_bytes_total)


class LocalProcess:
    """A process without a cluster that stays for the next run, as a worker does."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(1, context, _as_in_a_worker)

    def start(self, function: Callable[..., Cost], *arguments: Any) -> Callable[[], Cost]:
        """Begin a run; call what is returned to wait for its end."""
        return self._pool.submit(function, *arguments).result

    def close(self) -> None:
        """End it."""
        self._pool.shutdown()


def _as_in_a_worker() -> None:
    # Dask's nanny sets this; the code of the workers looks at it when it sets up memory.
    os.environ["MALLOC_TRIM_THRESHOLD_"] = "65536"


def embed_partitions(model: Path, files: Sequence[Path], out: Path) -> Cost:
    """Embed with the code of the workers, one partition after another."""
    from psif.distributed.output import Output
    from psif.distributed.transforming import embed_partition
    from psif.files.readers import ReadOptions

    shutil.rmtree(out, ignore_errors=True)
    output = Output(str(out))
    began, cpu = time.perf_counter(), time.process_time()
    output.begin({"benchmark": True}, model, overwrite=False)
    for i, file in enumerate(files):
        embed_partition(str(file), i, ReadOptions(), output, "key", "float32", None)
    return time.perf_counter() - began, time.process_time() - cpu


def embed_in_pair(
    pair: Sequence[LocalProcess], model: Path, files: Sequence[Path], folder: Path
) -> Cost:
    """Embed with the code of the workers in processes that do not know of each other."""
    began = time.perf_counter()
    waiting = [
        process.start(embed_partitions, model, files[i :: len(pair)], folder / f"part-{i}")
        for i, process in enumerate(pair)
    ]
    costs = [wait() for wait in waiting]
    return time.perf_counter() - began, sum(cpu for _, cpu in costs)


def embed_command(model: Path, files: Sequence[Path], out: Path, jobs: int) -> Cost:
    """Embed as ``psif embed --jobs N`` does, without its start-up."""
    from psif.cli.main import psif

    words = [*files, "-o", out, "--model", model, "--jobs", jobs]
    began, cpu = time.perf_counter(), time.process_time()
    psif(["-q", "embed", *map(str, words)], standalone_mode=False)
    return time.perf_counter() - began, time.process_time() - cpu
