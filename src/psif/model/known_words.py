"""The words of a model: from a corpus and a trainer, or from a table of vectors."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from psif.errors import InputError, PsifWarning
from psif.model.corpus import Corpus, LocalCorpus
from psif.text.buckets import bucket_names, buckets_of
from psif.text.flat import FlatDocs
from psif.text.pruning import resolve_min_count, words_to_keep
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary, count_words
from psif.types import DoubleVector, FloatMatrix, IdVector
from psif.vectors.loading import is_source
from psif.vectors.table import WordVectors
from psif.vectors.trainers import TRAINERS

OPTIONS_OF_WORDS = ("max_words", "max_doc_share", "vocabulary")


@dataclass(frozen=True)
class VectorOptions:
    """``train_options`` of :class:`psif.PSIF`, split by the step that uses them.

    Attributes
    ----------
    max_words : int or None
        The largest number of words to train vectors for.
    max_doc_share : float
        Words in a larger share of the documents get no vector when vectors are trained.
    vocabulary : {"all", "corpus"}
        Keep all words of a given table, or only those of the corpus.
    trainer : mapping
        All other options: those of the trainer.
    """

    max_words: int | None = None
    max_doc_share: float = 1.0
    vocabulary: str = "all"
    trainer: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def split(cls, train_options: Mapping[str, Any] | None) -> VectorOptions:
        """Check and split the options."""
        if train_options is not None and not isinstance(train_options, Mapping):
            raise InputError(
                f"train_options must be a dict such as {{'window': 5}}; got {train_options!r}."
            )
        rest = dict(train_options or {})
        own = {name: rest.pop(name) for name in OPTIONS_OF_WORDS if name in rest}
        options = cls(**own, trainer=rest)
        if options.vocabulary not in ("all", "corpus"):
            raise InputError(
                "train_options['vocabulary'] must be 'all' or 'corpus'; "
                f"got {options.vocabulary!r}."
            )
        return options


@dataclass(frozen=True)
class KnownWords:
    """Words with vectors, and the corpus as ids of these words.

    Attributes
    ----------
    vocabulary : Vocabulary
        The words that have a vector, then the buckets for words that have none. Counts are those
        in the corpus, 0 for words that are not in it.
    vectors : ndarray of shape (n_words, dim)
        Vectors of the words, not of the buckets.
    corpus : Corpus
    probs : ndarray of shape (n_words,)
        Share of each word in all words of the corpus, known or not.
    """

    vocabulary: Vocabulary
    vectors: FloatMatrix
    corpus: Any
    probs: DoubleVector

    @property
    def docs(self) -> FlatDocs:
        """The documents of a corpus in this process."""
        docs: FlatDocs = self.corpus.docs
        return docs


def open_vectors(vectors: Any) -> WordVectors | None:
    """Open the table given as a path or an object; None for the name of a trainer."""
    return None if _is_trainer(vectors) else _open_table(vectors)


def read_known_words(
    texts: Iterable[str], vectors: Any, tokenizer: Tokenizer, *, n_jobs: int | None, **options: Any
) -> KnownWords:
    """Read a corpus once, in this process, and find a vector for each of its words.

    The options are those of :func:`find_vectors`.
    """
    # Open the table first: a wrong path should fail before a pass over the corpus.
    table = open_vectors(vectors)
    counted, docs = count_words(texts, tokenizer, n_jobs=n_jobs)
    corpus = LocalCorpus(docs, n_jobs)
    return find_vectors(counted, corpus, vectors if table is None else table, tokenizer, **options)


def find_vectors(
    counted: Vocabulary,
    corpus: Corpus,
    table: WordVectors | str,
    tokenizer: Tokenizer,
    *,
    dim: int,
    min_count: int | None,
    options: VectorOptions,
    random_state: int,
    n_buckets: int = 0,
) -> KnownWords:
    """Find a vector for each word of a corpus that has been read.

    ``counted`` are the words of the corpus, ``table`` is the name of a trainer or a table of
    vectors, ``n_buckets`` is the number of buckets for words without a vector; ``dim`` and
    ``min_count`` are those of :class:`psif.PSIF`.
    """
    size = corpus.size
    if not size.n_docs:
        raise InputError("there are no documents to fit on; expected a list of texts.")
    if not len(counted):
        raise InputError(
            f"none of the {size.n_docs} documents has a word left after tokenising with "
            f"{tokenizer}. Look at the stop words, the pattern and the language."
        )
    # Ids of the counted words in ``known``, -1 for those without a vector.
    ids: IdVector = np.arange(len(counted), dtype=np.int32)
    read, known = corpus, counted
    if isinstance(table, str):
        least = resolve_min_count(min_count, size.n_tokens)
        kept = words_to_keep(
            counted, least, max_words=options.max_words, max_doc_share=options.max_doc_share
        )
        if not kept.all():
            known, ids = counted.keep(kept)
            corpus = corpus.remap(ids)
        matrix = corpus.train(table, known, dim=dim, random_state=random_state, **options.trainer)
    else:
        known, ids, matrix = _match(counted, table, keep_all=options.vocabulary == "all")
        corpus = corpus.remap(ids)
    known, new_ids, matrix = _drop_zero_rows(known, matrix)
    if new_ids is not None:
        corpus = corpus.remap(new_ids)
        ids = np.where(ids >= 0, new_ids[ids], -1).astype(np.int32)
    if n_buckets:
        known, ids = _add_buckets(known, counted, ids, n_buckets)
        corpus = read.remap(ids)
    return KnownWords(known, matrix, corpus, known.counts / size.n_tokens)


def _is_trainer(vectors: Any) -> bool:
    if not isinstance(vectors, str) or vectors in TRAINERS:
        return isinstance(vectors, str)
    if is_source(vectors):
        return False
    raise InputError(
        f"vectors={vectors!r} is neither a trainer ({', '.join(sorted(TRAINERS))}) "
        "nor an existing file or folder."
    )


def _open_table(vectors: Any) -> WordVectors:
    if isinstance(vectors, str | Path):
        return WordVectors.load(vectors)
    return WordVectors.from_object(vectors)


def _match(
    counted: Vocabulary, table: WordVectors, *, keep_all: bool
) -> tuple[Vocabulary, IdVector, FloatMatrix]:
    """Renumber the words by the rows of a table; words without a row are skipped.

    A table with subwords first gets a row for each word of the corpus that subwords can build.
    """
    table = table.with_words(counted.words)
    rows = np.array([table.index.get(word, -1) for word in counted.words], dtype=np.int32)
    seen = rows >= 0
    if not seen.any():
        raise InputError(
            f"none of the {len(counted)} words of the corpus is in the table of {len(table)} word "
            f"vectors (corpus: {counted.words[:5]}, table: {table.words[:5]}). "
            "Is it another language, or not lower-cased?"
        )
    counts = np.zeros(len(table), dtype=np.int64)
    doc_counts = np.zeros(len(table), dtype=np.int64)
    counts[rows[seen]] = counted.counts[seen]
    doc_counts[rows[seen]] = counted.doc_counts[seen]
    known = Vocabulary(list(table.words), counts, doc_counts, counted.n_docs)
    if keep_all:
        return known, rows, np.asarray(table.matrix)
    known, new_ids = known.keep(counts > 0)
    both = np.where(seen, new_ids[rows], -1).astype(np.int32)
    return known, both, np.asarray(table.matrix[counts > 0])


def _drop_zero_rows(
    known: Vocabulary, matrix: FloatMatrix
) -> tuple[Vocabulary, IdVector | None, FloatMatrix]:
    """Treat a word whose vector is zero as a word without a vector."""
    nonzero: np.ndarray = np.any(matrix, axis=1)
    if nonzero.all():
        return known, None, matrix
    if not nonzero.any():
        raise InputError("all word vectors are zero; there is nothing to average.")
    warnings.warn(
        f"{(~nonzero).sum()} words have a zero vector and are treated as unknown, "
        f"the first is {known.words[int(np.argmin(nonzero))]!r}.",
        PsifWarning,
        stacklevel=2,
    )
    known, new_ids = known.keep(nonzero)
    return known, new_ids, matrix[nonzero]


def _add_buckets(
    known: Vocabulary, counted: Vocabulary, ids: IdVector, n_buckets: int
) -> tuple[Vocabulary, IdVector]:
    """Append buckets, and assign the words without a vector, and their counts, to them."""
    lost = np.flatnonzero(ids < 0)
    buckets = buckets_of([counted.words[i] for i in lost.tolist()], n_buckets)
    ids = ids.copy()
    ids[lost] = len(known) + buckets
    counts = np.zeros(n_buckets, dtype=np.int64)
    doc_counts = np.zeros(n_buckets, dtype=np.int64)
    np.add.at(counts, buckets, counted.counts[lost])
    np.add.at(doc_counts, buckets, counted.doc_counts[lost])
    # Two words of one bucket may share documents, so this is an upper bound.
    doc_counts = np.minimum(doc_counts, counted.n_docs)
    both = Vocabulary(
        known.words + bucket_names(n_buckets),
        np.concatenate([known.counts, counts]),
        np.concatenate([known.doc_counts, doc_counts]),
        known.n_docs,
        n_buckets,
    )
    return both, ids
