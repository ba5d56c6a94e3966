"""Things made once for several measurements: word vectors and a static table."""

from __future__ import annotations

from typing import Any

from benchmarks.jobs import Context


def train(context: Context) -> dict[str, Any]:
    """Train gensim's skip-gram vectors on the training documents."""
    from benchmarks.peers.sgns_average import train_shared

    texts = context.corpus().data.train.texts
    return train_shared(context.workspace, texts, context.size.epochs)


def distil(context: Context) -> dict[str, Any]:
    """Make the table of model2vec."""
    from benchmarks.peers.model2vec import FOLDER, make_table

    return make_table(context.workspace / FOLDER, context.size)
