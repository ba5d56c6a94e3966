"""The table: words trained on the teacher's vectors, their topics, packed into one file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from psif.documents.averaging import WordTopics
from psif.explain.topic_words import topic_words_of_codes
from psif.partitions.selection import make_partition
from psif.partitions.shaping import shape_codes
from psif.runtime.norms import unit_rows
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary
from psif.vectors.distill import train_table
from psif.vectors.encoding import SentenceEncoder
from psif.vectors.packed import PackedTable, read_packed, write_packed
from psif.vectors.sentence_cache import SentenceCache, chunks
from psif.vectors.sentence_training import TrainingOptions

N_WORDS = 56_000
DIM = 256
N_TOPICS = 60
# Length of the vector of a word outside the table, relative to the mean length.
BUCKET_LENGTH = 1.6
_OPTIONS = TrainingOptions(prior=5.0, norm_power=0.55)
# Words that topics are learned from: the frequent ones, so that names do not make topics.
_WORDS_FOR_TOPICS = 20_000
_PER = 1e9  # counts are those in a text of so many words


def frequent_words() -> tuple[list[str], np.ndarray]:
    """Return the most frequent words that the tokenizer leaves whole, and their counts."""
    from wordfreq import top_n_list, word_frequency

    tokenizer = Tokenizer()
    words = [word for word in top_n_list("en", 2 * N_WORDS) if tokenizer(word) == [word]]
    words = words[:N_WORDS]
    return words, np.array([word_frequency(word, "en") * _PER for word in words], dtype=np.int64)


def alone(teacher: Path, words: list[str], cache: Path) -> np.ndarray:
    """Return the vectors of words alone, from the cache if they are there."""
    store = SentenceCache(cache, "model words")
    encoder = SentenceEncoder(teacher)
    vectors = store.read(words, encoder.dim)
    if vectors is None:
        vectors = unit_rows(encoder.encode(words)).astype(np.float16).astype(np.float32)
        store.write(words, vectors)
    return vectors


def cached(teacher: Path, identity: str, sentences: list[str], cache: Path) -> np.ndarray:
    """Return the teacher's vectors of the chunks that are in the cache, up to the first gap."""
    store = SentenceCache(cache, identity)
    dim = SentenceEncoder(teacher).dim
    parts = []
    for chunk in chunks(sentences):
        vectors = store.read(chunk, dim) if store.path(chunk).is_file() else None
        if vectors is None:
            break
        parts.append(vectors)
    return np.concatenate(parts)


def make(
    path: Path, words: list[str], counts: np.ndarray, sentences: list[str],
    words_alone: np.ndarray, vectors: np.ndarray, facts: dict[str, Any],
) -> str:  # fmt: skip
    """Train, find topics, write the file and return its SHA-256."""
    zeros = np.zeros(len(words), dtype=np.int64)
    docs = Vocabulary(words, zeros, zeros, 0).encode(sentences, Tokenizer(), n_jobs=1)
    table = train_table(words_alone, docs, vectors, DIM, _OPTIONS)
    directions = unit_rows(table)
    learner = make_partition("ksvd", N_TOPICS, random_state=0, n_active=4, n_jobs=1)
    learned = learner.fit(directions[:_WORDS_FOR_TOPICS])
    codes = shape_codes(learned.encode(directions), "nonnegative-unit")
    length = BUCKET_LENGTH * float(np.linalg.norm(table, axis=1).mean())
    facts = {
        **facts,
        "sentences": len(sentences),
        "coverage": round(docs.coverage, 4),
        "bucket_length": round(length, 6),
    }
    unnamed = np.zeros((N_TOPICS, 0))
    packed = PackedTable(
        words, table, counts, codes, learned.atoms_, unnamed, unnamed, np.zeros(N_TOPICS), facts
    )
    write_packed(path, packed)
    # Topics are named after the rounded numbers, those that users get.
    rounded = read_packed(path)
    lengths, directions = np.linalg.norm(rounded.vectors, axis=1), unit_rows(rounded.vectors)
    named = topic_words_of_codes(WordTopics(lengths, rounded.codes, directions), words, counts)
    return write_packed(
        path,
        replace(
            packed,
            topic_words=named.ids,
            topic_scores=named.scores,
            topic_means=named.means,
        ),
    )
