"""Amazon reviews, 4 kinds of product."""

from __future__ import annotations

from psif.evaluation.tasks.base import Task, labelled

TASK = Task(
    name="amazon",
    title="Amazon reviews, 4 kinds of product",
    kind="classes",
    load=lambda: labelled("amazon"),
    source="https://www.cs.jhu.edu/~mdredze/datasets/sentiment/",
    citation=(
        "Blitzer, Dredze, Pereira (2007), Biographies, Bollywood, boom-boxes and blenders, ACL."
    ),
    own_split=True,
    most_splits=2,
)
