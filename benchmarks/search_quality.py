"""How good search is on the two shared collections: all, odd-numbered and even-numbered queries.

``python -m benchmarks.search_quality`` prints nDCG@10 of every method. Settings of the index were
chosen on odd-numbered queries; the even-numbered ones say what is left on others.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from psif.evaluation.metrics.ranking import ranking_metrics
from psif.evaluation.runner.build import MethodBuilder
from psif.evaluation.runner.protocols import NEIGHBOURS, PROTOCOLS
from psif.evaluation.scoring.search import rank_documents
from psif.evaluation.tasks.search import CRANFIELD, NPL, SearchData

METHODS = ("bm25", "bm25-stemmed", "tfidf", "sif", "psif", "hybrid")


def halves(data: SearchData) -> dict[str, dict[str, Mapping[str, float]]]:
    """Judgements of all queries, of the first, third and so on, and of the others."""
    judged = [query for query in data.queries if query in data.judgements]
    return {
        name: {query: data.judgements[query] for query in chosen}
        for name, chosen in (("all", judged), ("odd", judged[::2]), ("even", judged[1::2]))
    }


def measure(method: str, data: SearchData, name: str) -> dict[str, float]:
    """Return nDCG@10 by half, with judgements as gains, and all queries with gains 2^g - 1."""
    builder = MethodBuilder(method, PROTOCOLS["inductive"], NEIGHBOURS, {}, 0, None, print)
    rankings = rank_documents(name, data, builder)
    found = {half: ranking_metrics(rankings, part) for half, part in halves(data).items()}
    scores = {half: metrics["nDCG@10"] for half, metrics in found.items()}
    return {**scores, "all, 2^g-1": found["all"]["nDCG@10 (2^g-1)"]}


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--methods", default=",".join(METHODS), help="With commas between them.")
    options = parser.parse_args()
    tasks = (CRANFIELD, NPL)
    columns = [f"{task.name} {half}" for task in tasks for half in ("all", "odd", "even", "2^g-1")]
    print("| method | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    collections = [task.load() for task in tasks]
    for method in options.methods.split(","):
        row = [
            f"{score:.1f}"
            for task, data in zip(tasks, collections, strict=True)
            for score in measure(method, data, task.name).values()
        ]
        print(f"| {method} | " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
