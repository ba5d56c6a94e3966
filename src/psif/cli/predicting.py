"""From documents to a file of predicted labels, one batch at a time."""

from __future__ import annotations

import csv
import json
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from psif.classify.estimator import PSIFClassifier
from psif.errors import EmptyDocumentsWarning, InputError
from psif.files.batches import in_batches
from psif.files.readers.options import Document
from psif.runtime.atomic import atomic_path

# Words that --why names.
_WORDS = 5


@dataclass
class PredictRun:
    """What is written about each document."""

    clf: PSIFClassifier
    proba: bool
    top: int | None
    why: bool
    n_empty: int = 0

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in their order."""
        names = ["id", "label"]
        for place in range(1, self._n_top + 1):
            names += [f"label_{place}", f"probability_{place}"]
        if self.proba:
            names += [f"p:{name}" for name in self.clf.classes_.tolist()]
        return [*names, "why"] if self.why else names

    def batches(self, documents: Iterable[Document]) -> Iterator[list[dict[str, Any]]]:
        """Yield one record per document, in batches."""
        for batch in in_batches(documents, self.clf.model_.words_.n_features):
            yield self._records(batch)

    @property
    def _n_top(self) -> int:
        return min(self.top or 0, len(self.clf.classes_))

    def _records(self, batch: list[Document]) -> list[dict[str, Any]]:
        clf, texts = self.clf, [document.text for document in batch]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", EmptyDocumentsWarning)
            labels = clf.predict(texts)
            chances = clf.predict_proba(texts) if self.proba or self.top else None
        self.n_empty += int(np.count_nonzero(clf.model_.word_ids(texts).lengths == 0))
        labels = labels if clf.several_ else labels.tolist()
        names = clf.classes_.tolist()
        records = []
        for i, document in enumerate(batch):
            record: dict[str, Any] = {"id": document.id, "label": labels[i]}
            if chances is not None:
                order = np.argsort(-chances[i], kind="stable")[: self._n_top]
                for place, c in enumerate(order, start=1):
                    record[f"label_{place}"] = names[c]
                    record[f"probability_{place}"] = float(chances[i, c])
                if self.proba:
                    for name, chance in zip(names, chances[i].tolist(), strict=True):
                        record[f"p:{name}"] = chance
            if self.why:
                words = clf.explain(document.text).words[:_WORDS]
                record["why"] = ", ".join(f"{word.word} {word.share:+.3f}" for word in words)
            records.append(record)
        return records


def label_writer(output: Path) -> Callable[[PredictRun, Iterable[Document], str], int]:
    """Return the writer for the ending of a file.

    It returns how many documents had no known word.
    """
    kinds: dict[str, Callable[[Path, PredictRun, Iterable[Document], str], None]] = {
        ".csv": _write_csv,
        ".jsonl": _write_jsonl,
        ".parquet": _write_parquet,
    }
    kind = kinds.get(output.suffix.lower())
    if kind is None:
        raise InputError(f"{output}: the ending must be one of {', '.join(kinds)}.")

    def write(run: PredictRun, documents: Iterable[Document], separator: str) -> int:
        with atomic_path(output) as part:
            kind(part, run, documents, separator)
        return run.n_empty

    return write


def _write_jsonl(
    path: Path, run: PredictRun, documents: Iterable[Document], separator: str
) -> None:
    # A lone surrogate of an id is written as its escape.
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        for records in run.batches(documents):
            file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _write_csv(path: Path, run: PredictRun, documents: Iterable[Document], separator: str) -> None:
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        writer = csv.DictWriter(file, run.columns, lineterminator="\n")
        writer.writeheader()
        for records in run.batches(documents):
            writer.writerows(_joined(records, separator))


def _write_parquet(
    path: Path, run: PredictRun, documents: Iterable[Document], separator: str
) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    label = pa.array(run.clf.classes_.tolist()).type
    kinds = {"label": pa.string() if run.clf.several_ else label, "id": pa.string()}
    schema = pa.schema([(name, kinds.get(name) or _kind(name, label)) for name in run.columns])
    with parquet.ParquetWriter(path, schema) as writer:
        for records in run.batches(documents):
            rows = _joined(records, separator)
            for row in rows:
                row["id"] = row["id"].encode("utf-8", "backslashreplace").decode()
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))


def _kind(name: str, label: Any) -> Any:
    import pyarrow as pa

    if name.startswith("label_"):
        return label
    return pa.string() if name == "why" else pa.float64()


def _joined(records: list[dict[str, Any]], separator: str) -> list[dict[str, Any]]:
    """Write lists of labels as one string."""
    for record in records:
        if isinstance(record["label"], list):
            record["label"] = separator.join(str(label) for label in record["label"])
    return records
