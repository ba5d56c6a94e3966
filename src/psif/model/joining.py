r"""A small corpus, joined with the table of its language that psif holds.

A few documents do not show what words mean. A table made of much more text does, but it does not
know what words mean here. Let :math:`u_w` be the direction of a word in the table and :math:`l_w`
its length, :math:`x_d` the unit vector of a document by the table, :math:`\bar x` their mean, and
:math:`n_w` the number of documents with the word. Its vector and its weight are

.. math:: v_w = \frac{k \, u_w + \sum_{d \ni w} (x_d - \bar x)}{k + n_w}, \qquad
          \lambda_w = l_w \sqrt{\mathrm{idf}_w}

So the table decides where the corpus says little, and the corpus where it says much. A word whose
documents do not agree gets short. A word outside the table starts from a random direction
(:mod:`psif.vectors.hashed`), so that its documents give it a meaning.

Documents are sums of words, as in :mod:`psif.model.ready`; topics say what a similarity is about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from psif.documents.averaging import WordTopics
from psif.documents.smoothing import presence
from psif.documents.weights import idf_weights
from psif.explain.topic_words import TopicWords, learn_topic_words
from psif.explain.topics import document_shares
from psif.model.corpus import Corpus
from psif.model.settings import Settings
from psif.partitions.coding import sparse_codes
from psif.partitions.shaping import shape_codes
from psif.runtime.blas import single_threaded_blas
from psif.runtime.norms import unit_rows
from psif.runtime.threads import Workers
from psif.text.buckets import N_BUCKETS, bucket_names
from psif.text.flat import FlatDocs
from psif.text.vocabulary import Vocabulary
from psif.types import CountVector, FloatMatrix, IdVector
from psif.vectors.hashed import hashed_vectors
from psif.vectors.packed import PackedTable
from psif.vectors.ready import READY, ready_table

# From so many words or documents on, a corpus shows more by itself; docs/research.md has the
# evidence for all these numbers.
MOST_TOKENS = 30_000
MOST_DOCS = 500
# k: with so many documents of a word, table and corpus count alike.
_EVIDENCE = 10.0
# The share of the corpus that words of the language make up, all and the most frequent ones.
_LEAST_KNOWN = 0.7
_N_FREQUENT, _LEAST_FREQUENT = 3_000, 0.4
# Settings that say nothing about how words get their vectors.
_FREE = frozenset({"vectors", "tokenizer", "normalize", "random_state", "n_jobs"})
_TOPICS_A_WORD = 4
# Fewer documents than this say too little about sixty topics to name them.
_LEAST_NAMING = 200


def leaves_open(params: Mapping[str, Any]) -> bool:
    """Say whether the settings leave open where vectors come from: all are the defaults."""
    defaults = Settings().settings
    return params["vectors"] == "auto" and all(
        params.get(name, default) == default
        for name, default in defaults.items()
        if name not in _FREE
    )


def find_table(counted: Vocabulary, n_tokens: int) -> tuple[str, PackedTable] | None:
    """Return the table of a small corpus's language, with its name; None if psif has none."""
    if not 0 < n_tokens < MOST_TOKENS or counted.n_docs > MOST_DOCS:
        return None
    for name in READY:
        table = ready_table(name)
        if speaks(table, counted.words, counted.counts):
            return name, table
    return None


def is_of_a_ready_language(counts: Mapping[str, int]) -> bool:
    """Say whether counted words are of a language that psif has a table of."""
    words, numbers = list(counts), np.array(list(counts.values()), dtype=np.int64)
    return any(speaks(ready_table(name), words, numbers) for name in READY)


def speaks(table: PackedTable, words: Sequence[str], counts: CountVector) -> bool:
    """Say whether words, by their counts, are of the language of a table.

    Related languages share many words with a large table, names above all, but few of its most
    frequent ones.
    """
    rank = {word: place for place, word in enumerate(table.words)}
    places = np.array([rank.get(word, len(rank)) for word in words], dtype=np.int64)
    total = counts.sum() or 1
    known = counts[places < len(rank)].sum() / total
    frequent = counts[places < _N_FREQUENT].sum() / total
    return bool(known >= _LEAST_KNOWN and frequent >= _LEAST_FREQUENT)


