"""How much the core needs when much is asked of it: a large dictionary, memory by documents.

What compares with peers is measured by ``psif bench``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.components.report import measured, rows_as_table, write_results
from benchmarks.corpora import newsgroups

N_TOPICS = 40


def large_dictionary() -> list[float]:
    """Fit on 400,000 x 300 vectors with a cluster structure."""
    from psif.partitions.dictionary import Dictionary

    rng = np.random.default_rng(0)
    centres = rng.standard_normal((200, 300)).astype(np.float32)
    vectors = rng.standard_normal((400_000, 300), dtype=np.float32)
    vectors += 2 * centres[rng.integers(0, 200, len(vectors))]
    return Dictionary(N_TOPICS, max_iter=10, tol=0, random_state=0).fit(vectors).losses_


def fit_and_embed(fraction: int) -> dict[str, float]:
    """Fit on a part of the corpus and embed it in pieces, keeping none of them."""
    from psif import PSIF

    corpus = newsgroups()[::fraction]
    model = PSIF(tokenizer="paper", random_state=0).fit(corpus)
    for start in range(0, len(corpus), 256):
        model.transform(corpus[start : start + 256])
    return {"documents": len(corpus), "words": model.n_tokens_}


def main() -> None:
    """Run and write results/core.{md,json}."""
    large = measured(large_dictionary)
    sections = [
        "## A large dictionary\n",
        f"400,000 × 300 vectors, K = {N_TOPICS}, ten iterations: {large.seconds:.0f} s, "
        f"peak memory {large.peak_mb / 1024:.1f} GB (the vectors themselves are 0.45 GB).",
    ]
    data: dict[str, Any] = {
        "large_dictionary": {"seconds": large.seconds, "peak_mb": large.peak_mb}
    }
    runs = [measured(fit_and_embed, fraction) for fraction in (8, 4, 2, 1)]
    data["memory"] = [{**run.value, "seconds": run.seconds, "peak_mb": run.peak_mb} for run in runs]
    memory = [
        {
            "documents": f"{run.value['documents']:,}",
            "words": f"{run.value['words']:,}",
            "seconds": f"{run.seconds:.1f}",
            "peak MB": f"{run.peak_mb:.0f}",
        }
        for run in runs
    ]
    sections += [
        "\n## Peak memory of fit and transform, 20 Newsgroups, vectors not kept\n",
        rows_as_table(memory),
        "\nThe raw texts, held by the benchmark, are part of each figure.",
    ]
    write_results("core", "The core under load", "\n".join(sections), data)


if __name__ == "__main__":
    main()
