"""Tasks of MTEB, filled from the evaluation sets of this machine.

Sentence pairs are MTEB's own tasks: the files hold the same pairs, which :func:`same_pairs` checks
against the numbers that MTEB publishes about its data. Classification and clustering follow MTEB's
protocol on other documents.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

STS = {
    "STS12": "sts/STS12/*", "STS13": "sts/STS13/*", "STS14": "sts/STS14/*",
    "STS15": "sts/STS15/*", "STS16": "sts/STS16/*", "STSBenchmark": "stsb/test*",
    "SICK-R": "sick/*",
}  # fmt: skip
CLASSES = (
    "twitter_sentiment", "sst2", "amazon", "bbcsport", "classic4", "ohsumed10", "reuters_r8",
    "20news_bydate",
)  # fmt: skip
CLUSTERS = ("20news subjects", "20news_bydate", "bbcsport", "classic4")
_MOST = {"train": 6_000, "test": 2_000}
_SUBJECT = re.compile(r"^Subject:\s*(?:re:\s*)*(.*)$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Job:
    """A task with its texts.

    Attributes
    ----------
    name, kind : str
        ``kind`` is "STS", "Classification" or "Clustering".
    corpus : list of str
        Texts without labels to fit a model on: training texts where there are some.
    make : callable
        Makes the task with its data.
    same : bool
        Whether the data are those of the published task.
    """

    name: str
    kind: str
    corpus: list[str]
    make: Callable[[], Any]
    same: bool


def jobs(data: Path) -> Iterator[Job]:
    """Yield the tasks whose data are there."""
    for name, pattern in STS.items():
        rows = [row for path in sorted(data.glob(pattern)) for row in _rows(path)]
        if rows:
            yield _pairs(name, rows)
    for name in CLASSES:
        if (data / name / "train.jsonl.gz").exists():
            yield _classes(data, name)
    for name in CLUSTERS:
        folder = data / name.replace(" subjects", "_bydate")
        if (folder / "test.jsonl.gz").exists():
            yield _clusters(folder, name)


def _rows(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _sample(folder: Path, part: str) -> tuple[list[str], list[str]]:
    rows = _rows(folder / f"{part}.jsonl.gz")
    order = np.random.default_rng(0).permutation(len(rows))[: _MOST[part]].tolist()
    return [rows[i]["text"] for i in order], [str(rows[i]["label"]) for i in order]


def _pairs(name: str, rows: list[dict[str, Any]]) -> Job:
    columns = {
        "sentence1": [row["text_a"] for row in rows],
        "sentence2": [row["text_b"] for row in rows],
        "score": [float(row["score"]) for row in rows],
    }

    def make() -> Any:
        import mteb
        from datasets import Dataset, DatasetDict

        task = mteb.get_task(name)
        task.dataset = DatasetDict({"test": Dataset.from_dict(columns)})
        task.data_loaded = True
        return task

    corpus = [*columns["sentence1"], *columns["sentence2"]]
    return Job(name, "STS", corpus, make, same_pairs(name, columns))


def same_pairs(name: str, columns: dict[str, list[Any]]) -> bool:
    """Compare the pairs with the numbers that MTEB publishes about its own."""
    import mteb

    about = mteb.get_task(name).metadata.descriptive_stats
    if about is None:
        return False
    seen = about["test"]
    score = float(np.mean(columns["score"]))
    return bool(
        seen["num_samples"] == len(columns["score"])
        and abs(seen["label_statistics"]["avg_score"] - score) < 1e-9
    )


def _classes(data: Path, name: str) -> Job:
    train, test = (_sample(data / name, part) for part in ("train", "test"))
    labels = sorted(set(train[1]) | set(test[1]))
    numbers = {label: i for i, label in enumerate(labels)}

    def make() -> Any:
        from datasets import Dataset, DatasetDict
        from mteb.abstasks.classification import AbsTaskClassification

        task_class = type(
            "Local", (AbsTaskClassification,), {"metadata": _metadata(name, "Classification")}
        )
        task = task_class()
        task.dataset = DatasetDict(
            {
                part: Dataset.from_dict({"text": texts, "label": [numbers[one] for one in marks]})
                for part, (texts, marks) in (("train", train), ("test", test))
            }
        )
        task.data_loaded = True
        return task

    return Job(name, "Classification", train[0], make, False)


def _clusters(folder: Path, name: str) -> Job:
    texts, labels = _sample(folder, "test")
    if name.endswith("subjects"):
        found = [_SUBJECT.search(text) for text in texts]
        texts = [match.group(1).strip() if match else "" for match in found]

    def make() -> Any:
        from datasets import Dataset, DatasetDict
        from mteb.abstasks.clustering_legacy import AbsTaskClusteringLegacy

        # One set of documents, clustered once.
        task_class = type(
            "Local", (AbsTaskClusteringLegacy,), {"metadata": _metadata(name, "Clustering")}
        )
        task = task_class()
        row = Dataset.from_dict({"sentences": [texts], "labels": [labels]})
        task.dataset = DatasetDict({"test": row})
        task.data_loaded = True
        return task

    return Job(name, "Clustering", texts, make, False)


def _metadata(name: str, kind: str) -> Any:
    from mteb.abstasks.task_metadata import TaskMetadata

    nothing = dict.fromkeys(
        (
            "reference", "date", "domains", "task_subtypes", "license", "annotations_creators",
            "dialect", "sample_creation", "bibtex_citation",
        )
    )  # fmt: skip
    return TaskMetadata(
        name=f"Local{kind}{re.sub('[^A-Za-z0-9]', '', name)}",
        dataset={"path": f"local/{name.replace(' ', '-')}", "revision": "1"},
        description=f"{name} of this machine.",
        type=kind,
        category="t2c",
        modalities=["text"],
        eval_splits=["test"],
        eval_langs=["eng-Latn"],
        main_score="accuracy" if kind == "Classification" else "v_measure",
        **nothing,
    )
