"""psif on a local Dask cluster: overhead, efficiency, memory, bytes moved.

Generated documents of 100 words (50,000 different ones), in files of 5,000. Workers are processes
of one thread. Runs with one worker, with two and without a cluster take turns.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.report import table, write_results
from psif.bench.corpora import write_generated
from psif.bench.machine import peak_mb

DOCS_A_FILE = 5_000
N_DIMS = 128
FIT_FILES = 2
OPTIONS = {"n_topics": 20, "dim": 100, "n_dims": N_DIMS, "compact": "random", "random_state": 0}


def make_files(folder: Path, n_docs: int) -> list[Path]:
    """Write documents as several files."""
    source = folder / "all.txt"
    write_generated(source, n_docs)
    files = []
    with source.open(encoding="ascii") as lines:
        for i in range(n_docs // DOCS_A_FILE):
            files.append(folder / f"{i:04}.txt")
            with files[-1].open("w", encoding="ascii") as out:
                out.writelines(next(lines) for _ in range(DOCS_A_FILE))
    source.unlink()
    return files


def sent_bytes(dask_worker: Any) -> int:
    """Bytes that a worker sent, to others and to the client."""
    return int(dask_worker.transfer_outgoing_bytes_total)


class Cluster:
    """A local cluster, warm: kernels compiled, model loaded."""

    def __init__(self, n_workers: int) -> None:
        from distributed import Client, LocalCluster

        self.cluster = LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            memory_limit="4GB",
            dashboard_address=":0",
            silence_logs=50,
        )
        self.client = Client(self.cluster)

    def close(self) -> None:
        """End its processes."""
        self.client.close()
        self.cluster.close()

    def transform(self, model: Path, files: list[Path], out: Path) -> tuple[float, float]:
        """Return seconds, and CPU seconds of workers, scheduler and client together."""
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


def local_embed(model: Path, files: list[Path], out: Path) -> tuple[float, float]:
    """Return seconds, and CPU seconds, of the single-machine path with one thread of embedding."""
    from psif.cli.embedding import EmbedRun
    from psif.cli.fitting import FitPlan
    from psif.cli.messages import Messages
    from psif.text.readers import ReadOptions

    out.unlink(missing_ok=True)
    plan = FitPlan([str(file) for file in files], ReadOptions(), None, {}, 0)
    run = EmbedRun(plan, out, "float32", model, None, 1, Messages(0))
    began, cpu = time.perf_counter(), time.process_time()
    run(resume=False)
    return time.perf_counter() - began, time.process_time() - cpu


def local_parts(model: Path, files: list[Path], out: Path) -> tuple[float, float]:
    """Return seconds, and CPU seconds, of the workers' own code called here, part by part."""
    from psif.distributed.output import Output
    from psif.distributed.transforming import embed_partition
    from psif.text.readers import ReadOptions

    shutil.rmtree(out, ignore_errors=True)
    output = Output(str(out))
    began, cpu = time.perf_counter(), time.process_time()
    output.begin({"bench": True}, model, overwrite=False)
    for i, file in enumerate(files):
        embed_partition(str(file), i, ReadOptions(), output, "key", "float32", None)
    return time.perf_counter() - began, time.process_time() - cpu


def local_fit(files: list[Path]) -> tuple[float, Any]:
    from psif import PSIF
    from psif.text.readers import read_documents

    began = time.perf_counter()
    texts = (document.text for document in read_documents(files))
    model = PSIF(**OPTIONS, n_jobs=1).fit(texts)
    return time.perf_counter() - began, model


