"""Presets: named settings of :class:`psif.PSIF`."""

from __future__ import annotations

from typing import Any

from psif.errors import InputError

_DOCUMENTS: dict[str, Any] = {
    "tokenizer": "paper",
    "n_topics": 20,
    "codes": "nonnegative-unit",
    "shared_topic": 0.5,
    "word_norm": "zipf",
    "smoothing": "documents",
    "weighting": "root-idf",
    "counts": "log",
    "n_removed": 0,
}

# docs/research.md has the evidence for all presets but the first.
PRESETS: dict[str, dict[str, Any]] = {
    # Exactly what the paper says, independent of the defaults: Algorithm 1 and "Experimental
    # Details", textual classification.
    "paper": {
        "vectors": "sgns",
        "dim": 200,
        "train_options": {"window": 10, "negative": 10},
        "min_count": 20,
        "tokenizer": "paper",
        "word_norm": "none",
        "n_topics": 40,
        "n_active": None,
        "partition": "ksvd",
        "codes": "signed",
        "shared_topic": 0.0,
        "word_columns": 0.0,
        "unknown": "skip",
        "smoothing": "none",
        "phrases": 0,
        "weighting": "sif",
        "a": 1e-3,
        "frequencies": "corpus",
        "counts": "raw",
        "n_removed": 1,
        "n_dims": None,
    },
    # Documents with a linear classifier, which needs exact words.
    "classification": {
        "tokenizer": "unicode",
        "min_count": 2,
        "train_options": {"max_words": 65_536},
        "n_topics": 40,
        "word_columns": 0.6,
        "weighting": "idf",
        "counts": "log",
    },
    # Documents with nearest neighbours: smoothing by documents shows what a word is about.
    "retrieval": _DOCUMENTS,
    # Single sentences: codes must keep the norm of a word (t·t = 1), or partitioning hurts;
    # names without a vector decide many pairs.
    "similarity": {
        "n_topics": 20,
        "codes": "nonnegative-unit",
        "shared_topic": 0.5,
        "word_norm": "zipf-norms",
        "a": 1e-2,
        "counts": "log",
        "unknown": "hash",
        "compact": "pca+random",
    },
    # Vectors for an index: 512 numbers instead of 4,000, from topics and exact words.
    "compact": {**_DOCUMENTS, "word_columns": 0.3, "n_dims": 512},
}


def preset(name: str) -> dict[str, Any]:
    """Return a copy of the settings of a preset.

    Parameters
    ----------
    name : {"paper", "classification", "retrieval", "similarity", "compact"}
    """
    if name not in PRESETS:
        raise InputError(f"no preset is called {name!r}; there are {', '.join(PRESETS)}.")
    return dict(PRESETS[name])
