"""Twitter sentiment, 3 classes."""

from __future__ import annotations

from psif.evaluation.tasks.base import Task, labelled

TASK = Task(
    name="twitter",
    title="Twitter sentiment, 3 classes",
    kind="classes",
    load=lambda: labelled("twitter_sentiment"),
    source="Sanders tweet corpus, as prepared for the word mover papers",
    citation=("Sanders (2011), Sanders-Twitter sentiment corpus."),
    own_split=True,
)
