"""A tiny corpus with two themes, and vectors for its words."""

from __future__ import annotations

import numpy as np

from psif import WordVectors

TEXTS = [
    "cats purr and cats sleep",
    "dogs bark at cats",
    "cats and dogs play",
    "stocks fall and markets crash",
    "markets rise when stocks rise",
    "dogs sleep and dogs play",
    "the market fell and stocks crash",
    "purr bark play sleep",
    "a market of stocks and markets",
    "cats sleep when dogs bark",
]
LABELS = ["pet", "pet", "pet", "money", "money", "pet", "money", "pet", "money", "pet"]
NEW = ["dogs purr and dogs fall", "stocks crash when markets fall fall", "cats"]

WORDS = sorted({word for text in TEXTS for word in text.split()} | {"unseen", "elsewhere"})
DIM = 6


def word_vectors(seed: int = 0) -> WordVectors:
    rng = np.random.default_rng(seed)
    return WordVectors(WORDS, rng.standard_normal((len(WORDS), DIM)).astype(np.float32))


def vector_of(word: str) -> np.ndarray:
    return word_vectors()[word].astype(np.float64)


def dense(matrix) -> np.ndarray:
    return matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix)


def idf(word: str) -> float:
    n_with = sum(word in text.split() for text in TEXTS)
    return float(np.log((1 + len(TEXTS)) / (1 + n_with)) + 1)


def share(word: str) -> float:
    tokens = [token for text in TEXTS for token in text.split()]
    return tokens.count(word) / len(tokens)
