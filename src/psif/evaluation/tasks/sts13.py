"""STS 2013: similarity of sentences. The fourth sub-task, SMT, is under licence and left out."""

from __future__ import annotations

from psif.evaluation.tasks.base import PairData, Task, pairs

_PARTS = ("headlines", "OnWN", "FNWN")

TASK = Task(
    name="sts13",
    title="STS 2013, similarity of sentences",
    kind="similarity",
    general_vectors=True,
    load=lambda: PairData({part: pairs(f"sts/STS13/{part}") for part in _PARTS}),
    source="https://ixa2.si.ehu.eus/stswiki",
    citation="Agirre et al. (2013), *SEM 2013 shared task: semantic textual similarity.",
)
