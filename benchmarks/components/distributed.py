"""psif on a local Dask cluster: overhead, efficiency, memory, bytes moved.

Generated documents of 100 words (50,000 different ones), in files of 5,000. Workers are processes
of one thread. Without a cluster the same work is done in processes of its own, which have no loop
of Dask beside them: by the workers' own code, in one process and in two at the same time (what the
machine can give at most), and by ``psif embed``. All take turns, round after round.

``python -m benchmarks.distributed [DOCUMENTS [ROUNDS]]``
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.components.report import table, write_results
from benchmarks.corpora import write_generated
from benchmarks.resources import peak_mb

DOCS_A_FILE = 5_000
N_DIMS = 128
FIT_FILES = 2
OPTIONS = {"n_topics": 20, "dim": 100, "n_dims": N_DIMS, "compact": "random", "random_state": 0}
NAMES = {
    "parts": "the workers' code in one process, no cluster",
    "pair": "the same in two processes at once, half of the files each",
    "one": "cluster, one worker",
    "two": "cluster, two workers",
    "plain": "cluster, one worker, Dask's own settings",
    "embed": "`psif embed --jobs 1`, which reads and writes in two more threads",
    "embed_2": "`psif embed --jobs 2`, likewise",
}

Cost = tuple[float, float]  # seconds, and CPU seconds


def make_files(folder: Path, n_docs: int) -> tuple[Path, list[Path]]:
    """Write documents as one file and as several."""
    source = folder / "all.txt"
    write_generated(source, n_docs)
    files = []
    with source.open(encoding="ascii") as lines:
        for i in range(n_docs // DOCS_A_FILE):
            files.append(folder / f"{i:04}.txt")
            with files[-1].open("w", encoding="ascii") as out:
                out.writelines(next(lines) for _ in range(DOCS_A_FILE))
    return source, files


def sent_bytes(dask_worker: Any) -> int:
    """Bytes that a worker sent, to others and to the client."""
    return int(dask_worker.transfer_outgoing_bytes_total)


class Cluster:
    """A local cluster, warm: kernels compiled, model loaded."""

    def __init__(self, n_workers: int, *, plain: bool = False) -> None:
        from distributed import Client, LocalCluster
        from psif.distributed.local import local_cluster

        if plain:
            options = {"dashboard_address": ":0", "silence_logs": 50}
            self.cluster = LocalCluster(n_workers=n_workers, threads_per_worker=1, **options)
        else:
            self.cluster = local_cluster(n_workers)
        self.client = Client(self.cluster)

    def close(self) -> None:
        """End its processes."""
        self.client.close()
        self.cluster.close()

    def transform(self, model: Path, files: list[Path], out: Path) -> Cost:
        """Embed; the CPU seconds are those of workers, scheduler and client together."""
        from psif import distributed

        shutil.rmtree(out, ignore_errors=True)
        began, cpu = time.perf_counter(), self._cpu()
        distributed.transform(model, files, client=self.client, out=out)
        return time.perf_counter() - began, self._cpu() - cpu

    def _cpu(self) -> float:
        return time.process_time() + sum(self.client.run(time.process_time).values())

    def fit(self, files: list[Path]) -> tuple[float, Any]:
        """Return seconds and the model."""
        from psif import PSIF, distributed

        began = time.perf_counter()
        model = distributed.fit(PSIF(**OPTIONS), files, client=self.client)
        return time.perf_counter() - began, model

    def state(self) -> dict[str, Any]:
        """Return memory and traffic so far."""
        peaks = self.client.run(peak_mb)
        return {
            "peak_mb": round(max(peaks.values())),
            "sent": sum(self.client.run(sent_bytes).values()),
        }


class Local:
    """A process without a cluster, that stays for the next run as a worker does."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(1, context, _as_in_a_worker)

    def start(self, function: Callable[..., Cost], *args: Any) -> Callable[[], Cost]:
        """Begin a run; call what is returned to wait for it."""
        return self._pool.submit(function, *args).result

    def close(self) -> None:
        """End it."""
        self._pool.shutdown()


