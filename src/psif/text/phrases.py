"""Join words that stand together far more often than chance: ``new york`` to ``new_york``."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from psif.errors import InputError
from psif.text.flat import FlatDocs
from psif.text.pairs import Pairs, named_pairs
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary, count_ids, count_words
from psif.types import CountVector


def count_with_phrases(
    texts: Iterable[str], tokenizer: Tokenizer, rounds: int, *, n_jobs: int | None = None
) -> tuple[Tokenizer, Vocabulary, FlatDocs]:
    """Count the words of a corpus, joining phrases in ``rounds`` passes over its ids.

    Returns
    -------
    tokenizer : Tokenizer
        Joins the same phrases in new texts.
    vocabulary : Vocabulary
    docs : FlatDocs
    """
    vocabulary, docs = count_words(texts, tokenizer, n_jobs=n_jobs)
    for _ in range(rounds):
        pairs, vocabulary, docs = find_phrases(docs, vocabulary)
        tokenizer = tokenizer.with_phrases(pairs)
    return tokenizer, vocabulary, docs


def find_phrases(
    docs: FlatDocs, vocabulary: Vocabulary, *, min_count: int = 10, threshold: float = 20.0
) -> tuple[Pairs, Vocabulary, FlatDocs]:
    r"""Find phrases of two words and rewrite the documents with them.

    A pair that occurs :math:`n_{ab} \ge` ``min_count`` times is a phrase when

    .. math:: \frac{(n_{ab} - \delta)\, N}{n_a n_b} \ge \text{threshold}

    with N all words and :math:`\delta` = ``min_count``, which keeps pairs of rare words out
    (equation 6 of Mikolov et al. 2013, times N, so that the threshold means the same for any
    corpus). Of overlapping pairs the left one is joined. Call it again on its own result for
    longer phrases.

    Returns
    -------
    pairs : dict of (str, str) to str
        The two words and what they become; see :meth:`psif.Tokenizer.with_phrases`.
    vocabulary : Vocabulary
        With the phrases, and with counts of what is left of the single words.
    docs : FlatDocs
        Ids into it.
    """
    if min_count < 1 or not threshold > 0:
        raise InputError(
            f"min_count must be 1 or more and threshold above 0; got {min_count}, {threshold}."
        )
    ids = np.asarray(docs.ids, dtype=np.int64)
    n_words = len(vocabulary)
    starts = np.zeros(len(ids) + 1, dtype=bool)
    starts[docs.offsets] = True
    keys = ids[:-1] * n_words + ids[1:]
    inside = ~starts[1 : len(ids)]  # Not across the border of two documents.
    pairs, counts = np.unique(keys[inside], return_counts=True)
    expected = vocabulary.counts[pairs // n_words] * vocabulary.counts[pairs % n_words]
    score = (counts - min_count) * float(len(ids)) / np.maximum(expected, 1)
    pairs = pairs[(counts >= min_count) & (score >= threshold)]
    return _rewrite(docs, vocabulary, ids, keys, inside, pairs)


def _rewrite(
    docs: FlatDocs,
    vocabulary: Vocabulary,
    ids: CountVector,
    keys: CountVector,
    inside: np.ndarray,
    pairs: CountVector,
) -> tuple[Pairs, Vocabulary, FlatDocs]:
    n_words = len(vocabulary)
    place = np.searchsorted(pairs, keys)
    found = np.zeros(len(keys), dtype=bool)
    if len(pairs):
        found = inside & (pairs[np.minimum(place, len(pairs) - 1)] == keys)
    first = _every_other(np.flatnonzero(found))
    new_ids = ids.copy()
    new_ids[first] = n_words + place[first]
    kept = np.ones(len(ids), dtype=bool)
    kept[first + 1] = False
    before = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)])
    flat = FlatDocs(
        new_ids[kept].astype(np.int32), before[docs.offsets],
        docs.n_tokens - (docs.lengths - np.diff(before[docs.offsets])),
    )  # fmt: skip
    names = named_pairs(
        (vocabulary.words[i // n_words], vocabulary.words[i % n_words]) for i in pairs.tolist()
    )
    joined, flat = count_ids(flat, [*vocabulary.words, *names.values()])
    return names, joined, flat


def _every_other(places: CountVector) -> CountVector:
    """Of each run of neighbouring places the first, third, ...: a word joins only once."""
    if not len(places):
        return places
    run_begins = np.concatenate([[True], np.diff(places) > 1])
    begin = np.maximum.accumulate(np.where(run_begins, np.arange(len(places)), 0))
    chosen: CountVector = places[(np.arange(len(places)) - begin) % 2 == 0]
    return chosen
