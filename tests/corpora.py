"""Small corpora with an obvious structure."""

from __future__ import annotations

import numpy as np

from psif import PSIF, WordVectors

GROUPS = {
    "sea": ["ship", "sail", "wave", "harbour", "sailor", "deck", "anchor", "tide"],
    "sky": ["plane", "wing", "cloud", "pilot", "airport", "flight", "runway", "jet"],
    "food": ["bread", "butter", "cheese", "soup", "kitchen", "cook", "spoon", "oven"],
}


def texts(n_docs=60, n_words=12, seed=0):
    """Documents that keep to one group of words, with a few words of all."""
    rng = np.random.default_rng(seed)
    names = list(GROUPS)
    docs = []
    for i in range(n_docs):
        chosen = rng.choice(GROUPS[names[i % 3]], n_words)
        docs.append(" ".join([*chosen, *rng.choice(["the", "and", "of"], 4)]))
    return docs


def vectors(dim=8, seed=0):
    """Vectors in which the words of a group lie together."""
    rng = np.random.default_rng(seed)
    words, rows = ["the", "and", "of"], list(rng.standard_normal((3, dim)) * 0.5 + 1)
    for centre, group in zip(rng.standard_normal((3, dim)) * 3, GROUPS.values(), strict=True):
        words += group
        rows += list(centre + 0.5 * rng.standard_normal((len(group), dim)))
    return WordVectors(words, np.array(rows))


def saved_model(folder, seed=0):
    """A model of these texts and vectors, and the folder it is saved in."""
    fitted = PSIF(vectors(seed=seed), n_topics=3, random_state=0).fit(texts())
    fitted.save(folder)
    return fitted, folder
