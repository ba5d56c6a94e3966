"""Find the copies among texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from psif.group.duplicates.keeping import copy_groups
from psif.group.duplicates.levels import PARAPHRASE, check_level, check_threshold
from psif.group.duplicates.matching import Matches, Progress, match_words
from psif.group.duplicates.words import Words, read_words
from psif.text.checks import check_texts

if TYPE_CHECKING:
    from psif.model.embedder import Embedder


def find_duplicates(
    texts: Iterable[str],
    threshold: float = 0.9,
    *,
    level: str = "near",
    model: Embedder | None = None,
    n_jobs: int | None = None,
) -> list[list[int]]:
    """Find groups of texts that are copies of one another.

    Candidates come from MinHash with word weights, so that the time grows with the number of texts
    and not with the number of pairs. Every link between two texts is decided exactly; see
    :mod:`psif.group.duplicates.levels`. Texts are in one group if links connect them.

    Parameters
    ----------
    texts : iterable of str
    threshold : float, default=0.9
        How alike two texts must be, from 0.5 to 1. 0.9 lets a fifth of the words change.
    level : {"identical", "near", "paraphrase"}, default="near"
        What counts as a copy. Each level includes the ones before it: the same words in the same
        order; the same text with some words changed or moved; other words for the same, by the
        cosine of P-SIF vectors.
    model : PSIF or Embedder, optional
        For paraphrases. Without one, a model is learned from the texts.
    n_jobs : int or None
        Threads; None is all cores. Results do not depend on it.

    Returns
    -------
    groups : list of list of int
        Positions of the texts of each group of two or more, in rising order.

    Examples
    --------
    >>> from psif import find_duplicates
    >>> find_duplicates(["A cat sat here.", "Stocks fell", "a cat sat  here", "Rain"])
    [[0, 2]]
    """
    found = check_texts(texts)
    kept = list(found) if level == PARAPHRASE else found
    matches, _ = find_matches(lambda: kept, threshold, level=level, model=model, n_jobs=n_jobs)
    return copy_groups(matches)


def find_matches(
    read_texts: Callable[[], Iterable[str]],
    threshold: float = 0.9,
    *,
    level: str = "near",
    model: Embedder | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> tuple[Matches, Words]:
    """Link the copies among texts that are read once, or three times for paraphrases."""
    check_threshold(threshold)
    check_level(level)
    words = read_words(read_texts())
    matches = match_words(words, threshold, level, n_jobs=n_jobs, progress=progress)
    if level == PARAPHRASE:
        from psif.group.duplicates.paraphrases import link_paraphrases

        link_paraphrases(matches, read_texts, threshold, model)
    return matches, words
