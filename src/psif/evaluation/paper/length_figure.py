"""Gain over SIF by length of the texts: the paper's figure, and two for longer documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from psif.evaluation.metrics.lengths import BINS as DOCUMENT_BINS
from psif.evaluation.metrics.lengths import bin_name
from psif.evaluation.paper.published import table
from psif.evaluation.runner.results import Result

# Words in a sentence, on average over a sub-task: from, to below.
BINS = ((0, 10), (10, 20), (20, 30), (30, 40), (40, 50))
SENTENCES = "sentences"
_BASE = "sif"


class Bar(NamedTuple):
    """Mean gain over SIF, in per cent of SIF's score.

    Attributes
    ----------
    protocol : str
    texts : str
        "sentences", or the name of a set of documents.
    method : str
    low, high : int, int or None
        Number of words, from ``low`` to below ``high``; None has no upper end.
    gain : float
    n_tasks : int
        Number of sub-tasks in the mean.
    """

    protocol: str
    texts: str
    method: str
    low: int
    high: int | None
    gain: float
    n_tasks: int


class Figure(NamedTuple):
    """Bars that one figure, and the table beside it, shows."""

    title: str
    note: str
    axis: str
    bars: list[Bar]


def length_figures(results: Iterable[Result]) -> list[Figure]:
    """Return the figures that there are bars for."""
    kept = list(results)
    figures = (
        Figure(
            "Gain over SIF by length, in %",
            "Sentences: correlation, mean over the sub-tasks whose sentences have this many words "
            "on average. Documents: accuracy on the test documents that have this many words.",
            "words; gain over SIF in %",
            sentence_gains(kept, mean_lengths()) + document_gains(kept),
        ),
        Figure(
            "Errors of SIF avoided, by length, in %",
            "The same accuracies, as the share of SIF's errors that a method avoids: where SIF has "
            "95 %, no other method can gain more than 5.",
            "words; errors of SIF avoided in %",
            errors_avoided(kept),
        ),
    )
    return [figure for figure in figures if figure.bars]


def mean_lengths() -> dict[str, float]:
    """Mean number of words per sentence of each similarity sub-task, measured once."""
    return {name: float(row["words"]) for name, row in table("sentence_lengths").items()}


def sentence_gains(results: Iterable[Result], lengths: dict[str, float]) -> list[Bar]:
    """100 · (method - SIF) / SIF of the correlation, averaged over the sub-tasks of each bin.

    Bins without a sub-task are left out.
    """
    groups: dict[tuple[str, str, str, int, int], list[float]] = {}
    known = (r for r in results if r.metric == "pearson" and r.task in lengths)
    for result, gain in _beside_sif(known, _relative):
        place = next((b for b in BINS if b[0] <= lengths[result.task] < b[1]), None)
        if place is not None:
            key = (result.protocol, SENTENCES, result.method, *place)
            groups.setdefault(key, []).append(gain)
    return [Bar(*key, float(np.mean(group)), len(group)) for key, group in sorted(groups.items())]


def document_gains(results: Iterable[Result]) -> list[Bar]:
    """100 · (method - SIF) / SIF of the accuracy on documents of each length, set by set."""
    return _document_bars(results, _relative)


def errors_avoided(results: Iterable[Result]) -> list[Bar]:
    """100 · (method - SIF) / (100 - SIF) of the accuracy on documents of each length."""
    return _document_bars(results, _of_errors)


def _document_bars(
    results: Iterable[Result], measure: Callable[[float, float], float | None]
) -> list[Bar]:
    places = {bin_name(low, high): (low, high) for low, high in DOCUMENT_BINS}
    parts = (r for r in results if r.metric == "accuracy" and r.task.partition("/")[2] in places)
    bars = []
    for result, gain in _beside_sif(parts, measure):
        task, _, part = result.task.partition("/")
        bars.append(Bar(result.protocol, task, result.method, *places[part], gain, 1))
    return sorted(bars, key=lambda bar: bar[:4])


def _relative(score: float, base: float) -> float | None:
    return 100 * (score - base) / base if base else None


def _of_errors(score: float, base: float) -> float | None:
    return 100 * (score - base) / (100 - base) if base < 100 else None


def _beside_sif(
    results: Iterable[Result], measure: Callable[[float, float], float | None]
) -> list[tuple[Result, float]]:
    """Measure every result against that of SIF, where there is one."""
    kept = list(results)
    base = {(r.protocol, r.task): r.score for r in kept if r.method == _BASE}
    found = []
    for result in kept:
        reference = base.get((result.protocol, result.task))
        if result.method == _BASE or reference is None:
            continue
        gain = measure(result.score, reference)
        if gain is not None:
            found.append((result, gain))
    return found
