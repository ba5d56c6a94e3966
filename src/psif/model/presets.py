"""Presets: named settings of :class:`psif.PSIF`."""

from __future__ import annotations

from typing import Any

from psif.errors import InputError

# Algorithm 1 as the paper has it, for presets and related methods, whatever the defaults are.
PLAIN: dict[str, Any] = {
    "n_topics": 40,
    "n_active": None,
    "codes": "signed",
    "shared_topic": 0.0,
    "word_columns": 0.0,
    "word_norm": "unit",
    "smoothing": "none",
    "weighting": "sif",
    "counts": "raw",
    "n_removed": 1,
    "n_dims": None,
    "normalize": False,
}

_DOCUMENTS: dict[str, Any] = {
    **PLAIN,
    "normalize": True,
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
        "normalize": False,
    },
    # Documents with a linear classifier, which needs exact words.
    "classification": {
        **PLAIN,
        "normalize": True,
        "tokenizer": "unicode",
        "min_count": 2,
        # A saved classifier has 240 numbers per word; rarer words decide little.
        "train_options": {"max_words": 49_152},
        "n_topics": 40,
        "word_columns": 0.6,
        "weighting": "idf",
        "counts": "log",
    },
    # Documents with nearest neighbours: smoothing by documents shows what a word is about.
    "retrieval": _DOCUMENTS,
    # Single sentences: codes must keep the norm of a word (t·t = 1), or partitioning hurts;
    # names without a vector decide many pairs. Tables of word vectors have "can" and "t" rather
    # than "can't".
    "similarity": {
        **PLAIN,
        "normalize": True,
        "tokenizer": "unicode",
        "n_topics": 20,
        "codes": "nonnegative-unit",
        "shared_topic": 0.5,
        "word_norm": "zipf-norms",
        "a": 1e-2,
        "counts": "log",
        "unknown": "hash",
    },
    # Single sentences with a table that was trained on sentences: the lengths of its vectors are
    # weights already, and topics do not enter the vectors.
    "sentences": {
        **PLAIN,
        "normalize": True,
        "tokenizer": "words",
        "vectors": "english",
        "n_topics": 1,
        "weighting": "uniform",
        "word_norm": "none",
        "counts": "log",
        "unknown": "hash",
        "n_removed": 0,
    },
    # Vectors for an index: 512 numbers instead of 4,000, from topics and exact words.
    "compact": {**_DOCUMENTS, "word_columns": 0.3, "n_dims": 512},
}


def preset(name: str) -> dict[str, Any]:
    """Return a copy of the settings of a preset.

    Parameters
    ----------
    name : {"paper", "classification", "retrieval", "similarity", "sentences", "compact"}
    """
    if name not in PRESETS:
        raise InputError(f"no preset is called {name!r}; there are {', '.join(PRESETS)}.")
    return dict(PRESETS[name])