def _as_in_a_worker() -> None:
    # What Dask's nanny sets; the workers' code looks at it when it sets up memory.
    os.environ["MALLOC_TRIM_THRESHOLD_"] = "65536"


def local_embed(model: Path, files: list[Path], out: Path, jobs: int) -> Cost:
    """Embed as the command line does."""
    from psif.cli.embedding import EmbedRun
    from psif.cli.fitting import FitPlan
    from psif.cli.messages import Messages
    from psif.files.readers import ReadOptions

    out.unlink(missing_ok=True)
    plan = FitPlan([str(file) for file in files], ReadOptions(), None, {}, 0)
    run = EmbedRun(plan, out, "float32", model, None, jobs, Messages(0))
    began, cpu = time.perf_counter(), time.process_time()
    run(resume=False)
    return time.perf_counter() - began, time.process_time() - cpu


def local_parts(model: Path, files: list[Path], out: Path) -> Cost:
    """Embed with the workers' own code, part by part."""
    from psif.distributed.output import Output
    from psif.distributed.transforming import embed_partition
    from psif.files.readers import ReadOptions

    shutil.rmtree(out, ignore_errors=True)
    output = Output(str(out))
    began, cpu = time.perf_counter(), time.process_time()
    output.begin({"bench": True}, model, overwrite=False)
    for i, file in enumerate(files):
        embed_partition(str(file), i, ReadOptions(), output, "key", "float32", None)
    return time.perf_counter() - began, time.process_time() - cpu


def local_pair(pair: list[Local], model: Path, files: list[Path], folder: Path) -> Cost:
    """Embed with the workers' own code in two processes that know nothing of each other."""
    halves = [files[i :: len(pair)] for i in range(len(pair))]
    began = time.perf_counter()
    waiting = [
        local.start(local_parts, model, half, folder / f"half-{i}")
        for i, (local, half) in enumerate(zip(pair, halves, strict=True))
    ]
    costs = [wait() for wait in waiting]
    return time.perf_counter() - began, sum(cpu for _, cpu in costs)


def busy_seconds() -> float:
    """CPU seconds that all processes of the machine have had."""
    import psutil

    times = psutil.cpu_times()
    return float(sum(times) - times.idle - times.iowait - times.guest - times.guest_nice)


def local_fit(files: list[Path]) -> tuple[float, Any]:
    from psif import PSIF
    from psif.files.readers import read_documents

    began = time.perf_counter()
    texts = (document.text for document in read_documents(files))
    model = PSIF(**OPTIONS, n_jobs=1).fit(texts)
    return time.perf_counter() - began, model


def measure_fit(cluster: Cluster, files: list[Path], saved: Path) -> dict[str, Any]:
    """Fit here and on the cluster, and save the model."""
    n_docs = len(files) * DOCS_A_FILE
    seconds, model = local_fit(files)
    model.save(saved)
    before = cluster.state()["sent"]
    other_seconds, other = cluster.fit(files)
    texts = files[0].read_text(encoding="ascii").splitlines()[:200]
    return {
        "documents": n_docs,
        "local": seconds,
        "two_workers": other_seconds,
        "bytes_sent_a_document": (cluster.state()["sent"] - before) / n_docs,
        "same_words": other.vocabulary_.words == model.vocabulary_.words,
        "largest_difference": float(abs(other.transform(texts) - model.transform(texts)).max()),
    }


def measure_tasks(cluster: Cluster, n_tasks: int = 2_000) -> float:
    """Return milliseconds of CPU that client and scheduler spend on a task of no work."""
    from psif.distributed.cluster import Cluster as Tasks

    tasks = Tasks(cluster.client)
    began = time.process_time()
    tasks.gather(tasks.start(divmod, [(i, 7) for i in range(n_tasks)]))
    return 1e3 * (time.process_time() - began) / n_tasks


