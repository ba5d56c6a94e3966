"""Classic, abstracts of 4 collections."""

from __future__ import annotations

from psif.evaluation.tasks.base import Task, labelled

TASK = Task(
    name="classic",
    title="Classic, abstracts of 4 collections",
    kind="classes",
    load=lambda: labelled("classic4"),
    source="SMART collections CACM, CISI, CRAN, MED",
    citation=("Salton (1971), The SMART retrieval system."),
    own_split=True,
    most_splits=2,
)
