"""The words a model knows: from a corpus and a trainer, or from a table of vectors."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from psif.errors import InputError, PsifWarning
from psif.text.flat import FlatDocs
from psif.text.pruning import prune
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary, count_words
from psif.types import DoubleVector, FloatMatrix
from psif.vectors.loading import is_source
from psif.vectors.table import WordVectors
from psif.vectors.trainers import TRAINERS, train_on_ids


@dataclass(frozen=True)
class Lexicon:
    """Words with vectors, and the corpus as ids into them.

    Attributes
    ----------
    vocabulary : Vocabulary
        The words that have a vector; counts are those of the corpus (0: not in it).
    vectors : ndarray of shape (n_words, dim)
    docs : FlatDocs
    probs : ndarray of shape (n_words,)
        Share of each word in all words of the corpus, known or not.
    """

    vocabulary: Vocabulary
    vectors: FloatMatrix
    docs: FlatDocs
    probs: DoubleVector


def build_lexicon(
    texts: Iterable[str],
    vectors: Any,
    tokenizer: Tokenizer,
    *,
    dim: int,
    min_count: int | None,
    max_words: int | None,
    max_doc_share: float,
    vocabulary: str,
    train_options: Mapping[str, Any] | None,
    random_state: int,
    n_jobs: int | None,
) -> Lexicon:
    """Read the corpus once and find a vector for each of its words.

    ``vectors`` is a trainer's name, a path, a :class:`WordVectors` or a gensim ``KeyedVectors``;
    the other arguments are those of :class:`psif.PSIF`.
    """
    if vocabulary not in ("all", "corpus"):
        raise InputError(f"vocabulary must be 'all' or 'corpus'; got {vocabulary!r}.")
    # The table first: a wrong path should not cost a pass over the corpus.
    table = None if _is_trainer(vectors) else _open_table(vectors)
    corpus, docs = count_words(texts, tokenizer, n_jobs=n_jobs)
    if not len(docs):
        raise InputError("there are no documents to fit on; expected a list of texts.")
    if not len(docs.ids):
        raise InputError(
            f"none of the {len(docs)} documents has a word left after tokenising with {tokenizer}. "
            "Look at the stop words, the pattern and the language."
        )
    total = int(docs.n_tokens.sum())
    if table is not None:
        known, docs, matrix = _match(corpus, docs, table, keep_all=vocabulary == "all")
    else:
        known, docs = prune(
            corpus, docs, min_count=min_count, max_words=max_words, max_doc_share=max_doc_share
        )
        matrix = train_on_ids(
            vectors,
            docs,
            known,
            dim=dim,
            random_state=random_state,
            n_jobs=n_jobs,
            **(train_options or {}),
        )
    known, docs, matrix = _drop_zero_rows(known, docs, matrix)
    return Lexicon(known, matrix, docs, known.counts / total)


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
    corpus: Vocabulary, docs: FlatDocs, table: WordVectors, *, keep_all: bool
) -> tuple[Vocabulary, FlatDocs, FloatMatrix]:
    """Renumber the corpus by the rows of a table; words without a row are skipped.

    A table with subwords first gets a row for each word of the corpus that it can build.
    """
    table = table.with_words(corpus.words)
    rows = np.array([table.index.get(word, -1) for word in corpus.words], dtype=np.int32)
    seen = rows >= 0
    if not seen.any():
        raise InputError(
            f"none of the {len(corpus)} words of the corpus is in the table of {len(table)} word "
            f"vectors (corpus: {corpus.words[:5]}, table: {table.words[:5]}). "
            "Is it another language, or not lower-cased?"
        )
    counts = np.zeros(len(table), dtype=np.int64)
    doc_counts = np.zeros(len(table), dtype=np.int64)
    counts[rows[seen]] = corpus.counts[seen]
    doc_counts[rows[seen]] = corpus.doc_counts[seen]
    known = Vocabulary(list(table.words), counts, doc_counts, corpus.n_docs)
    docs = docs.remap(rows)
    if keep_all:
        return known, docs, np.asarray(table.matrix)
    known, new_ids = known.keep(counts > 0)
    return known, docs.remap(new_ids), np.asarray(table.matrix[counts > 0])


def _drop_zero_rows(
    known: Vocabulary, docs: FlatDocs, matrix: FloatMatrix
) -> tuple[Vocabulary, FlatDocs, FloatMatrix]:
    """Treat a word whose vector is zero as a word without one: it says nothing."""
    nonzero: np.ndarray = np.any(matrix, axis=1)
    if nonzero.all():
        return known, docs, matrix
    if not nonzero.any():
        raise InputError("all word vectors are zero; there is nothing to average.")
    warnings.warn(
        f"{(~nonzero).sum()} words have a zero vector and are treated as unknown, "
        f"the first is {known.words[int(np.argmin(nonzero))]!r}.",
        PsifWarning,
        stacklevel=2,
    )
    known, new_ids = known.keep(nonzero)
    return known, docs.remap(new_ids), matrix[nonzero]
