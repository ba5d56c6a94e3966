"""STS 2016: similarity of sentences, the mean over 5 sub-tasks."""

from __future__ import annotations

from psif.evaluation.tasks.base import PairData, Task, pairs

_PARTS = ("headlines", "plagiarism", "postediting", "answer-answer", "question-question")

TASK = Task(
    name="sts16",
    title="STS 2016, similarity of sentences",
    kind="similarity",
    general_vectors=True,
    load=lambda: PairData({part: pairs(f"sts/STS16/{part}") for part in _PARTS}),
    source="https://ixa2.si.ehu.eus/stswiki",
    citation="Agirre et al. (2016), SemEval-2016 task 1: semantic textual similarity.",
)
