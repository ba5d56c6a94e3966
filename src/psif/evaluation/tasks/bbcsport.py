"""BBC Sport, 5 sports."""

from __future__ import annotations

from psif.evaluation.tasks.base import Task, labelled

TASK = Task(
    name="bbcsport",
    title="BBC Sport, 5 sports",
    kind="classes",
    load=lambda: labelled("bbcsport"),
    source="http://mlg.ucd.ie/datasets/bbc.html",
    citation=(
        "Greene, Cunningham (2006), Practical solutions to the problem of diagonal "
        "dominance in kernel document clustering, ICML."
    ),
    own_split=True,
)
