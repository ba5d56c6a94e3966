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


def dense_features(model, pairs, shares, docs):
    """Unit-length vectors: topics, words and pairs, each of its share."""
    n_topics = model.words_.n_features
    rows = []
    for ids in docs:
        words = [model.vocabulary_.words[i] for i in ids]
        vector = model.transform([" ".join(words)])[0].astype(np.float64)
        parts = [
            vector[:n_topics],
            vector[n_topics:],
            pair_features(ids.tolist(), pairs.keys, pairs.weights),
        ]
        present = [np.any(part) for part in parts]
        total = sum(share for share, there in zip(shares, present, strict=True) if there)
        row = [
            part * np.sqrt(share / total) / np.linalg.norm(part) if there else part
            for part, share, there in zip(parts, shares, present, strict=True)
        ]
        rows.append(np.concatenate(row) * (1.0 if present[0] else 0.0))
    return np.array(rows)
