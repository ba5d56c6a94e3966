"""From raw documents to word vectors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from psif.errors import InputError
from psif.text.phrases import find_phrases
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import count_words
from psif.types import FloatMatrix
from psif.vectors.progress import Progress
from psif.vectors.trainers import check_options, train_on_ids


def train(
    texts: Iterable[str],
    method: str = "ppmi",
    *,
    dim: int = 200,
    min_count: int = 5,
    tokenizer: str | Tokenizer | None = None,
    phrases: int = 0,
    random_state: int | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> tuple[list[str], FloatMatrix]:
    """Cut texts into words, keep the frequent ones and train on them.

    Parameters
    ----------
    texts : iterable of str
    method : str, default="ppmi"
        A trainer of :data:`psif.vectors.trainers.TRAINERS`.
    min_count : int, default=5
        Words with fewer occurrences get no vector; they are skipped, not gaps in a window.
    tokenizer : str, Tokenizer or None
        A preset, a regular expression or a tokenizer; None is "unicode".
    phrases : int, default=0
        Rounds of joining frequent pairs of words: 1 gives ``new_york``, 2 also longer ones.
    dim, random_state, n_jobs, progress, **options
        As in :func:`psif.vectors.trainers.train_on_ids`.
    """
    if isinstance(texts, str):
        raise InputError("texts is a single string; give a list of documents.")
    check_options(method, options)
    vocabulary, docs = count_words(texts, Tokenizer.of(tokenizer or "unicode"))
    for _ in range(phrases):
        _, vocabulary, docs = find_phrases(docs, vocabulary)
    kept, new_ids = vocabulary.keep(vocabulary.counts >= min_count)
    if not len(kept):
        most = (
            f"the most frequent occurs {vocabulary.counts[0]} times"
            if len(vocabulary)
            else "there are no words at all"
        )
        raise InputError(
            f"no word of the {len(docs)} documents occurs {min_count} times ({most}). "
            "Give more documents or lower min_count."
        )
    matrix = train_on_ids(
        method, docs.remap(new_ids), kept, dim=dim, random_state=random_state, n_jobs=n_jobs,
        progress=progress, **options,
    )  # fmt: skip
    return kept.words, matrix
