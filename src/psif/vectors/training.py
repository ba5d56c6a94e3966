"""From raw documents to word vectors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from psif.errors import InputError
from psif.text.phrases import find_phrases
from psif.text.pruning import prune
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
    min_count: int | None = 5,
    max_words: int | None = None,
    max_doc_share: float = 1.0,
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
    min_count, max_words, max_doc_share
        Which words get a vector, see :func:`psif.text.pruning.prune`. Others are skipped, not gaps
        in a window.
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
    vocabulary, docs = prune(
        vocabulary, docs, min_count=min_count, max_words=max_words, max_doc_share=max_doc_share
    )
    matrix = train_on_ids(
        method, docs, vocabulary, dim=dim, random_state=random_state, n_jobs=n_jobs,
        progress=progress, **options,
    )  # fmt: skip
    return vocabulary.words, matrix
