"""The words a model knows: from a corpus and a trainer, or from a table of vectors."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from psif.corpus import Corpus
from psif.errors import InputError, PsifWarning
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary
from psif.types import DoubleVector, FloatMatrix, IdVector
from psif.vectors.loading import is_source
from psif.vectors.table import WordVectors
from psif.vectors.trainers import TRAINERS

# Minimum count when the user names none: rare words of a small corpus are most of it, rare
# words of a large one are mostly noise. (tokens in the corpus at least, minimum count)
_MIN_COUNTS = ((200_000, 5), (20_000, 2), (0, 1))


@dataclass(frozen=True)
class Lexicon:
    """Words with vectors, and the corpus as ids into them.

    Attributes
    ----------
    vocabulary : Vocabulary
        The words that have a vector; counts are those of the corpus (0: not in it).
    vectors : ndarray of shape (n_words, dim)
    corpus : Corpus
    probs : ndarray of shape (n_words,)
        Share of each word in all words of the corpus, known or not.
    """

    vocabulary: Vocabulary
    vectors: FloatMatrix
    corpus: Any
    probs: DoubleVector


def open_vectors(vectors: Any) -> WordVectors | None:
    """Open the table that a path or an object is; None for a trainer's name."""
    return None if _is_trainer(vectors) else _open_table(vectors)


def build_lexicon(
    counted: Vocabulary,
    corpus: Corpus,
    table: WordVectors | str,
    tokenizer: Tokenizer,
    *,
    dim: int,
    min_count: int | None,
    max_words: int | None,
    vocabulary: str,
    train_options: Mapping[str, Any] | None,
    random_state: int,
) -> Lexicon:
    """Find a vector for each word of a corpus that has been read.

    ``counted`` are the words of the corpus, ``table`` is a trainer's name or a table of vectors;
    the other arguments are those of :class:`psif.PSIF`.
    """
    if vocabulary not in ("all", "corpus"):
        raise InputError(f"vocabulary must be 'all' or 'corpus'; got {vocabulary!r}.")
    size = corpus.size
    if not size.n_docs:
        raise InputError("there are no documents to fit on; expected a list of texts.")
    if not len(counted):
        raise InputError(
            f"none of the {size.n_docs} documents has a word left after tokenising with "
            f"{tokenizer}. Look at the stop words, the pattern and the language."
        )
    least = 1 if not isinstance(table, str) else resolve_min_count(min_count, size.n_tokens)
    known, new_ids = _prune(counted, least, max_words)
    corpus = corpus if new_ids is None else corpus.remap(new_ids)
    if isinstance(table, str):
        matrix = corpus.train(
            table, known, dim=dim, random_state=random_state, **(train_options or {})
        )
    else:
        known, new_ids, matrix = _match(known, table, keep_all=vocabulary == "all")
        corpus = corpus.remap(new_ids)
    known, new_ids, matrix = _drop_zero_rows(known, matrix)
    corpus = corpus if new_ids is None else corpus.remap(new_ids)
    return Lexicon(known, matrix, corpus, known.counts / size.n_tokens)


def resolve_min_count(min_count: int | None, n_tokens: int) -> int:
    """Minimum count of trained words; None decides by the size of the corpus."""
    if min_count is None:
        return next(count for size, count in _MIN_COUNTS if n_tokens >= size)
    if min_count < 1:
        raise InputError(f"min_count must be at least 1; got {min_count}.")
    return min_count


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


def _prune(
    counted: Vocabulary, min_count: int, max_words: int | None
) -> tuple[Vocabulary, IdVector | None]:
    """Drop words that are too rare or beyond the ``max_words`` most frequent.

    The ids are the new ones, None where nothing changed.
    """
    if max_words is not None and max_words < 1:
        raise InputError(f"max_words must be at least 1; got {max_words}.")
    kept = counted.counts >= min_count
    if max_words is not None:
        kept[max_words:] = False
    if not kept.any():
        raise InputError(
            f"no word occurs min_count={min_count} times; the most frequent, "
            f"{counted.words[0]!r}, occurs {counted.counts[0]} times. Lower min_count."
        )
    return (counted, None) if kept.all() else counted.keep(kept)


def _match(
    counted: Vocabulary, table: WordVectors, *, keep_all: bool
) -> tuple[Vocabulary, IdVector, FloatMatrix]:
    """Renumber the words by the rows of a table; words without a row are skipped.

    A table with subwords first gets a row for each word of the corpus that it can build.
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
    """Treat a word whose vector is zero as a word without one: it says nothing."""
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
