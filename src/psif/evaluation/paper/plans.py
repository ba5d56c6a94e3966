"""What a reproduction runs when no method is named, and how long that may take.

It runs every method that a table of the paper has and that we can compute, and a few that the
paper does not have. Slow methods run only where they finish in minutes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from psif.baselines import METHODS
from psif.evaluation.paper.published import published, table
from psif.evaluation.runner.progress import Job
from psif.evaluation.tasks import GROUPS, TASKS

# Not in the paper: what a user would try first, P-SIF as published beside our settings, and P-SIF
# with columns of exact words, which is for documents.
ALSO = ("tfidf", "psif-plain", "psif-hybrid")
_FOR_DOCUMENTS = "psif-hybrid"
# The same, for retrieval and clustering.
_ALSO_RETRIEVAL = ("tfidf-svd",)
# Methods that take hours elsewhere: nearest neighbours by transport, mixtures of many documents.
# Other cells in their rows are as published.
SLOW: Mapping[str, tuple[str, ...]] = {
    "wmd": tuple(name for name in GROUPS["wmd"] if name not in ("20news", "recipe")),
    "scdv": (*GROUPS["sts"], "reuters", *GROUPS["wmd"]),
    "psif-gmm": ("sts12", "sts13", "sts14", "sts15", "sts16", "pit2015", "sick-r"),
}
# Methods that run under the protocol "paper" on these tasks only. Word vectors that have seen the
# test documents too change distances little; paragraph vectors take long. P-SIF as published is
# what "psif" is there, and the paper has no hybrid.
_PAPER_TOO: Mapping[str, tuple[str, ...]] = {
    "wmd": (),
    **dict.fromkeys(("boe", "lda", "tv-meanwv"), ("20news",)),
    **dict.fromkeys(("bowv", "twe", "pv-dm", "pv-dbow"), ("20news", "reuters")),
    **dict.fromkeys(("psif-plain", "psif-hybrid"), ()),
}
# Sets on which documents are also retrieved and clustered.
RETRIEVAL_SETS = ("bbcsport", "twitter", "ohsumed", "classic", "r8", "20news")

# Thousands of training and test documents, by task; for pairs, of sentences.
_DOCUMENTS = {
    "20news": 18.8, "reuters": 11.4, "bbcsport": 0.7, "twitter": 3.1, "ohsumed": 9.2,
    "classic": 7.1, "r8": 7.7, "amazon": 8.0, "recipe": 39.8, "sst2": 70.0, "sts12": 6.2,
    "sts13": 3.0, "sts14": 7.5, "sts15": 6.0, "sts16": 2.4, "stsb": 2.8, "sick-r": 20.0,
    "sick-e": 20.0, "pit2015": 2.0, "examples": 1.5,
}  # fmt: skip
# Seconds per thousand documents on two cores, as measured on R8, Reuters and 20 Newsgroups.
_RATES = {
    "psif": 5.0, "psif-plain": 5.0, "psif-hybrid": 5.0, "psif-doc2vecc": 6.0, "scdv": 5.0,
    "bowv": 5.0, "boe": 2.0, "doc2vecc": 3.0, "lda": 3.0, "twe": 3.0, "tv-meanwv": 3.0,
    "pv-dm": 5.0, "pv-dbow": 4.0, "wme": 0.8, "wmd": 30.0,
}  # fmt: skip
_USUAL_RATE = 1.0
# Documents of a few words each take less, unless there are too many for a Gram matrix.
_SHORT = {"recipe": 0.6, "twitter": 0.4}
# A pair is a cosine; where nothing is trained it costs little.
_PAIRS = 0.2
# Reading, tokenising and the like.
_ALWAYS = 2.0


def compared_methods(source: str, tasks: Iterable[str], metrics: Iterable[str]) -> tuple[str, ...]:
    """Methods of ours that a printed table has numbers of."""
    if source == "newsgroups_classes":
        tasks = [f"20news/{name}" for name in table(source)]
    places = [(task, metric) for task in tasks for metric in metrics]
    return tuple(
        name
        for name in METHODS
        if any(published(task, name, metric, only=source) for task, metric in places)
    )


def default_methods(tables: Sequence[Any], task: str, protocol: str) -> list[str]:
    """Methods to run on a task: those of the tables that have it, where they are quick."""
    found: dict[str, None] = {}
    for one in tables:
        if task in one.tasks:
            found |= dict.fromkeys(one.methods)
    if task in TASKS and TASKS[task].kind in ("classes", "labels"):
        found |= dict.fromkeys(ALSO)
        if TASKS[task].general_vectors:
            del found[_FOR_DOCUMENTS]
    if "retrieval" in measures(task, protocol):
        found |= dict.fromkeys(_ALSO_RETRIEVAL)
    if task in GROUPS["sts"]:
        # For the figure "gain over SIF by length".
        found["scdv"] = None
    return [
        name
        for name in found
        if task in SLOW.get(name, (task,))
        and (protocol != "paper" or task in _PAPER_TOO.get(name, (task,)))
    ]


def measures(task: str, protocol: str) -> tuple[str, ...]:
    """Classification everywhere; retrieval and clustering on some sets, under one protocol."""
    if task in RETRIEVAL_SETS and protocol == "inductive":
        return ("classification", "retrieval", "clustering")
    return ("classification",)


def expected_seconds(job: Job, n_splits: int = 5) -> float:
    """Estimate how long a job takes, to within a factor of two or three."""
    n_runs = min(n_splits, job.task.most_splits) if job.task.own_split else 1
    rate = _RATES.get(job.method, _USUAL_RATE)
    if job.task.kind not in ("classes", "labels"):
        rate *= _PAIRS
    rate *= _SHORT.get(job.task.name, 1.0)
    return n_runs * (_ALWAYS + rate * _DOCUMENTS.get(job.task.name, 5.0))
