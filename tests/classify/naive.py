"""Features of documents written down one number at a time."""

from collections import Counter
from itertools import pairwise
from math import log

import numpy as np


def pair_features(ids, keys, weights):
    """Shares of known pairs of one document."""
    known = {(int(key) >> 32, int(key) & 0xFFFFFFFF): i for i, key in enumerate(keys)}
    counts = Counter(known[pair] for pair in pairwise(ids) if pair in known)
    row = np.zeros(len(keys))
    for pair, count in counts.items():
        row[pair] = (1 + log(count)) * weights[pair]
    return row


def meaning(ids, rows):
    """Direction of one document by the rows of its words, each counted as 1 + log."""
    total = np.zeros(rows.shape[1])
    for word, count in Counter(ids).items():
        total += (1 + log(count)) * rows[word].astype(np.float64)
    length = np.linalg.norm(total)
    return total / length if length else total


def dense_features(model, pairs, shares, docs, language=None):
    """Vectors of topics, words and pairs, each of its share, and of the table of a language."""
    n_topics, n_words = model.words_.n_features, len(model.vocabulary_)
    rows = []
    for ids in docs:
        own = [i for i in ids.tolist() if i < n_words]
        words = [model.vocabulary_.words[i] for i in own]
        vector = model.transform([" ".join(words)])[0].astype(np.float64)
        parts = [
            vector[:n_topics],
            vector[n_topics:],
            pair_features(own, pairs.keys, pairs.weights),
        ]
        present = [np.any(part) for part in parts]
        each = shares[:3]
        total = sum(share for share, there in zip(each, present, strict=True) if there)
        row = [
            part * np.sqrt(share / total) / np.linalg.norm(part) if there else part
            for part, share, there in zip(parts, each, present, strict=True)
        ]
        corpus = np.concatenate(row) * (1.0 if present[0] else 0.0) * np.sqrt(1 - shares.language)
        of_language = [] if language is None else meaning(ids.tolist(), language.rows)
        rows.append(np.concatenate([corpus, np.sqrt(shares.language) * np.array(of_language)]))
    return np.array(rows)