def join(
    name: str,
    table: PackedTable,
    counted: Vocabulary,
    corpus: Corpus,
    params: Mapping[str, Any],
    seed: int,
) -> tuple[dict[str, Any], Any]:
    """Join a table with a corpus whose words have been counted.

    Returns
    -------
    learned : dict
        The learned attributes of :class:`psif.PSIF`, by name.
    corpus : Corpus
        The documents as sorted ids of words.
    """
    known, ids = _vocabulary(table, counted)
    corpus = corpus.remap(ids).sort()
    size = corpus.size
    docs = corpus.sample(size.n_docs, seed)
    words = _words(table, known, docs, params)
    learned = {
        "vocabulary_": known,
        "words_": words,
        "n_topics_": words.n_topics,
        "partition_": "ksvd",
        "atoms_": table.atoms,
        "losses_": [],
        "components_": np.zeros((0, words.n_features), dtype=np.float32),
        "word_columns_": None,
        "table_": words.vectors,
        "topic_words_": _topic_words(table, words, known, docs, params["n_jobs"]),
        "vectors_": name,
        "n_docs_": size.n_docs,
        "n_tokens_": size.n_tokens,
        "coverage_": size.coverage,
        "n_empty_": size.n_empty,
        "checksum_": None,
    }
    return learned, corpus


def _topic_words(
    table: PackedTable, words: WordTopics, known: Vocabulary, docs: FlatDocs, n_jobs: int | None
) -> TopicWords:
    """Name topics after the documents, as every model does; after the table if they are few."""
    if len(docs) >= _LEAST_NAMING:
        return learn_topic_words(words, known.words, docs, n_jobs)
    return TopicWords(
        table.topic_words.astype(np.int64),
        table.topic_scores,
        document_shares(words, docs, n_jobs).mean(axis=0, dtype=np.float32),
    )


def _vocabulary(table: PackedTable, counted: Vocabulary) -> tuple[Vocabulary, IdVector]:
    """Return the words of the table, further words of the corpus, buckets; and ids of the corpus.

    Counts are those in the corpus.
    """
    rows = {word: row for row, word in enumerate(table.words)}
    for word in counted.words:
        rows.setdefault(word, len(rows))
    ids = np.array([rows[word] for word in counted.words], dtype=np.int32)
    names = list(rows) + bucket_names(N_BUCKETS)
    counts, doc_counts = (np.zeros(len(names), dtype=np.int64) for _ in range(2))
    counts[ids], doc_counts[ids] = counted.counts, counted.doc_counts
    return Vocabulary(names, counts, doc_counts, counted.n_docs, N_BUCKETS), ids


def _words(
    table: PackedTable, known: Vocabulary, docs: FlatDocs, params: Mapping[str, Any]
) -> WordTopics:
    """Return weights, codes and vectors of all words."""
    n_table = len(table.words)
    others = hashed_vectors(known.words[n_table:], table.vectors.shape[1])
    directions = np.vstack([unit_rows(table.vectors), others])
    lengths = np.full(len(known), table.facts["bucket_length"])
    lengths[:n_table] = np.linalg.norm(table.vectors, axis=1)
    idf = idf_weights(known.doc_counts, known.n_docs)
    weights = (lengths * np.sqrt(idf)).astype(np.float32)
    # A word outside the table and the corpus belongs to no topic more than to another.
    codes = np.full((len(known), len(table.atoms)), len(table.atoms) ** -0.5, dtype=np.float32)
    codes[:n_table] = table.codes
    plain = WordTopics(weights, codes, directions, params["counts"])
    seen = np.flatnonzero(known.doc_counts).astype(np.int32)
    moved = _moved(plain, known.doc_counts, docs, seen, params["n_jobs"])
    directions[seen] = moved
    with Workers(params["n_jobs"]) as workers, single_threaded_blas():
        found = sparse_codes(unit_rows(moved), table.atoms, _TOPICS_A_WORD, workers=workers)
    codes[seen] = shape_codes(found, "nonnegative-unit")
    return plain


def _moved(
    words: WordTopics, doc_counts: CountVector, docs: FlatDocs, seen: IdVector, n_jobs: int | None
) -> FloatMatrix:
    """Return the vectors of the words of the corpus, moved by their documents."""
    means = unit_rows(words.average_table(docs, words.vectors, n_jobs=n_jobs))
    n_docs = doc_counts[seen].astype(np.float32)[:, None]
    sums = presence(docs, len(words.weights)).T[seen] @ means - n_docs * means.mean(axis=0)
    moved: FloatMatrix = (_EVIDENCE * words.vectors[seen] + sums) / (_EVIDENCE + n_docs)
    return moved.astype(np.float32)
