"""Pairs of copies: candidates by weighted MinHash, decided by the exact overlap of words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from psif.group.duplicates.levels import (
    LEAST,
    RARE,
    SHORT,
    allowed_change,
    check_level,
    check_threshold,
    least_weight,
)
from psif.group.duplicates.words import Words
from psif.runtime.threads import map_ranges
from psif.text.flat import FlatDocs
from psif.types import CountVector, FloatVector

Progress = Callable[[int, int], None]

# Keys per document, each of so many words: a pair with weighted Jaccard similarity J becomes a
# candidate with the probability 1 - (1 - J^rows)^bands. With 64 bands of 4 words that is 99.8 % at
# J = 0.55, where copies with a fifth of their words replaced are, and 0.005 % at the J = 0.03 of
# unrelated texts. Where most texts are copies of a few, the words of those are common and hardly
# count, so that further bands take all words alike: 24 of 6 words find 99.9 % at J = 0.8.
_BANDS, _PLAIN_BANDS, _PLAIN_ROWS = 64, 24, 6
# Constant of the SIF weights: common words hardly make candidates.
_A = 1e-3
# Comparisons of one document within one bucket, and how far they reach back.
_MOST_COMPARED, _MOST_SEEN = 32, 256
_DOCS_A_PIECE = 4096


@dataclass
class Matches:
    """Documents that are copies of one another, as links that make no cycle.

    Attributes
    ----------
    n_docs : int
    pairs : ndarray of int64, shape (n_links, 2)
        The earlier document first.
    levels : ndarray of int8
        Positions in :data:`psif.group.duplicates.levels.LEVELS`.
    similarities : ndarray of float64
    """

    n_docs: int
    pairs: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    levels: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, np.int8))
    similarities: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def add(self, pairs: NDArray[np.int64], level: int, similarities: NDArray[np.float64]) -> None:
        """Append links of one level."""
        self.pairs = np.concatenate([self.pairs, pairs])
        self.levels = np.concatenate([self.levels, np.full(len(pairs), level, np.int8)])
        self.similarities = np.concatenate([self.similarities, similarities])

    def components(self) -> CountVector:
        """Return, per document, the first document of its group."""
        from psif.compiled.minhash import join_pairs, roots

        parents = np.arange(self.n_docs)
        join_pairs(parents, self.pairs, np.empty(len(self.pairs), dtype=bool))
        found = np.empty(self.n_docs, dtype=np.int64)
        roots(parents, found)
        return found


def match_words(
    words: Words,
    threshold: float = 0.9,
    level: str = "near",
    *,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Matches:
    """Link identical and, if asked for, near-identical documents.

    The result depends on the texts and their order only.
    """
    threshold = check_threshold(threshold)
    matches = Matches(len(words.docs))
    firsts = _firsts(words.fingerprints)
    copies = np.flatnonzero(firsts != np.arange(len(firsts)))
    matches.add(np.stack([firsts[copies], copies], axis=1), 0, np.ones(len(copies)))
    if check_level(level) >= 1:
        # Of identical texts one is compared; texts without words have nothing to compare.
        rows = np.flatnonzero((firsts == np.arange(len(firsts))) & (words.docs.lengths > 0))
        pairs, similarities = _near(words, rows, threshold, n_jobs, progress)
        matches.add(pairs, 1, similarities)
    return matches


def _firsts(fingerprints: NDArray[np.uint64]) -> CountVector:
    """Return, per document, the first one with the same fingerprint."""
    order = np.lexsort((fingerprints[:, 1], fingerprints[:, 0]))  # stable
    ordered = fingerprints[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    firsts = np.empty(len(order), dtype=np.int64)
    firsts[order] = order[np.flatnonzero(new)][np.cumsum(new) - 1]
    return firsts


def _near(
    words: Words,
    rows: CountVector,
    threshold: float,
    n_jobs: int | None,
    progress: Progress | None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    from psif.compiled.minhash import link_band, weight_totals

    docs, n_docs = words.docs, len(words.docs)
    keys = _keys(words, threshold, n_jobs)
    rare = words.weights(RARE, LEAST)
    totals = np.zeros(n_docs)
    weight_totals(docs.ids, docs.offsets, rare, totals)
    parents = np.arange(n_docs)
    links = np.zeros((len(rows), 2), dtype=np.int64)
    similarities = np.zeros(len(rows))
    n_links = 0
    for band in range(len(keys)):
        order = rows[np.argsort(keys[band][rows], kind="stable")]
        n_links = link_band(
            order, keys[band], docs.ids, docs.offsets, rare, totals,
            allowed_change(threshold), least_weight(threshold), SHORT,
            _MOST_COMPARED, _MOST_SEEN, parents, links, similarities, n_links,
        )  # fmt: skip
        if progress:
            progress(band + 1, len(keys))
    return links[:n_links], similarities[:n_links]


def _keys(words: Words, threshold: float, n_jobs: int | None) -> NDArray[np.uint32]:
    """Return the keys of all bands; shape (bands, documents)."""
    docs = words.docs
    # Fewer words per key where more may change.
    n_rows = 4 if threshold >= 0.9 else 3 if threshold >= 0.8 else 2
    plain = np.ones(len(words.counts), dtype=np.float32)
    draws = np.random.default_rng(0)
    keys = np.zeros((_BANDS + _PLAIN_BANDS, len(docs)), dtype=np.uint32)
    for rates, size, target in (
        (words.weights(_A), n_rows, keys[:_BANDS]),
        (plain, _PLAIN_ROWS, keys[_BANDS:]),
    ):
        seeds = draws.integers(0, 1 << 32, len(target) * size, dtype=np.uint32)
        work = partial(_write_keys, docs, rates, seeds, target)
        map_ranges(work, len(docs), size=_DOCS_A_PIECE, n_jobs=n_jobs)
    return keys


def _write_keys(
    docs: FlatDocs,
    rates: FloatVector,
    seeds: NDArray[np.uint32],
    keys: NDArray[np.uint32],
    start: int,
    stop: int,
) -> None:
    from psif.compiled.minhash import band_keys

    band_keys(docs.ids, docs.offsets, start, stop, rates, seeds, len(keys), keys)
