"""psif on a Dask cluster."""

from __future__ import annotations

from statistics import median
from typing import Any

from benchmarks.report.section import Section
from benchmarks.results import Results

_WAYS = {
    "process": "the code of the workers in one process, no cluster",
    "pair": "the same in two processes at once, half of the files each",
    "one": "cluster, one worker",
    "two": "cluster, two workers",
    "plain": "cluster, one worker, Dask's own settings",
    "embed": "`psif embed --jobs 1`, which reads and writes in two more threads",
    "embed_2": "`psif embed --jobs 2`, likewise",
}
_COMPARISONS = {
    "overhead": "overhead of one worker over its own code without a cluster",
    "overhead_plain": "the same, with Dask's own settings",
    "overhead_over_embed": "overhead of one worker over `psif embed --jobs 1`",
    "efficiency": "efficiency from one worker to two",
    "ceiling": "efficiency from one process to two without a cluster: the limit of the machine",
    "two_over_pair": "overhead of two workers over two processes without a cluster",
    "two_over_embed_2": "overhead of two workers over `psif embed --jobs 2`",
}


def cluster_sections(results: Results) -> list[Section]:
    """Return the tables about a cluster of processes on one machine."""
    transform: Any = results.get("cluster/transform")
    made = [] if transform is None else [_ways(transform), _comparisons(transform, results)]
    return [*made, _fit(results)]


def comparisons(runs: dict[str, list[list[float]]]) -> dict[str, dict[str, float]]:
    """Compare the best times, the median times, and the least processor time of all processes."""
    kinds = {
        "best": ({name: min(wall for wall, _ in costs) for name, costs in runs.items()}, 2),
        "median": ({name: median(wall for wall, _ in costs) for name, costs in runs.items()}, 2),
        "cpu": ({name: min(cpu for _, cpu in costs) for name, costs in runs.items()}, 1),
    }
    return {
        kind: {
            "overhead": cost["one"] / cost["process"] - 1,
            "overhead_plain": cost["plain"] / cost["process"] - 1,
            "overhead_over_embed": cost["one"] / cost["embed"] - 1,
            "efficiency": cost["one"] / (processes * cost["two"]),
            "ceiling": cost["process"] / (processes * cost["pair"]),
            "two_over_pair": cost["two"] / cost["pair"] - 1,
            "two_over_embed_2": cost["two"] / cost["embed_2"] - 1,
        }
        for kind, (cost, processes) in kinds.items()
    }


def _ways(result: Any) -> Section:
    n_docs, runs = result["documents"], result["runs"]
    rows = []
    for way, title in _WAYS.items():
        walls, cpus = zip(*runs[way], strict=True)
        rows.append(
            [
                title,
                f"{min(walls):.2f}",
                f"{median(walls):.2f}",
                f"{1e6 / n_docs * min(walls):.1f}",
                f"{1e6 / n_docs * min(cpus):.1f}",
            ]
        )
    text = (
        f"{n_docs:,} generated documents of 100 words to {result['numbers']} numbers each. "
        f"{len(runs['one'])} rounds in which all take turns. CPU-seconds are those of all "
        "processes, client and scheduler included. Other programs took "
        f"{result['cores_taken_by_others']:.2f} of the cores meanwhile."
    )
    header = ["", "best s", "median s", "s per million", "CPU-s per million"]
    return Section("A Dask cluster: transform", text, [header, *rows])


def _comparisons(result: Any, results: Results) -> Section:
    kinds = comparisons(result["runs"])
    rows = [
        [text, *(f"{kinds[kind][key]:.0%}" for kind in ("best", "median", "cpu"))]
        for key, text in _COMPARISONS.items()
    ]
    notes = [
        f"Bytes that workers sent: {result['bytes_sent_per_document']:.1f} per document; "
        f"bytes written: {result['output_bytes_per_document']:.0f} per document."
    ]
    memory, tasks = results.get("cluster/memory"), results.get("cluster/tasks")
    if memory is not None:
        notes.append(
            f"Peak memory of a worker: {memory['few_mb']:.0f} MB after "
            f"{memory['few_documents']:,} documents, {memory['all_mb']:.0f} MB after "
            f"{memory['documents']:,}, {memory['whole_mb']:.0f} MB after as many in one partition."
        )
    if tasks is not None:
        notes.append(
            f"Client and scheduler spend {tasks['cpu_ms_per_task']:.1f} ms of CPU per task."
        )
    header = ["", "best times", "median times", "CPU"]
    return Section("A Dask cluster: overhead and efficiency", "", [header, *rows], notes=notes)


def _fit(results: Results) -> Section:
    result: Any = results.get("cluster/fit")
    if result is None:
        return Section("A Dask cluster: fit", "")
    same = "the same" if result["same_words"] else "different"
    text = (
        f"{result['documents']:,} generated documents, PPMI vectors of 100 numbers, 20 topics. The "
        f"vocabularies are {same}; the largest difference of a number in a vector is "
        f"{result['largest_difference']:.1e}. Workers sent "
        f"{result['bytes_sent_per_document']:,.0f} bytes per document."
    )
    grid = [
        ["", "seconds"],
        ["one process, one thread", f"{result['local_seconds']:.1f}"],
        ["cluster, two workers, loading compiled code", f"{result['cluster_seconds']:.1f}"],
    ]
    return Section("A Dask cluster: fit", text, grid)
