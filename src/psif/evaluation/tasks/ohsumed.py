"""Ohsumed: medical abstracts. One of several classes is repeated in each: 100 % is impossible."""

from __future__ import annotations

from psif.evaluation.tasks.base import Task, labelled

TASK = Task(
    name="ohsumed",
    title="Ohsumed, the first 10 disease classes of its first 20,000 abstracts",
    kind="classes",
    load=lambda: labelled("ohsumed10"),
    source="http://disi.unitn.it/moschitti/corpora.htm",
    citation=("Hersh et al. (1994), OHSUMED: an interactive retrieval evaluation, SIGIR."),
)
