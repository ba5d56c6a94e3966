"""Small collections to search in."""

from __future__ import annotations

import numpy as np

from psif import PSIF

SEA = ["ship", "sail", "waves", "harbour", "sailor", "deck", "anchor", "tide", "coast", "storm"]
SKY = ["plane", "wings", "cloud", "pilot", "airport", "flight", "runway", "jet", "landing", "fog"]
FOOD = ["bread", "butter", "cheese", "soup", "kitchen", "cooking", "spoon", "oven", "meal", "salt"]
LITTLE = ["the", "of", "and", "to", "in", "a", "is", "that", "for", "it"]


def texts(n_docs=60, seed=0, n_words=14):
    """Documents of one subject each, with the little words of English and some numbers."""
    rng = np.random.default_rng(seed)
    docs = []
    for i in range(n_docs):
        subject = (SEA, SKY, FOOD)[i % 3]
        words = [*rng.choice(subject, n_words - 6), *rng.choice(LITTLE, 5), f"n{rng.integers(30)}"]
        docs.append(" ".join(rng.permutation(words)))
    return docs


def model(**settings):
    """A small model of them."""
    options = {"n_topics": 3, "dim": 6, "min_count": 1, "random_state": 0, **settings}
    return PSIF.from_preset("retrieval", **options).fit(texts())
