"""STS 2014: similarity of sentences, the mean over 6 sub-tasks."""

from __future__ import annotations

from psif.evaluation.tasks.base import PairData, Task, pairs

_PARTS = ("deft-forum", "deft-news", "headlines", "images", "OnWN", "tweet-news")

TASK = Task(
    name="sts14",
    title="STS 2014, similarity of sentences",
    kind="similarity",
    general_vectors=True,
    load=lambda: PairData({part: pairs(f"sts/STS14/{part}") for part in _PARTS}),
    source="https://ixa2.si.ehu.eus/stswiki",
    citation="Agirre et al. (2014), SemEval-2014 task 10: multilingual textual similarity.",
)
