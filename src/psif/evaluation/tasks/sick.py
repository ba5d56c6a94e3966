"""SICK: pairs of captions, how related they are and whether one follows from the other."""

from __future__ import annotations

from psif.evaluation.tasks.base import PairData, Task, pairs


def load_sick() -> PairData:
    """Read the three splits."""
    return PairData({"test": pairs("sick/test")}, pairs("sick/train"), pairs("sick/trial"))


_SOURCE = "https://marcobaroni.org/composes/sick.html"
_CITATION = (
    "Marelli et al. (2014), SemEval-2014 task 1: evaluation of compositional distributional "
    "semantic models on full sentences."
)

RELATEDNESS = Task(
    name="sick-r",
    title="SICK relatedness: by cosine, and learned from training pairs",
    kind="relatedness",
    general_vectors=True,
    load=load_sick,
    source=_SOURCE,
    citation=_CITATION,
)
ENTAILMENT = Task(
    name="sick-e",
    title="SICK entailment, learned from training pairs",
    kind="entailment",
    general_vectors=True,
    load=load_sick,
    source=_SOURCE,
    citation=_CITATION,
)
