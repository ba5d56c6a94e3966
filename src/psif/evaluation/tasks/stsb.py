"""STS Benchmark, its test split. Many of its pairs are also in STS 2012 to 2016."""

from __future__ import annotations

from psif.evaluation.tasks.base import PairData, Task, pairs


def _load() -> PairData:
    return PairData({"test": pairs("stsb/test")}, pairs("stsb/train"), pairs("stsb/dev"))


TASK = Task(
    name="stsb",
    title="STS Benchmark, similarity of sentences",
    kind="similarity",
    general_vectors=True,
    load=_load,
    source="https://ixa2.si.ehu.eus/stswiki/index.php/STSbenchmark",
    citation=(
        "Cer et al. (2017), SemEval-2017 task 1: semantic textual similarity, multilingual and "
        "crosslingual focused evaluation."
    ),
)
