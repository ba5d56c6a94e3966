"""How good the vectors are, so that nobody is fast by being bad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.jobs import Context
from benchmarks.peers import peer_class
from benchmarks.peers.base import Peer


def classify(context: Context, peer: str) -> dict[str, Any]:
    """Accuracy of a linear SVM on test documents; C is chosen by folds of the others."""
    from psif.classify.rules import BY_F1
    from psif.evaluation.scoring.classes import code_classes, score_vectors
    from psif.evaluation.scoring.features import unit_features

    corpus = context.corpus()
    method = peer_class(peer)(context.workspace, context.size)
    method.load(context.model_folder(peer))
    known = unit_features(_vectors(method, corpus.data.train.texts))
    tested = unit_features(_vectors(method, corpus.data.test.texts))
    # One loss, half the time; and the numbers of earlier runs stay comparable.
    outcome = score_vectors(known, tested, code_classes(corpus.data), rules=BY_F1)
    return {"corpus": corpus.name, "accuracy": outcome.metrics["accuracy"]}


def _vectors(method: Peer, texts: Sequence[str]) -> Any:
    """Embed in pieces, for peers that pad all texts of a call to the longest."""
    from scipy.sparse import issparse, vstack

    parts = [method.embed(texts[i : i + 256]) for i in range(0, len(texts), 256)]
    return vstack(parts, format="csr") if issparse(parts[0]) else np.concatenate(parts)


def similarity(context: Context, peer: str) -> dict[str, Any]:
    """Pearson correlation (x 100) of cosines with the scores of the STS Benchmark's test pairs.

    Methods that learn are fitted on sentences of other sets (protocol inductive of ``psif eval``).
    """
    from psif.evaluation.data.background import background_sentences
    from psif.evaluation.scoring.pairs import score_similarity
    from psif.evaluation.tasks.stsb import TASK

    data: Any = TASK.load()
    method = peer_class(peer)(context.workspace, context.size)
    method.fit(background_sentences() if method.learns else [])
    return {"corpus": TASK.title, **score_similarity(method, data.parts["test"])}
