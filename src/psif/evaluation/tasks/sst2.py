"""Stanford sentiment, two classes: trained on all phrases, C chosen on the development set."""

from __future__ import annotations

from psif.evaluation.tasks.base import LabelledData, Task, documents


def _load() -> LabelledData:
    return LabelledData(*(documents(f"sst2/{split}") for split in ("train", "test", "dev")))


TASK = Task(
    name="sst2",
    title="Stanford Sentiment Treebank, positive or negative",
    kind="classes",
    general_vectors=True,
    load=_load,
    source="https://nlp.stanford.edu/sentiment/",
    citation=(
        "Socher et al. (2013), Recursive deep models for semantic compositionality over a "
        "sentiment treebank, EMNLP."
    ),
)
