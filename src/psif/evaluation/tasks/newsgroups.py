"""20 Newsgroups: long posts, headers kept, a group each."""

from __future__ import annotations

from psif.evaluation.tasks.base import Task, labelled

TASK = Task(
    name="20news",
    title="20 Newsgroups, split by date, 20 groups",
    kind="classes",
    load=lambda: labelled("20news_bydate"),
    source="http://qwone.com/~jason/20Newsgroups/20news-bydate.tar.gz",
    citation=("Lang (1995), NewsWeeder: learning to filter netnews, ICML."),
)
