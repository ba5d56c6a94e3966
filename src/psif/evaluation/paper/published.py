"""Numbers printed in the paper, as data."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources
from typing import NamedTuple

# The column or row of the paper's tables that a method of ours belongs to.
_NAMES = {
    "newsgroups": {
        "psif": "P-SIF",
        "psif-plain": "P-SIF",
        "psif-doc2vecc": "P-SIF (Doc2VecC)",
        "sif": "SIF",
        "scdv": "SCDV",
        "doc2vecc": "Doc2VecC",
        "randhash": "RandHash",
        "boe": "BoE",
        "bowv": "BoWV",
        "p-means": "p-means",
        "tv-meanwv": "TV+MeanWV",
        "twe": "TWE-1",
        "lda": "LDA",
        "tfidf-average": "weight-AvgVec",
        "bow": "BoW",
        "boc": "weight-BOC",
        "pv-dbow": "PV-DBoW",
        "pv-dm": "PV-DM",
    },
    "reuters": {
        "psif": "P-SIF",
        "psif-plain": "P-SIF",
        "psif-doc2vecc": "P-SIF (Doc2VecC)",
        "sif": "SIF",
        "scdv": "SCDV",
        "doc2vecc": "Doc2VecC",
        "p-means": "p-means",
        "bowv": "BoWV",
        "twe": "TWE",
        "pv-dm": "PV-DM",
        "pv-dbow": "PV-DBoW",
        "average": "AvgVec",
        "tfidf-average": "tfidf AvgVec",
    },
    "word_mover": {
        "psif": "P-SIF",
        "psif-plain": "P-SIF",
        "psif-doc2vecc": "P-SIF (Doc2VecC)",
        "sif": "SIF(GloVe)",
        "average": "Word2Vec Avg",
        "pv-dbow": "PV-DBOW",
        "pv-dm": "PV-DM",
        "doc2vecc": "Doc2VecC",
        "wmd": "KNN-WMD",
        "scdv": "SCDV",
        "wme": "WME",
    },
    "similarity": {
        "psif": "P-SIF+PSL",
        "psif-plain": "P-SIF+PSL",
        "psif-gmm": "P-SIF+PSL",
        "sif": "PSL+WR",
        "average": "avg-PSL",
        "tfidf-average": "tfidf-GloVe",
        "usif": "u-SIF+PSL",
        "p-means": "p-mean",
        "wme": "WME+PSL",
    },
}
# The paper does not say how its F1 is averaged; the micro average is the nearest.
_REUTERS = {
    "P@1": "P@1",
    "P@5": "P@5",
    "nDCG@5 (authors)": "nDCG@5",
    "coverage_error": "coverage_error",
    "LRAP": "LRAP",
    "F1 (micro)": "F1",
}
_SIMILARITY_TABLES = ("similarity", "similarity_detail", "sts16", "similarity_recent")
_SUPERVISED = {"sick-r": "supervised pearson", "sick-e": "accuracy", "sst2": "accuracy"}


class Published(NamedTuple):
    """A printed number, the name it is printed under, and its ± where there is one."""

    score: float
    name: str
    deviation: float | None = None


@cache
def table(name: str) -> dict[str, dict[str, str]]:
    """Rows of a printed table by their first column, each a mapping from column to cell."""
    text = (resources.files("psif.evaluation.paper") / "tables" / f"{name}.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    first = next(iter(rows[0]))
    return {row[first]: row for row in rows}


def published(task: str, method: str, metric: str, only: str | None = None) -> Published | None:
    """Return the number that the paper prints for a method on a task, if it prints one.

    Two tables do not always agree; ``only`` names the table to look in.
    """
    for name, row, column in _places(task, method, metric):
        if only not in (None, name):
            continue
        cell = table(name).get(row, {}).get(column, "-")
        if cell != "-":
            number, _, deviation = cell.partition("±")
            label = row if name in ("newsgroups", "reuters", "word_mover") else column
            return Published(float(number), label, float(deviation) if deviation else None)
    return None


def _places(task: str, method: str, metric: str) -> list[tuple[str, str, str]]:
    """Tables, rows and columns where the number may be printed, the likeliest first."""
    if task == "20news":
        places = [("newsgroups", _NAMES["newsgroups"].get(method, ""), metric)]
        if metric == "accuracy":
            places.append(("word_mover", _NAMES["word_mover"].get(method, ""), task))
        return places
    if task.startswith("20news/"):
        label = _NAMES["newsgroups"].get(method, "")
        return [("newsgroups_classes", task.removeprefix("20news/"), f"{label} {metric}")]
    if task == "reuters":
        return [("reuters", _NAMES["reuters"].get(method, ""), _REUTERS.get(metric, ""))]
    column = _NAMES["similarity"].get(method, "")
    if metric == _SUPERVISED.get(task):
        return [("supervised", task, column)]
    if metric == "accuracy":
        return [("word_mover", _NAMES["word_mover"].get(method, ""), task)]
    if metric == "pearson":
        return [(name, task, column) for name in _SIMILARITY_TABLES]
    return []