def measure_memory(saved: Path, files: list[Path], whole: Path, out: Path) -> dict[str, int]:
    """Return the peak of a fresh worker after few documents, all, and all as one partition."""
    cluster = Cluster(1)
    peaks = {}
    for name, parts in {"few": files[:FIT_FILES], "all": files, "one_partition": [whole]}.items():
        cluster.transform(saved, parts, out)
        peaks[name] = cluster.state()["peak_mb"]
    cluster.close()
    return peaks


def measure_transform(two: Cluster, saved: Path, files: list[Path], rounds: int) -> dict[str, Any]:
    """Let all ways take turns."""
    folder, pair, embed = saved.parent, [Local(), Local()], Local()
    one, plain = Cluster(1), Cluster(1, plain=True)
    ways: dict[str, Callable[[list[Path]], Cost]] = {
        "parts": lambda files: pair[0].start(local_parts, saved, files, folder / "parts")(),
        "pair": lambda files: local_pair(pair, saved, files, folder),
        "one": lambda files: one.transform(saved, files, folder / "one"),
        "two": lambda files: two.transform(saved, files, folder / "two"),
        "plain": lambda files: plain.transform(saved, files, folder / "plain"),
        "embed": lambda files: embed.start(local_embed, saved, files, folder / "v.parquet", 1)(),
        "embed_2": lambda files: embed.start(local_embed, saved, files, folder / "v.parquet", 2)(),
    }
    assert list(ways) == list(NAMES)
    for way in ways.values():  # kernels compiled or loaded, in every process
        way(files[:4])
    before = two.state()["sent"]
    runs: dict[str, list[Cost]] = {name: [] for name in ways}
    began, busy = time.perf_counter(), busy_seconds()
    for _ in range(rounds):
        for name, way in ways.items():
            runs[name].append(way(files))
    seconds, busy = time.perf_counter() - began, busy_seconds() - busy
    ours = sum(cpu for costs in runs.values() for _, cpu in costs)
    n_docs = len(files) * DOCS_A_FILE
    written = sum(file.stat().st_size for file in (folder / "two").glob("*.parquet"))
    sent = two.state()["sent"] - before
    for process in (one, plain, embed, *pair):
        process.close()
    return {
        "documents": n_docs,
        "runs": runs,
        "bytes_sent_a_document": sent / (n_docs * rounds),
        "output_bytes_a_document": written / n_docs,
        "cores_taken_by_others": max(0.0, busy - ours) / seconds,
    }


def ratios(runs: dict[str, list[Cost]]) -> dict[str, Any]:
    """Compare the best of each, the medians, and the least CPU seconds (of all processes)."""
    best = {name: min(wall for wall, _ in costs) for name, costs in runs.items()}
    median = {name: statistics.median(wall for wall, _ in costs) for name, costs in runs.items()}
    cpu = {name: min(seconds for _, seconds in costs) for name, costs in runs.items()}
    compared: dict[str, Any] = {"best": best, "median": median, "cpu": cpu}
    for kind, cost, processes in (("best", best, 2), ("median", median, 2), ("cpu", cpu, 1)):
        compared[f"{kind}_ratios"] = {
            "overhead": cost["one"] / cost["parts"] - 1,
            "overhead_plain": cost["plain"] / cost["parts"] - 1,
            "overhead_over_embed": cost["one"] / cost["embed"] - 1,
            "efficiency": cost["one"] / (processes * cost["two"]),
            "ceiling": cost["parts"] / (processes * cost["pair"]),
            "two_over_pair": cost["two"] / cost["pair"] - 1,
            "two_over_embed_2": cost["two"] / cost["embed_2"] - 1,
        }
    return compared


