"""Does the paper hold? Its claims one by one, as printed and as we find them.

A claim says that one method is better than another. Each is answered by all sets on which both
are scored: the mean difference, and on how many sets the difference is above zero. It *holds* if
the mean is above zero and at least four sets in five are; *in part* if only the mean is; *not*
otherwise. Differences that seeds were run for also have a paired test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from psif.evaluation.paper.grids import Grid
from psif.evaluation.paper.length_figure import Bar
from psif.evaluation.paper.published import published
from psif.evaluation.paper.seed_table import LEVEL, SeedRow
from psif.evaluation.runner.results import Result
from psif.evaluation.tasks import GROUPS

_DOCUMENTS = (("reuters", "P@1"), *((task, "accuracy") for task in GROUPS["wmd"]))
_SENTENCES = tuple((task, "pearson") for task in GROUPS["sts"])
_PAIRS = (("sick-r", "supervised pearson"), ("sick-e", "accuracy"), ("sst2", "accuracy"))
_HOLDS = 0.8
# P-SIF as published, by protocol; under "paper" that is what "psif" is.
_PUBLISHED_FORM = {"inductive": {"psif": "psif-plain"}}


@dataclass(frozen=True)
class Claim:
    """One method is better than another on some sets."""

    text: str
    method: str
    other: str
    places: tuple[tuple[str, str], ...]
    in_paper: bool = True


CLAIMS = (
    Claim("Documents: P-SIF is better than SIF", "psif", "sif", _DOCUMENTS),
    Claim("Documents: P-SIF is better than SCDV", "psif", "scdv", _DOCUMENTS),
    Claim("Documents: P-SIF is better than word mover's embeddings", "psif", "wme", _DOCUMENTS),
    Claim(
        "Documents: with Doc2VecC vectors P-SIF is better than Doc2VecC alone",
        "psif-doc2vecc", "doc2vecc", _DOCUMENTS,
    ),
    Claim(
        "Documents: P-SIF is better with Doc2VecC vectors than with skip-gram vectors",
        "psif-doc2vecc", "psif", _DOCUMENTS,
    ),
    Claim("Sentences: P-SIF is better than SIF", "psif", "sif", _SENTENCES),
    Claim("Sentences: P-SIF is better than uSIF", "psif", "usif", _SENTENCES),
    Claim("Learned from pairs and labels: P-SIF is better than SIF", "psif", "sif", _PAIRS),
    Claim(
        "Documents: P-SIF is better than TF-IDF (the paper does not compare them)",
        "psif", "tfidf", _DOCUMENTS, in_paper=False,
    ),
)  # fmt: skip


class Finding(NamedTuple):
    """Differences of a claim on the sets that have both methods."""

    differences: tuple[float, ...]

    @property
    def verdict(self) -> str:
        """Return "holds", "in part", "not", or "" where nothing is known."""
        if not self.differences:
            return ""
        if np.mean(self.differences) <= 0:
            return "not"
        above = sum(difference > 0 for difference in self.differences)
        return "holds" if above >= _HOLDS * len(self.differences) else "in part"

    def __str__(self) -> str:
        if not self.differences:
            return "–"
        above = sum(difference > 0 for difference in self.differences)
        mean = float(np.mean(self.differences))
        return f"{mean:+.1f}, above on {above} of {len(self.differences)}"


def verdict_grid(results: Iterable[Result], seeds: Sequence[SeedRow], bars: Sequence[Bar]) -> Grid:
    """Header and cells: claims down; as printed, ours by protocol, paired tests, verdicts."""
    scores = {(r.task, r.method, r.protocol, r.metric): r.score for r in results}
    grid = [["claim", "published", "ours (paper)", "ours (inductive)", "paired tests", "verdict"]]
    for claim in CLAIMS:
        printed = _finding(claim, _printed)
        ours = [_finding(claim, _ours(scores, protocol)) for protocol in ("paper", "inductive")]
        verdicts = [one.verdict or "–" for one in ours]
        grid.append(
            [claim.text, str(printed), *map(str, ours), _tests(claim, seeds), " / ".join(verdicts)]
        )
    grid.append(_length_claim(bars))
    return grid


def answer(grid: Grid) -> str:
    """Say in a sentence how many of the paper's claims hold, from the cells of their grid."""
    claimed = [row for row in grid[1:] if row[1] != "–"]
    parts = []
    for place, settings in enumerate(("with its settings", "with one setting for all tasks")):
        verdicts = [row[-1].split(" / ")[place] for row in claimed]
        counts = [
            f"{verdicts.count(name)} {phrase}"
            for name, phrase in (
                ("holds", "hold"), ("in part", "hold in part"), ("not", "do not hold"),
            )
        ]  # fmt: skip
        parts.append(f"{settings} {counts[0]}, {counts[1]}, {counts[2]}")
    return f"Of {len(claimed)} claims of the paper, {'; '.join(parts)}."


def _finding(claim: Claim, score: Callable[[str, str, str], float | None]) -> Finding:
    found = []
    for task, metric in claim.places:
        one, two = score(task, claim.method, metric), score(task, claim.other, metric)
        if one is not None and two is not None:
            found.append(one - two)
    return Finding(tuple(found))


def _printed(task: str, method: str, metric: str) -> float | None:
    number = published(task, method, metric)
    return None if number is None else number.score


def _ours(
    scores: dict[tuple[str, str, str, str], float], protocol: str
) -> Callable[[str, str, str], float | None]:
    names = _PUBLISHED_FORM.get(protocol, {})
    return lambda task, method, metric: scores.get(
        (task, names.get(method, method), protocol, metric)
    )


def _tests(claim: Claim, seeds: Sequence[SeedRow]) -> str:
    """How many sets show a difference that chance does not explain (inductive)."""
    method = _PUBLISHED_FORM["inductive"].get(claim.method, claim.method)
    tasks = {task for task, _ in claim.places}
    own = [
        row
        for row in seeds
        if (row.method, row.against, row.protocol) == (method, claim.other, "inductive")
        and row.task in tasks
    ]
    if not own:
        return "–"
    found = [row for row in own if row.p is not None and row.p < LEVEL]
    above = sum(row.score > 0 for row in found)
    return f"above on {above}, below on {len(found) - above}, open on {len(own) - len(found)}"


def _length_claim(bars: Sequence[Bar]) -> list[str]:
    """Compare the gain over SIF on the longest texts with that on the shortest."""
    cells = ["The gain over SIF grows with the length of the texts", "grows"]
    verdicts = []
    for protocol, method in (("paper", "psif"), ("inductive", "psif-plain")):
        found = []
        for texts in dict.fromkeys(bar.texts for bar in bars):
            own = [
                bar
                for bar in bars
                if (bar.texts, bar.protocol, bar.method) == (texts, protocol, method)
            ]
            if len(own) > 1:
                own.sort(key=lambda bar: bar.low)
                found.append(own[-1].gain - own[0].gain)
        finding = Finding(tuple(found))
        grows = sum(one > 0 for one in found)
        cells.append(f"on {grows} of {len(found)} kinds of texts" if found else "–")
        verdicts.append(finding.verdict or "–")
    return [*cells, "–", " / ".join(verdicts)]
