"""Texts for benchmarks: labelled, generated, or of a given length."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from psif.evaluation.data.folders import MissingDataError, data_file, data_roots, read_rows
from psif.evaluation.tasks.base import Documents, LabelledData, documents
from psif.evaluation.tasks.newsgroups import TASK
from psif.runtime.atomic import atomic_path

# A module of the standard library is a class of docstrings if it has at least this many.
_LEAST_DOCSTRINGS = 60


@dataclass(frozen=True)
class LabelledCorpus:
    """Real documents with classes.

    Attributes
    ----------
    name : str
    data : LabelledData
    """

    name: str
    data: LabelledData

    @property
    def texts(self) -> list[str]:
        """All documents in a fixed random order, so that any first part is a fair sample."""
        both = [*self.data.train.texts, *self.data.test.texts]
        return [both[i] for i in np.random.default_rng(0).permutation(len(both)).tolist()]


def labelled_corpus(share: int = 1, workspace: Path | None = None) -> LabelledCorpus:
    """Return 20 Newsgroups if PSIF_DATA has it, else docstrings of the standard library.

    Parameters
    ----------
    share : int
        Take every ``share``-th document.
    workspace : Path or None
        Folder that keeps the docstrings: finding them takes seconds in every process.
    """
    data: Any = TASK.load() if _has_newsgroups() else _docstrings(workspace)
    step = _real_share(share)
    train, test = (part.take(range(0, len(part), step)) for part in (data.train, data.test))
    return LabelledCorpus(corpus_name(share), LabelledData(train, test))


def corpus_name(share: int = 1) -> str:
    """Return the name of :func:`labelled_corpus`, without reading it."""
    name = "20 Newsgroups" if _has_newsgroups() else "docstrings of the standard library by module"
    share = _real_share(share)
    return name if share == 1 else f"{name}, every {share}th document"


def _has_newsgroups() -> bool:
    try:
        return bool(newsgroups_files())
    except MissingDataError:
        return False


def _real_share(share: int) -> int:
    return share if _has_newsgroups() else max(1, share // 5)  # docstrings are few and short


def newsgroups_files() -> list[Path]:
    """Files of the 20 Newsgroups corpus, bydate, raw with headers."""
    return [data_file(f"20news_bydate/{part}.jsonl.gz") for part in ("train", "test")]


def corpus_files(share: int, workspace: Path) -> list[Path]:
    """Files with the documents of :func:`labelled_corpus`: the raw ones, or a written part."""
    if _has_newsgroups() and share == 1:
        return newsgroups_files()
    data = labelled_corpus(share, workspace).data
    path = workspace / f"documents-{share}.jsonl"
    with atomic_path(path) as part, part.open("w", encoding="utf-8") as file:
        for text in (*data.train.texts, *data.test.texts):
            file.write(json.dumps({"text": text}) + "\n")
    return [path]


def reuters_r90() -> LabelledData:
    """Reuters-21578, ModApte split, documents with at least one of 90 labels."""
    path = data_file("reuters21578_modapte/r90_labels.json")
    names = set(json.loads(path.read_text(encoding="utf-8")))
    parts = []
    for part in ("train", "test"):
        found = documents(f"reuters21578_modapte/{part}", "labels")
        labels = [tuple(label for label in row if label in names) for row in found.labels]
        rows = [i for i, row in enumerate(labels) if row]
        parts.append(Documents(found.texts, labels).take(rows))
    return LabelledData(*parts)


def every_text() -> Iterator[str]:
    """Texts of all evaluation sets, pairs of sentences included."""
    root = data_roots()[0]
    for path in sorted(root.rglob("*.jsonl.gz")):
        for row in read_rows(path.relative_to(root).as_posix().removesuffix(".jsonl.gz")):
            yield from (row[key] for key in ("text", "text_a", "text_b") if key in row)


def _docstrings(workspace: Path | None) -> LabelledData:
    """Documentation strings by module; two in five are test documents."""
    from psif.files.standard_library import docstrings

    kept = None if workspace is None else workspace / "docstrings.json"
    if kept is not None and kept.exists():
        texts = json.loads(kept.read_text(encoding="utf-8"))
    else:
        texts = docstrings()
        if kept is not None:
            with atomic_path(kept) as part:
                part.write_text(json.dumps(texts), encoding="utf-8")
    found = [(name.split(".")[0], text) for name, text in texts.items()]
    sizes = Counter(module for module, _ in found)
    rows_of_large = [row for row in found if sizes[row[0]] >= _LEAST_DOCSTRINGS]
    parts = []
    for wanted in ((0, 1, 2), (3, 4)):
        rows = [row for i, row in enumerate(rows_of_large) if i % 5 in wanted]
        parts.append(Documents([text for _, text in rows], [module for module, _ in rows]))
    return LabelledData(*parts)


def of_length(texts: Sequence[str], n_words: int, n_docs: int) -> list[str]:
    """Documents of exactly ``n_words`` words each, cut from the running text of ``texts``."""
    words = _words_forever(texts)
    return [" ".join(next(words) for _ in range(n_words)) for _ in range(n_docs)]


def _words_forever(texts: Sequence[str]) -> Iterator[str]:
    while True:
        for text in texts:
            yield from text.split()


def generated(n_docs: int, n_words: int = 100, vocabulary: int = 50_000) -> Iterator[str]:
    """Yield documents of words drawn from Zipf's law; a third of them on one theme."""
    for text, _ in generated_themes(n_docs, n_words, vocabulary):
        yield text


def generated_themes(
    n_docs: int, n_words: int = 100, vocabulary: int = 50_000
) -> Iterator[tuple[str, int]]:
    """Yield generated documents and their themes.

    Each document mixes the common law with one of 50 themes, so that words co-occur.
    """
    rng = np.random.default_rng(0)
    words = np.array([f"w{i:x}" for i in range(vocabulary)])
    law = 1 / np.arange(1, vocabulary + 1)
    common = np.cumsum(law / law.sum())
    for start in range(0, n_docs, 1000):
        n_rows = min(1000, n_docs - start)
        drawn = np.searchsorted(common, rng.random((n_rows, n_words)))
        themes = rng.integers(0, 50, n_rows)[:, None]
        themed = themes + 50 * rng.geometric(0.02, (n_rows, n_words))
        use = rng.random((n_rows, n_words)) < 1 / 3
        ids = np.minimum(np.where(use, themed, drawn), vocabulary - 1)
        for row, theme in zip(words[ids].tolist(), themes[:, 0].tolist(), strict=True):
            yield " ".join(row), theme


def write_generated(path: Path, n_docs: int, n_words: int = 100, vocabulary: int = 50_000) -> None:
    """Write :func:`generated` documents, one per line."""
    with path.open("w", encoding="ascii") as file:
        file.writelines(f"{text}\n" for text in generated(n_docs, n_words, vocabulary))
