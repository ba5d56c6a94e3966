"""Rank the documents of a collection for its queries, and measure the rankings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from psif.baselines import METHODS
from psif.errors import InputError
from psif.evaluation.metrics.ranking import N_RANKED, ranking_metrics
from psif.evaluation.runner.build import MethodBuilder
from psif.evaluation.scoring.features import unit_features
from psif.evaluation.tasks.search import SearchData

# Queries at a time: a block of scores of a million documents is 64 MB.
_BLOCK = 16


def score_search(name: str, data: SearchData, builder: MethodBuilder) -> dict[str, float]:
    """Measure the rankings of a method."""
    return ranking_metrics(rank_documents(name, data, builder), data.judgements)


def rank_documents(name: str, data: SearchData, builder: MethodBuilder) -> dict[str, list[str]]:
    """Learn from the documents alone, and rank them for every judged query.

    Methods that give vectors rank by cosine, equal ones in the order of the documents.
    """
    kind = METHODS[builder.method].kind
    if kind not in ("vectors", "ranking") or METHODS[builder.method].needs_labels:
        raise InputError(f"{builder.method} gives no ranking of documents; {name} needs one.")
    if builder.protocol.transductive:
        raise InputError(f"{name} is no task of the paper: use the protocol inductive.")
    judged = [query for query in data.queries if query in data.judgements]
    texts = [data.queries[query] for query in judged]
    documents = list(data.documents.values())
    model = builder.fit(documents)
    builder.check_coverage(model, texts, name)
    if kind == "ranking":
        places = model.rank(texts, N_RANKED)
    else:
        places = _by_cosine(model.transform(texts), model.transform(documents))
    ids = list(data.documents)
    return {
        query: [ids[place] for place in found] for query, found in zip(judged, places, strict=True)
    }


def _by_cosine(queries: Any, documents: Any) -> list[Sequence[int]]:
    queries, documents = unit_features(queries), unit_features(documents)
    places: list[Sequence[int]] = []
    for begin in range(0, queries.shape[0], _BLOCK):
        block = queries[begin : begin + _BLOCK] @ documents.T
        cosines = np.asarray(block.toarray() if hasattr(block, "toarray") else block)
        order = np.argsort(-cosines, axis=1, kind="stable")[:, :N_RANKED]
        places += [
            [int(doc) for doc in row if scores[doc] > 0]
            for row, scores in zip(order, cosines, strict=True)
        ]
    return places
