"""Reuters R8: newswire with one topic; the column "Reuters" of the word mover comparison."""

from __future__ import annotations

from psif.evaluation.tasks.base import Task, labelled

TASK = Task(
    name="r8",
    title="Reuters R8, 8 topics",
    kind="classes",
    load=lambda: labelled("reuters_r8"),
    source="https://ana.cachopo.org/datasets-for-single-label-text-categorization",
    citation=("Cardoso-Cachopo (2007), Improving methods for single-label text categorization."),
)