def run(folder: Path, n_docs: int, rounds: int) -> dict[str, Any]:
    whole, files = make_files(folder, n_docs)
    saved = folder / "model"
    two = Cluster(2)
    fits = measure_fit(two, files[:FIT_FILES], saved)
    cpu_ms = measure_tasks(two)
    result = measure_transform(two, saved, files, rounds)
    two.close()
    peaks = measure_memory(saved, files, whole, folder / "memory")
    compared = ratios(result["runs"])
    return {**result, **compared, "cpu_ms_a_task": cpu_ms, "worker_peak_mb": peaks, "fit": fits}


def described(data: dict[str, Any]) -> str:
    """Lay the results out for readers."""
    n_docs, fits, peaks = data["documents"], data["fit"], data["worker_peak_mb"]
    rows = [
        [
            name,
            f"{data['best'][key]:.2f}",
            f"{data['median'][key]:.2f}",
            f"{1e6 / n_docs * data['best'][key]:.1f}",
            f"{1e6 / n_docs * data['cpu'][key]:.1f}",
        ]
        for key, name in NAMES.items()
    ]
    questions = {
        "overhead": "one worker over its own code without a cluster",
        "overhead_plain": "the same, with Dask's own settings",
        "overhead_over_embed": "one worker over `psif embed --jobs 1`",
        "efficiency": "efficiency from one worker to two",
        "ceiling": "efficiency from one process to two without a cluster: the machine's ceiling",
        "two_over_pair": "two workers over two processes without a cluster",
        "two_over_embed_2": "two workers over `psif embed --jobs 2`",
    }
    kinds = [data[f"{kind}_ratios"] for kind in ("best", "median", "cpu")]
    sections = [
        f"## Transform: {n_docs:,} documents of 100 words to {N_DIMS} numbers\n",
        table(["", "best s", "median s", "s a million documents", "CPU s a million"], rows),
        f"\n{len(data['runs']['one'])} rounds; seconds a million are from the best. Other "
        f"programs took {data['cores_taken_by_others']:.2f} of the machine's cores meanwhile.\n",
        table(
            ["", "best s", "median s", "CPU s"],
            [[text, *(f"{kind[key]:.0%}" for kind in kinds)] for key, text in questions.items()],
        ),
        "\nCPU seconds are those of all processes, client and scheduler included; a busy machine "
        f"changes them less. Peak memory of a worker: {peaks['few']} MB "
        f"after {FIT_FILES * DOCS_A_FILE:,} documents, {peaks['all']} MB after {n_docs:,}, "
        f"{peaks['one_partition']} MB after as many in a single partition. Bytes that workers "
        f"sent: {data['bytes_sent_a_document']:.1f} a document; written: "
        f"{data['output_bytes_a_document']:.0f} a document. Client and scheduler spend "
        f"{data['cpu_ms_a_task']:.1f} ms of CPU on a task.\n",
        f"## Fit: {fits['documents']:,} documents, PPMI of 100 dimensions, 20 topics\n",
        table(
            ["", "seconds"],
            [
                ["one machine, one thread", f"{fits['local']:.1f}"],
                ["cluster, two workers, compiled code loaded anew", f"{fits['two_workers']:.1f}"],
            ],
        ),
        f"\nSame vocabulary: {fits['same_words']}; largest difference of a number in a vector: "
        f"{fits['largest_difference']:.1e}. Bytes that workers sent: "
        f"{fits['bytes_sent_a_document']:,.0f} a document.",
    ]
    return "\n".join(sections)


def main() -> None:
    """Run and write results/distributed.{md,json}."""
    n_docs, rounds, *_ = [*map(int, sys.argv[1:]), *(200_000, 7)[len(sys.argv) - 1 :]]
    with tempfile.TemporaryDirectory(prefix="psif-bench-") as folder:
        data = run(Path(folder), n_docs, rounds)
    print(json.dumps(data), file=sys.stderr)
    packages = ["dask", "distributed"]
    write_results("distributed", "psif on a Dask cluster", described(data), data, packages)


if __name__ == "__main__":
    main()
