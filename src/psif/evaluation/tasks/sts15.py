"""STS 2015: similarity of sentences, the mean over 5 sub-tasks."""

from __future__ import annotations

from psif.evaluation.tasks.base import PairData, Task, pairs

_PARTS = ("answers-forums", "answers-students", "belief", "headlines", "images")

TASK = Task(
    name="sts15",
    title="STS 2015, similarity of sentences",
    kind="similarity",
    general_vectors=True,
    load=lambda: PairData({part: pairs(f"sts/STS15/{part}") for part in _PARTS}),
    source="https://ixa2.si.ehu.eus/stswiki",
    citation="Agirre et al. (2015), SemEval-2015 task 2: semantic textual similarity.",
)
