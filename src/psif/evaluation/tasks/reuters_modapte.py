"""Reuters-21578, the ModApte split and its 90 topics with training and test documents."""

from __future__ import annotations

import json

from psif.evaluation.data.folders import data_file
from psif.evaluation.tasks.base import Documents, LabelledData, Task, documents


def _load() -> LabelledData:
    path = data_file("reuters21578_modapte/r90_labels.json")
    wanted = set(json.loads(path.read_text(encoding="utf-8")))
    return LabelledData(_part("train", wanted), _part("test", wanted))


def _part(name: str, wanted: set[str]) -> Documents:
    found = documents(f"reuters21578_modapte/{name}", "labels")
    labels = [tuple(label for label in row if label in wanted) for row in found.labels]
    kept = [i for i in range(len(labels)) if labels[i]]
    return Documents(found.texts, labels).take(kept)


TASK = Task(
    name="reuters-modapte",
    title="Reuters-21578, several topics per document, ModApte split, 90 topics",
    kind="labels",
    load=_load,
    source="https://archive.ics.uci.edu/dataset/137/reuters+21578+text+categorization+collection",
    citation="Lewis (1997), Reuters-21578 text categorization collection, distribution 1.0.",
)
