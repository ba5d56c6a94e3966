"""Paraphrases: pairs of documents whose P-SIF vectors have a high cosine.

Up to some thousands of documents all pairs are compared. Of more, candidates are documents that lie
on the same side of some random planes [1]_: two vectors at the angle θ are separated by a random
plane with the probability θ / π.

References
----------
.. [1] Charikar (2002), Similarity estimation techniques from rounding algorithms.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from psif.errors import EmptyDocumentsWarning, InputError, PsifWarning
from psif.files.sampling import sample_texts
from psif.group.duplicates.matching import Matches
from psif.runtime.norms import unit_rows
from psif.runtime.threads import ranges
from psif.text.word_index import text_blocks
from psif.types import FloatMatrix

if TYPE_CHECKING:
    from psif.model.embedder import Embedder

_ALL_PAIRS = 20_000
_ROWS = 1024
# Characters that a model is learned from.
_SAMPLE = 30_000_000
# Documents before one in its bucket that it is compared with.
_LAGS = 16
# Chance of finding a pair whose cosine is exactly the threshold; higher cosines are found surely.
_RECALL = 0.95
_MOST_BANDS = 96


def link_paraphrases(
    matches: Matches,
    read_texts: Callable[[], Iterable[str]],
    threshold: float,
    model: Embedder | None,
) -> None:
    """Add links between documents whose vectors have at least the given cosine.

    Parameters
    ----------
    matches : Matches
        Of the levels before; changed.
    read_texts : callable
        Reads the texts from the beginning.
    threshold : float
    model : Embedder or None
        None learns one from the texts.
    """
    if model is None:
        model = _learned(read_texts())
    if model is None:
        return
    groups = matches.components()
    vectors = _vectors(model, read_texts(), len(groups))
    # One document stands for a group of copies.
    rows = np.flatnonzero((groups == np.arange(len(groups))) & vectors.any(axis=1))
    candidates = _all_pairs if len(rows) <= _ALL_PAIRS else _same_sides
    parents = groups.copy()
    for pairs in candidates(vectors, rows, threshold):
        _link(matches, parents, vectors, pairs, threshold)


def _learned(texts: Iterable[str]) -> Embedder | None:
    from psif.model.embedder import Embedder

    with warnings.catch_warnings():
        # Settings that nobody chose are no news where few texts allow only less.
        warnings.simplefilter("ignore", PsifWarning)
        try:
            return Embedder(random_state=0).fit(sample_texts(texts, _SAMPLE))
        except InputError:
            return None  # too few words for vectors


def _vectors(model: Embedder, texts: Iterable[str], n_docs: int) -> FloatMatrix:
    """Return unit vectors in a temporary file, which vanishes with the array."""
    with tempfile.TemporaryFile(prefix="psif-vectors-") as file:
        vectors: FloatMatrix = np.memmap(
            file, dtype=np.float32, mode="w+", shape=(n_docs, model.n_features_out_)
        )
    start = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EmptyDocumentsWarning)
        for block in text_blocks(texts):
            vectors[start : start + len(block)] = unit_rows(model.average(model.word_ids(block)))
            start += len(block)
    return vectors


def _all_pairs(
    vectors: FloatMatrix, rows: NDArray[np.int64], threshold: float
) -> Iterator[NDArray[np.int64]]:
    chosen = vectors[rows]
    for start, stop in ranges(len(rows), _ROWS):
        later, earlier = np.nonzero(chosen[start:stop] @ chosen[:stop].T >= threshold - 1e-4)
        later += start
        before = earlier < later
        yield np.stack([rows[earlier[before]], rows[later[before]]], axis=1)


def _same_sides(
    vectors: FloatMatrix, rows: NDArray[np.int64], threshold: float
) -> Iterator[NDArray[np.int64]]:
    """Yield neighbours within buckets of documents on the same side of all planes of a band."""
    n_planes = min(24, int(np.ceil(np.log2(len(rows)))) + 2)
    agree = (1 - np.arccos(min(threshold, 1.0)) / np.pi) ** n_planes
    n_bands = int(np.ceil(np.log(1 - _RECALL) / np.log1p(-min(agree, 1 - 1e-9))))
    draws = np.random.default_rng(0)
    for _ in range(min(max(1, n_bands), _MOST_BANDS)):
        planes = draws.standard_normal((vectors.shape[1], n_planes), dtype=np.float32)
        keys = np.concatenate(
            [
                (vectors[rows[a:b]] @ planes > 0) @ (1 << np.arange(n_planes))
                for a, b in ranges(len(rows), _ROWS)
            ]
        )
        order = np.argsort(keys, kind="stable")
        for lag in range(1, _LAGS + 1):
            same = keys[order[lag:]] == keys[order[:-lag]]
            yield np.stack([rows[order[:-lag][same]], rows[order[lag:][same]]], axis=1)


def _link(
    matches: Matches,
    parents: NDArray[np.int64],
    vectors: FloatMatrix,
    pairs: NDArray[np.int64],
    threshold: float,
) -> None:
    from psif.compiled.minhash import join_pairs

    for start, stop in ranges(len(pairs), 1 << 14):
        part = pairs[start:stop]
        a, b = vectors[part[:, 0]].astype(np.float64), vectors[part[:, 1]].astype(np.float64)
        cosines = np.minimum(1.0, np.einsum("ij,ij->i", a, b))
        alike = np.flatnonzero(cosines >= threshold)
        joined = np.empty(len(alike), dtype=bool)
        join_pairs(parents, part[alike], joined)
        kept = alike[joined]
        matches.add(part[kept], 2, cosines[kept])