def run(folder: Path, n_docs: int, repeats: int) -> dict[str, Any]:
    files = make_files(folder, n_docs)
    some = files[:FIT_FILES]
    fits: dict[str, Any] = {"documents": len(some) * DOCS_A_FILE}
    fits["local"], model = local_fit(some)
    saved = folder / "model"
    model.save(saved)
    one, two = Cluster(1), Cluster(2)
    for cluster in (one, two):
        cluster.transform(saved, files[:4], folder / "warm")
    before = two.state()["sent"]
    fits["two_workers"], other = two.fit(some)
    fits["bytes_sent_a_document"] = (two.state()["sent"] - before) / fits["documents"]
    fits["same_words"] = other.vocabulary_.words == model.vocabulary_.words
    texts = files[0].read_text(encoding="ascii").splitlines()[:200]
    fits["largest_difference"] = float(abs(other.transform(texts) - model.transform(texts)).max())
    runs: dict[str, list[tuple[float, float]]] = {"embed": [], "parts": [], "one": [], "two": []}
    small = Cluster(1)
    small.transform(saved, some, folder / "warm")
    few = small.state()["peak_mb"]
    small.transform(saved, files, folder / "warm")
    many = small.state()["peak_mb"]
    small.close()
    before = two.state()["sent"]
    for _ in range(repeats):
        runs["parts"].append(local_parts(saved, files, folder / "parts"))
        runs["one"].append(one.transform(saved, files, folder / "one"))
        runs["two"].append(two.transform(saved, files, folder / "two"))
        runs["embed"].append(local_embed(saved, files, folder / "v.parquet"))
    sent = (two.state()["sent"] - before) / (n_docs * repeats)
    best = {name: min(wall for wall, _ in times) for name, times in runs.items()}
    cpu = {name: min(seconds for _, seconds in times) for name, times in runs.items()}
    result = {
        "documents": n_docs,
        "runs": runs,
        "best": best,
        "cpu": cpu,
        "cpu_efficiency": cpu["one"] / cpu["two"],
        "cpu_overhead": cpu["one"] / cpu["parts"] - 1,
        "efficiency": best["one"] / (2 * best["two"]),
        "overhead": best["one"] / best["parts"] - 1,
        "bytes_sent_a_document": sent,
        "worker_peak_mb": {len(some) * DOCS_A_FILE: few, n_docs: many},
        "output_bytes_a_document": sum(
            file.stat().st_size for file in (folder / "two").glob("*.parquet")
        ) / n_docs,
        "load_average": os.getloadavg()[0],
        "fit": fits,
    }  # fmt: skip
    one.close()
    two.close()
    return result


def main() -> None:
    """Run and write results/distributed.{md,json}."""
    n_docs = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    with tempfile.TemporaryDirectory(prefix="psif-bench-") as folder:
        data = run(Path(folder), n_docs, repeats=2)
    print(json.dumps(data), file=sys.stderr)
    best, fits = data["best"], data["fit"]
    names = {
        "parts": "the workers' code in one process, no cluster",
        "embed": "`psif embed --jobs 1`, which reads and writes in two more threads",
        "one": "cluster, one worker",
        "two": "cluster, two workers",
    }
    rows = [
        [
            name,
            f"{best[key]:.1f}",
            f"{statistics.median(wall for wall, _ in data['runs'][key]):.1f}",
            f"{1e6 / n_docs * best[key]:.0f}",
            f"{1e6 / n_docs * data['cpu'][key]:.0f}",
        ]
        for key, name in names.items()
    ]
    peaks = ", ".join(f"{mb} MB after {int(n):,}" for n, mb in data["worker_peak_mb"].items())
    sections = [
        f"## Transform: {n_docs:,} documents of 100 words to {N_DIMS} numbers\n",
        table(["", "best s", "median s", "s a million documents", "CPU s a million"], rows),
        f"\nEfficiency from one to two workers: **{data['efficiency']:.0%}**. Overhead of a "
        f"cluster of one worker over the same code without one: **{data['overhead']:.0%}**. "
        f"In CPU seconds, which a busy machine hardly changes: efficiency "
        f"**{data['cpu_efficiency']:.0%}**, overhead **{data['cpu_overhead']:.0%}**. "
        f"Peak memory of a worker: {peaks} documents. Bytes that workers sent: "
        f"{data['bytes_sent_a_document']:.1f} a document; written: "
        f"{data['output_bytes_a_document']:.0f} a document.\n",
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
        f"{fits['bytes_sent_a_document']:,.0f} a document.\n",
        f"Load of the machine at the end: {data['load_average']:.1f}. Above 2 or 3 it was shared "
        "with other work, and wall times say little; CPU seconds then are what to look at.",
    ]
    write_results(
        "distributed", "psif on a Dask cluster", "\n".join(sections), data, ["dask", "distributed"]
    )


if __name__ == "__main__":
    main()
