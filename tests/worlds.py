"""Small random worlds of words and documents, for property tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from psif.documents.averaging import WordTopics, sorted_documents
from psif.text.flat import FlatDocs


@dataclass(frozen=True)
class World:
    words: WordTopics
    docs: FlatDocs

    @property
    def lists(self) -> list[list[int]]:
        return [ids.tolist() for ids in self.docs]


def make_world(seed, n_words, n_topics, dim, lengths, counts="raw", density=0.6):
    rng = np.random.default_rng(seed)
    codes = rng.standard_normal((n_words, n_topics)).astype(np.float32)
    codes[rng.random(codes.shape) > density] = 0
    words = WordTopics(
        rng.uniform(0.1, 1, n_words).astype(np.float32),
        codes,
        rng.standard_normal((n_words, dim)).astype(np.float32),
        counts,
    )
    # Squared, so that words repeat within documents.
    lists = [(rng.random(n) ** 2 * n_words).astype(int).tolist() for n in lengths]
    return World(words, sorted_documents(FlatDocs.from_lists(lists)))


@st.composite
def worlds(draw, min_docs=0, min_length=0):
    return make_world(
        seed=draw(st.integers(0, 10_000)),
        n_words=draw(st.integers(1, 40)),
        n_topics=draw(st.integers(1, 6)),
        dim=draw(st.integers(1, 9)),
        lengths=draw(st.lists(st.integers(min_length, 30), min_size=min_docs, max_size=12)),
        counts=draw(st.sampled_from(["raw", "log"])),
    )


def random_components(world, n_removed, seed=0):
    rng = np.random.default_rng(seed)
    n = min(n_removed, world.words.n_features)
    q = np.linalg.qr(rng.standard_normal((world.words.n_features, max(n, 1))))[0]
    return q[:, :n].T.astype(np.float32)
