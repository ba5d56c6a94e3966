"""How much is measured: everything, a few minutes, or the least that runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Size:
    """One scale of all measurements.

    Attributes
    ----------
    name : str
    share : int
        Every ``share``-th document of the corpus is taken.
    seconds : float
        A method embeds for this long, or until it has embedded all documents.
    lengths : tuple of int
        Words per document, where speed is measured by length.
    documents : tuple of int
        Documents per generated corpus, where growth is measured.
    dictionary_words : int
    epochs : int
        Passes of gensim's skip-gram training.
    latency_calls : int
    growth : tuple of int
        Steps (1, 2, 4, …) over which vocabulary, K and d grow.
    rounds : int
        Times that the command line and TF-IDF take turns.
    shares : tuple of int
        Parts of the corpus (one in 8, in 4, …) on which growth is measured.
    command_documents : tuple of int
        Documents per generated file that the command line embeds.
    large_words : int
        Vectors of the large dictionary.
    cluster_files : tuple of (int, int)
        Files that a cluster embeds, and documents per file.
    cluster_rounds : int
        Times that all ways of embedding them take turns.
    """

    name: str
    share: int
    seconds: float
    lengths: tuple[int, ...]
    documents: tuple[int, ...]
    dictionary_words: int
    epochs: int
    latency_calls: int
    growth: tuple[int, ...]
    rounds: int
    shares: tuple[int, ...]
    command_documents: tuple[int, ...]
    large_words: int
    cluster_files: tuple[int, int]
    cluster_rounds: int


SIZES = {
    size.name: size
    for size in (
        Size(
            "full",
            share=1,
            seconds=20.0,
            lengths=(10, 100, 1_000, 10_000),
            documents=(1_000, 10_000, 100_000, 1_000_000),
            dictionary_words=8_000,
            epochs=15,
            latency_calls=1_000,
            growth=(1, 2, 4, 8),
            rounds=5,
            shares=(8, 4, 2, 1),
            command_documents=(10_000, 100_000, 1_000_000),
            large_words=400_000,
            cluster_files=(40, 5_000),
            cluster_rounds=7,
        ),
        Size(
            "quick",
            share=15,
            seconds=1.0,
            lengths=(10, 100, 1_000),
            documents=(1_000, 4_000, 16_000),
            dictionary_words=400,
            epochs=1,
            latency_calls=200,
            growth=(1, 2, 4),
            rounds=3,
            shares=(2, 1),
            command_documents=(1_000, 4_000),
            large_words=10_000,
            cluster_files=(4, 1_000),
            cluster_rounds=2,
        ),
        # The least that runs: do the parts fit together?
        Size(
            "tiny",
            share=60,
            seconds=0.05,
            lengths=(10, 100),
            documents=(200, 400),
            dictionary_words=150,
            epochs=1,
            latency_calls=10,
            growth=(1, 2),
            rounds=1,
            shares=(2, 1),
            command_documents=(300, 400),
            large_words=300,
            cluster_files=(2, 100),
            cluster_rounds=1,
        ),
    )
}
