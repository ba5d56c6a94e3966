"""SemEval-2015 Twitter: similarity of tweets, all 972 test pairs (debatable ones too)."""

from __future__ import annotations

from psif.evaluation.tasks.base import PairData, Task, pairs

TASK = Task(
    name="pit2015",
    title="SemEval-2015 task 1, similarity of tweets",
    kind="similarity",
    general_vectors=True,
    load=lambda: PairData({"test": pairs("pit2015/test")}),
    source="https://github.com/cocoxu/SemEval-PIT2015",
    citation=(
        "Xu, Callison-Burch, Dolan (2015), SemEval-2015 task 1: paraphrase and semantic "
        "similarity in Twitter."
    ),
)
