"""Reuters-21578 as the authors split it: all documents with a topic, 70 % to train, at random."""

from __future__ import annotations

import numpy as np

from psif.evaluation.tasks.base import Documents, LabelledData, Task, documents


def _load() -> LabelledData:
    parts = [documents(f"reuters21578_modapte/{part}", "labels") for part in _PARTS]
    texts = [text for part in parts for text in part.texts]
    labels = [tuple(found) for part in parts for found in part.labels]
    # A topic or more, and some text: what the authors keep.
    kept = [i for i in range(len(texts)) if labels[i] and texts[i].strip()]
    order = np.random.default_rng(42).permutation(len(kept)).tolist()
    n_test = round(0.3 * len(kept))
    together = Documents(texts, labels).take(kept)
    return LabelledData(together.take(order[n_test:]), together.take(order[:n_test]))


_PARTS = ("train", "test", "rest")

TASK = Task(
    name="reuters",
    title="Reuters-21578, several topics per document, random 70/30",
    kind="labels",
    load=_load,
    source="https://archive.ics.uci.edu/dataset/137/reuters+21578+text+categorization+collection",
    citation="Lewis (1997), Reuters-21578 text categorization collection, distribution 1.0.",
)
