"""psif on a local Dask cluster: overhead, efficiency, memory, bytes sent.

Generated documents of 100 words in files of equal size; workers are processes of one thread. The
same work is done without a cluster in processes of their own: by the code of the workers, in one
process and in two at once (the most that the machine can give), and by ``psif embed``.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.corpora import generated
from benchmarks.jobs import Context
from benchmarks.local_processes import (
    Cost,
    DaskCluster,
    LocalProcess,
    embed_command,
    embed_in_pair,
    embed_partitions,
)
from benchmarks.resources import THREAD_VARIABLES
from psif.runtime.atomic import atomic_folder

FOLDER = "cluster"
_FIT_FILES = 2
_SETTINGS = {"n_topics": 20, "dim": 100, "n_dims": 128, "random_state": 0}


def fit(context: Context) -> dict[str, Any]:
    """Fit in one process and on two workers; keep the documents and the model for other jobs."""
    _one_thread_per_process()
    with atomic_folder(context.workspace / FOLDER) as folder:
        files = _write_files(folder, *context.size.cluster_files)
        some = files[:_FIT_FILES]
        seconds, model = _fit_here(some)
        model.save(folder / "model")
        cluster = DaskCluster(2)
        try:
            other_seconds, other = cluster.fit(_SETTINGS, some)
            sent = cluster.sent_bytes()
        finally:
            cluster.close()
    texts = list(generated(200))
    n_docs = context.size.cluster_files[1] * len(some)
    return {
        "documents": n_docs,
        "local_seconds": seconds,
        "cluster_seconds": other_seconds,
        "bytes_sent_per_document": sent / n_docs,
        "same_words": other.vocabulary_.words == model.vocabulary_.words,
        "largest_difference": float(abs(other.transform(texts) - model.transform(texts)).max()),
    }


def transform(context: Context) -> dict[str, Any]:
    """Embed all files in every way, round after round."""
    _one_thread_per_process()
    model, files = _prepared(context)
    folder = context.workspace / "cluster-output"
    pair, single = [LocalProcess(), LocalProcess()], LocalProcess()
    one, two, plain = DaskCluster(1), DaskCluster(2), DaskCluster(1, plain=True)
    processes: list[DaskCluster | LocalProcess] = [one, two, plain, single, *pair]
    table = folder / "v.parquet"
    ways: dict[str, Callable[[Sequence[Path]], Cost]] = {
        "process": lambda parts: pair[0].start(embed_partitions, model, parts, folder / "one")(),
        "pair": lambda parts: embed_in_pair(pair, model, parts, folder),
        "one": lambda parts: one.transform(model, parts, folder / "one-worker"),
        "two": lambda parts: two.transform(model, parts, folder / "two-workers"),
        "plain": lambda parts: plain.transform(model, parts, folder / "plain"),
        "embed": lambda parts: single.start(embed_command, model, parts, table, 1)(),
        "embed_2": lambda parts: single.start(embed_command, model, parts, table, 2)(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for way in ways.values():  # loops compiled or loaded in every process
            way(files[:4])
        before = two.sent_bytes()
        runs: dict[str, list[Cost]] = {name: [] for name in ways}
        began, busy = time.perf_counter(), _busy_seconds()
        for _ in range(context.size.cluster_rounds):
            for name, way in ways.items():
                runs[name].append(way(files))
        seconds, busy = time.perf_counter() - began, _busy_seconds() - busy
        sent = two.sent_bytes() - before
    finally:
        for process in processes:
            process.close()
    ours = sum(cpu for costs in runs.values() for _, cpu in costs)
    n_docs = len(files) * context.size.cluster_files[1]
    written = sum(file.stat().st_size for file in (folder / "two-workers").glob("*.parquet"))
    return {
        "documents": n_docs,
        "numbers": _SETTINGS["n_dims"],
        "runs": runs,
        "bytes_sent_per_document": sent / (n_docs * context.size.cluster_rounds),
        "output_bytes_per_document": written / n_docs,
        "cores_taken_by_others": max(0.0, busy - ours) / seconds,
    }


def memory(context: Context) -> dict[str, Any]:
    """Peak of a fresh worker after few documents, after all, and after all as one partition."""
    _one_thread_per_process()
    model, files = _prepared(context)
    out = context.workspace / "cluster-output" / "memory"
    whole = context.workspace / "cluster-output" / "all.txt"
    whole.parent.mkdir(parents=True, exist_ok=True)
    with whole.open("wb") as joined:
        for file in files:
            joined.write(file.read_bytes())
    cluster = DaskCluster(1)
    peaks = {}
    try:
        for name, parts in {"few": files[:_FIT_FILES], "all": files, "whole": [whole]}.items():
            cluster.transform(model, parts, out)
            peaks[f"{name}_mb"] = cluster.peak_mb()
    finally:
        cluster.close()
        whole.unlink()
    per_file = context.size.cluster_files[1]
    few = per_file * min(_FIT_FILES, len(files))
    return {"few_documents": few, "documents": per_file * len(files), **peaks}


def tasks(context: Context) -> dict[str, Any]:
    """Milliseconds of processor time that client and scheduler spend on a task without work."""
    from psif.distributed.cluster import Cluster

    n_tasks = 2_000 if context.size.name == "full" else 100
    cluster = DaskCluster(2)
    try:
        queue = Cluster(cluster.client)
        began = time.process_time()
        queue.gather(queue.start(divmod, [(i, 7) for i in range(n_tasks)]))
        spent = time.process_time() - began
    finally:
        cluster.close()
    return {"tasks": n_tasks, "cpu_ms_per_task": 1e3 * spent / n_tasks}


def _one_thread_per_process() -> None:
    # As Dask's nanny does for its workers; the processes without a cluster inherit it.
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, "1"))


def _write_files(folder: Path, n_files: int, per_file: int) -> list[Path]:
    """Write generated documents into files, one document per line."""
    files = [folder / f"{i:04}.txt" for i in range(n_files)]
    documents = generated(n_files * per_file)
    for file in files:
        lines = (f"{text}\n" for text in islice(documents, per_file))
        with file.open("w", encoding="ascii") as out:
            out.writelines(lines)
    return files


def _prepared(context: Context) -> tuple[Path, list[Path]]:
    """Return the model and the files of :func:`fit`."""
    folder = context.workspace / FOLDER
    return folder / "model", sorted(folder.glob("*.txt"))


def _fit_here(files: Sequence[Path]) -> tuple[float, Any]:
    from psif import PSIF
    from psif.files.readers import read_documents

    settings: dict[str, Any] = {**_SETTINGS, "n_jobs": 1}
    began = time.perf_counter()
    model = PSIF(**settings).fit(document.text for document in read_documents(list(files)))
    return time.perf_counter() - began, model


def _busy_seconds() -> float:
    """Processor seconds that all processes of the machine have used."""
    import psutil

    times = psutil.cpu_times()
    idle = ("idle", "iowait", "guest", "guest_nice")
    return float(sum(times) - sum(getattr(times, name, 0.0) for name in idle))
