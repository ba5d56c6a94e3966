"""Choosing the partition and the number of topics."""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.errors import InputError
from psif.partitions.base import Partition
from psif.partitions.clusters import Clusters
from psif.partitions.dictionary import Dictionary
from psif.partitions.mixture import Mixture
from psif.partitions.single import SinglePartition
from psif.types import FloatMatrix

PARTITIONS = ("ksvd", "gmm", "kmeans", "auto")

# "Single sentences of a maximum length of 40 words" (the paper, on similarity data).
LONGEST_SENTENCE = 40
_CANDIDATES = (5, 10, 15, 20, 30, 40, 60, 80, 120)
# The shape of the loss curve shows on this many (the most frequent) words.
_MOST_WORDS_TO_TRY = 5_000


def choose_partition(name: str, *, n_short: int, n_docs: int) -> str:
    """Resolve "auto": a mixture for single-sentence corpora, else a dictionary.

    A corpus counts as single sentences when nine documents in ten are short: have at most 40
    words, the length below which the paper finds mixtures better.
    """
    if name not in PARTITIONS:
        raise InputError(f"partition must be one of {', '.join(PARTITIONS)}; got {name!r}.")
    if name != "auto":
        return name
    return "gmm" if 10 * n_short >= 9 * n_docs else "ksvd"


def make_partition(
    name: str,
    n_topics: int,
    *,
    n_active: int | None,
    random_state: int,
    n_jobs: int | None,
) -> Partition:
    """Build the partition called ``name``; one topic is SIF whatever the name."""
    if n_topics == 1:
        return SinglePartition()
    if name == "kmeans":
        return Clusters(n_topics, random_state=random_state)
    if name == "gmm":
        return Mixture(n_topics, n_active=n_active, random_state=random_state, n_jobs=n_jobs)
    return Dictionary(n_topics, n_active=n_active, random_state=random_state, n_jobs=n_jobs)


def choose_n_topics(
    vectors: FloatMatrix, *, random_state: int = 0, n_jobs: int | None = None
) -> tuple[int, dict[int, float]]:
    """Choose K by reconstruction loss; also return the loss of every candidate.

    With k = K // 2 the loss only ever falls as K grows, so its minimum (the paper's words) would
    always be the largest candidate. We take the knee: the K whose loss lies farthest below the
    straight line from the smallest candidate to the largest.
    """
    sample = vectors[:_MOST_WORDS_TO_TRY]
    # A topic should be shared by several words, and two atoms a dimension are plenty.
    limit = max(1, min(len(sample) // 5, 2 * vectors.shape[1]))
    candidates = [k for k in _CANDIDATES if k <= limit]
    if len(candidates) < 3:
        return (candidates or [1])[-1], {}
    options: dict[str, Any] = {"max_iter": 3, "random_state": random_state, "n_jobs": n_jobs}
    losses = {k: min(Dictionary(k, **options).fit(sample).losses_) for k in candidates}
    return candidates[knee(np.array(candidates), np.array(list(losses.values())))], losses


def knee(x: np.ndarray, y: np.ndarray) -> int:
    """Index of the point of a falling curve farthest below the chord between its ends."""
    if y[0] <= y[-1]:
        return 0
    across = (x - x[0]) / (x[-1] - x[0])
    down = (y[0] - y) / (y[0] - y[-1])
    return int(np.argmax(down - across))
