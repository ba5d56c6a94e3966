"""Recipe-L: lists of ingredients, a cuisine each."""

from __future__ import annotations

from psif.evaluation.tasks.base import Task, labelled

TASK = Task(
    name="recipe",
    title="Recipe-L, 20 cuisines",
    kind="classes",
    load=lambda: labelled("recipe_l"),
    source="https://www.kaggle.com/competitions/whats-cooking",
    citation=("Kaggle (2015), What's cooking?"),
    own_split=True,
    most_splits=2,
)
