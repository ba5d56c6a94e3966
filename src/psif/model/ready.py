r"""Models that are ready without fitting: the table of a language, inside the package.

The words of a table were trained on a teacher's sentence vectors (:mod:`psif.vectors.distill`), so
that the sum of the words of a text points where the teacher's vector of it points. A document is
this sum: the length of a word's row is its weight :math:`\lambda_w`, the direction its vector. The
topics of the table say what a similarity is about; they do not enter the vectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from psif.documents.averaging import WordTopics
from psif.explain.topic_words import TopicWords
from psif.runtime.norms import write_unit_rows
from psif.text.buckets import N_BUCKETS, bucket_names
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary
from psif.vectors.hashed import hashed_vectors
from psif.vectors.packed import PackedTable
from psif.vectors.ready import READY, ready_table
from psif.vectors.table import WordVectors

if TYPE_CHECKING:
    from psif.model.embedder import Embedder

M = TypeVar("M", bound="Embedder")


def ready_model(kind: type[M], name: str) -> M:
    """Make a fitted model from a table inside the package."""
    model = model_of(kind, ready_table(name), checksum=READY[name])
    model.vectors_ = name
    return model


def model_of(kind: type[M], table: PackedTable, *, checksum: str | None = None) -> M:
    """Make a fitted model from a packed table.

    The preset "sentences" has the settings; the words outside the table fall into buckets, each a
    random direction, so that a name counts when it stands in both of two texts.
    """
    model = kind.from_preset("sentences", vectors=WordVectors(table.words, table.vectors))
    model.vocabulary_ = _vocabulary(table)
    model.tokenizer_ = Tokenizer.of(model.tokenizer)
    model.words_ = words = _words(table, model.counts)
    model.n_topics_, model.partition_ = len(table.atoms), "ksvd"
    model.atoms_, model.losses_ = table.atoms, []
    # What all sentences have in common was taken out of the teacher's vectors.
    model.components_ = np.zeros((0, words.n_features), dtype=np.float32)
    model.word_columns_, model.table_ = None, words.vectors
    model.topic_words_ = TopicWords(
        table.topic_words.astype(np.int64), table.topic_scores, table.topic_means
    )
    known = model.vocabulary_
    model.n_docs_, model.n_tokens_ = known.n_docs, int(known.counts.sum())
    model.vectors_ = "given"
    model.coverage_, model.n_empty_ = float(table.facts.get("coverage", 1.0)), 0
    model.checksum_ = checksum
    return model


def _vocabulary(table: PackedTable) -> Vocabulary:
    counts = np.concatenate([table.counts, np.zeros(N_BUCKETS, dtype=np.int64)])
    words = table.words + bucket_names(N_BUCKETS)
    return Vocabulary(words, counts, counts, int(counts.sum()), N_BUCKETS)


def _words(table: PackedTable, counts: str) -> WordTopics:
    (n_words, dim), n_topics = table.vectors.shape, len(table.atoms)
    directions = np.empty((n_words + N_BUCKETS, dim), dtype=np.float32)
    lengths = write_unit_rows(table.vectors, directions[:n_words])
    directions[n_words:] = hashed_vectors(bucket_names(N_BUCKETS), dim)
    unknown = np.full(N_BUCKETS, table.facts["bucket_length"], dtype=np.float32)
    # A word outside the table belongs to no topic more than to another.
    even = np.full((N_BUCKETS, n_topics), n_topics**-0.5, dtype=np.float32)
    return WordTopics(
        np.concatenate([lengths, unknown]),
        np.vstack([table.codes, even]),
        directions,
        counts,
    )
