"""STS 2012: similarity of sentences, the mean over 5 sub-tasks."""

from __future__ import annotations

from psif.evaluation.tasks.base import PairData, Task, pairs

_PARTS = ("MSRpar", "MSRvid", "SMTeuroparl", "OnWN", "SMTnews")

TASK = Task(
    name="sts12",
    title="STS 2012, similarity of sentences",
    kind="similarity",
    general_vectors=True,
    load=lambda: PairData({part: pairs(f"sts/STS12/{part}") for part in _PARTS}),
    source="https://ixa2.si.ehu.eus/stswiki",
    citation="Agirre et al. (2012), SemEval-2012 task 6: a pilot on semantic textual similarity.",
)
