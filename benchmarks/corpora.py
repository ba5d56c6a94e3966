"""Texts that the benchmarks of text and command line run on."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import numpy as np


def newsgroups_files() -> list[Path]:
    """Files of the 20 Newsgroups corpus, bydate, raw with headers."""
    folder = Path(os.environ.get("PSIF_DATA", "../shared/data")) / "20news_bydate"
    if not folder.is_dir():
        raise SystemExit(f"{folder}: not there; let PSIF_DATA name the folder of evaluation sets")
    return [folder / "train.jsonl.gz", folder / "test.jsonl.gz"]


def newsgroups() -> list[str]:
    """All 18,846 texts, 36 MB."""
    texts = []
    for path in newsgroups_files():
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            texts += [json.loads(line)["text"] for line in lines]
    return texts


def write_generated(path: Path, n_docs: int, n_words: int = 100, vocabulary: int = 50_000) -> None:
    """Write documents of words drawn from Zipf's law, one a line; a third of them on one theme.

    Each document mixes the common law with one of 50 themes, so that words do keep company.
    """
    rng = np.random.default_rng(0)
    words = np.array([f"w{i:x}" for i in range(vocabulary)])
    law = 1 / np.arange(1, vocabulary + 1)
    common = np.cumsum(law / law.sum())
    with path.open("w", encoding="ascii") as file:
        for start in range(0, n_docs, 1000):
            n_rows = min(1000, n_docs - start)
            drawn = np.searchsorted(common, rng.random((n_rows, n_words)))
            themes = rng.integers(0, 50, n_rows)[:, None]
            themed = themes + 50 * rng.geometric(0.02, (n_rows, n_words))
            use = rng.random((n_rows, n_words)) < 1 / 3
            ids = np.minimum(np.where(use, themed, drawn), vocabulary - 1)
            file.writelines(" ".join(row) + "\n" for row in words[ids].tolist())
