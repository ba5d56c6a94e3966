"""Test documents as queries over the training documents, by cosine."""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.classify.linear.losses import Array
from psif.classify.linear.rare_columns import split_columns

# Queries at a time: a block of similarities to 30,000 documents is 30 MB.
_BLOCK = 256
NEIGHBOURS = 10


def retrieval_metrics(
    queries: Any, documents: Any, query_labels: Array, document_labels: Array
) -> dict[str, float]:
    """P@1, P@10, mean average precision, and accuracy of the 10 nearest neighbours' vote.

    Parameters
    ----------
    queries, documents : ndarray or CSR matrix with rows of unit length
    query_labels, document_labels : ndarray of int
        A document is relevant when it has the query's class. Queries whose class no document
        has count 0.

    Notes
    -----
    Average precision is over the whole ranking. A tied vote goes to the class with the nearer
    neighbours (sum of cosines). Equal cosines rank in document order.
    """
    top: list[Array] = []
    precisions: list[Array] = []
    votes: list[Array] = []
    parts = split_columns(documents)
    for begin in range(0, len(query_labels), _BLOCK):
        rows = slice(begin, begin + _BLOCK)
        block = queries[rows]
        cosines = _dense(block @ documents.T) if parts is None else parts.products(block)
        order = np.argsort(-cosines, axis=1, kind="stable")
        hits = document_labels[order] == query_labels[rows, None]
        top.append(hits[:, :NEIGHBOURS])
        precisions.append(average_precision(hits))
        near = order[:, :NEIGHBOURS]
        votes.append(_vote(document_labels[near], np.take_along_axis(cosines, near, axis=1)))
    first = np.concatenate(top)
    return {
        "retrieval P@1": 100 * float(first[:, 0].mean()),
        f"retrieval P@{NEIGHBOURS}": 100 * float(first.sum(axis=1).mean() / NEIGHBOURS),
        "retrieval mAP": 100 * float(np.concatenate(precisions).mean()),
        "k-NN accuracy": 100 * float(np.mean(np.concatenate(votes) == query_labels)),
    }


def average_precision(hits: Array) -> Array:
    """Mean, over the relevant documents of each ranking, of the precision at their place."""
    precision = np.cumsum(hits, axis=1) / np.arange(1, hits.shape[1] + 1)
    n_relevant = hits.sum(axis=1)
    total = (precision * hits).sum(axis=1)
    share = np.divide(total, n_relevant, out=np.zeros(len(hits)), where=n_relevant > 0)
    return np.asarray(share)


def _vote(labels: Array, cosines: Array) -> Array:
    n_classes = int(labels.max()) + 1
    rows = np.repeat(np.arange(len(labels)), labels.shape[1])
    counts = np.zeros((len(labels), n_classes))
    np.add.at(counts, (rows, labels.ravel()), 1)
    near = np.zeros_like(counts)
    np.add.at(near, (rows, labels.ravel()), cosines.ravel())
    # Cosines decide between equal counts only: their sum is scaled below one vote.
    result: Array = np.argmax(counts + near / (4 * labels.shape[1]), axis=1)
    return result


def _dense(block: Any) -> Array:
    return np.asarray(block.toarray() if hasattr(block, "toarray") else block)
