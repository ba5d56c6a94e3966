"""The paper's qualitative tables: pairs of captions where P-SIF or SIF is closer to the truth.

With t the given score over 5, c the cosine and e = |c - t| the error of a method, the tables print
the errors of both methods, their difference, and the difference as a share of the larger error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from psif.evaluation.paper.published import table
from psif.evaluation.runner.results import Result
from psif.evaluation.tasks import sts12
from psif.evaluation.tasks.base import PairData, Task, pairs

# The pair that the paper works through: a man on a motorcycle, a woman on a horse.
WORKED = "16"


class Example(NamedTuple):
    """A pair of sentences and the numbers that the paper prints for it."""

    number: str
    closer: str
    left: str
    right: str
    truth: float
    sif: float
    psif: float


@cache
def examples() -> tuple[Example, ...]:
    """All pairs of both tables. The first is whole here; in print it lacks two words."""
    return tuple(
        Example(
            row["number"], row["closer"], row["left"], row["right"],
            float(row["truth"]), float(row["SIF"]), float(row["P-SIF"]),
        )
        for row in table("examples").values()
    )  # fmt: skip


def worked_sentences() -> tuple[str, str]:
    """Return the pair that the paper works through."""
    (found,) = (example for example in examples() if example.number == WORKED)
    return found.left, found.right


TASK = Task(
    name="examples",
    title="STS 2012, MSRvid: the pairs that the paper shows",
    kind="examples",
    general_vectors=True,
    load=lambda: PairData(
        {"MSRvid": pairs("sts/STS12/MSRvid")},
        examples={example.number: (example.left, example.right) for example in examples()},
    ),
    source=sts12.TASK.source,
    citation=sts12.TASK.citation,
)


def example_grid(
    results: Iterable[Result], protocols: Sequence[str], closer: str
) -> list[list[str]]:
    """Header and cells of one of the two tables: as printed, then ours by protocol."""
    cosine = {
        (r.protocol, r.method, r.task.partition("/")[2]): r.score
        for r in results
        if r.metric == "cosine"
    }
    names = ["SIF", "P-SIF", "difference", "relative"]
    header = ["sentence 1", "sentence 2", "truth", *(f"{name}, published" for name in names)]
    for protocol in protocols:
        header += [f"{name}, ours ({protocol})" for name in names]
    grid = [header]
    for example in examples():
        if example.closer != closer:
            continue
        cells = [example.left, example.right, f"{example.truth:.2f}"]
        cells += _errors(example, example.sif, example.psif)
        for protocol in protocols:
            ours = [cosine.get((protocol, name, example.number)) for name in ("sif", "psif")]
            cells += _errors(example, *ours)
        grid.append(cells)
    return grid


def _errors(example: Example, sif: float | None, psif: float | None) -> list[str]:
    """Both cosines, and by how much the one that the paper finds closer is closer."""
    if sif is None or psif is None:
        return [""] * 4
    near, far = abs(psif - example.truth), abs(sif - example.truth)
    if example.closer == "SIF":
        near, far = far, near
    larger = max(near, far)
    share = (far - near) / larger if larger else 0.0
    return [f"{sif:.2f}", f"{psif:.2f}", f"{far - near:+.3f}", f"{share:+.2f}"]
