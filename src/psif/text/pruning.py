"""Which words of a corpus are worth a vector."""

from __future__ import annotations

import numpy as np

from psif.errors import InputError
from psif.text.flat import FlatDocs
from psif.text.vocabulary import Vocabulary

# Minimum count when the user names none: rare words of a small corpus are most of it, rare
# words of a large one are mostly noise. (tokens in the corpus at least, minimum count)
_MIN_COUNTS = ((200_000, 5), (8_000, 2), (0, 1))


def prune(
    corpus: Vocabulary,
    docs: FlatDocs,
    *,
    min_count: int | None = None,
    max_words: int | None = None,
    max_doc_share: float = 1.0,
) -> tuple[Vocabulary, FlatDocs]:
    """Drop words that are too rare, too common, or beyond the most frequent.

    Parameters
    ----------
    corpus : Vocabulary
    docs : FlatDocs
        Ids into ``corpus``.
    min_count : int or None
        Fewest occurrences; ``None`` is 5, 2 or 1 for corpora of 200,000 words, 8,000 or fewer.
    max_words : int or None
        Most words to keep.
    max_doc_share : float, default=1.0
        Largest share of the documents in which a word may occur.
    """
    kept = words_to_keep(
        corpus,
        resolve_min_count(min_count, int(docs.n_tokens.sum())),
        max_words=max_words,
        max_doc_share=max_doc_share,
    )
    if kept.all():
        return corpus, docs
    smaller, new_ids = corpus.keep(kept)
    return smaller, docs.remap(new_ids)


def resolve_min_count(min_count: int | None, n_tokens: int) -> int:
    """Fewest occurrences of a word; None decides by the words in the corpus."""
    if min_count is None:
        return next(count for size, count in _MIN_COUNTS if n_tokens >= size)
    if min_count < 1:
        raise InputError(f"min_count must be at least 1; got {min_count}.")
    return min_count


def words_to_keep(
    corpus: Vocabulary, min_count: int, *, max_words: int | None, max_doc_share: float
) -> np.ndarray:
    """Mark the words that :func:`prune` keeps."""
    if max_words is not None and max_words < 1:
        raise InputError(f"max_words must be at least 1; got {max_words}.")
    if not 0 < max_doc_share <= 1:
        raise InputError(f"max_doc_share must be above 0 and at most 1; got {max_doc_share}.")
    if not len(corpus):
        raise InputError(f"there are no words in the {corpus.n_docs} documents.")
    kept = (corpus.counts >= min_count) & (corpus.doc_counts <= max_doc_share * corpus.n_docs)
    if max_words is not None:
        kept &= kept.cumsum() <= max_words
    if not kept.any():
        raise InputError(
            f"no word occurs min_count={min_count} times in at most {max_doc_share:.0%} of the "
            f"documents; the most frequent, {corpus.words[0]!r}, occurs {corpus.counts[0]} times "
            f"in {corpus.doc_counts[0]} of {corpus.n_docs}. Lower min_count or give more texts."
        )
    return kept
