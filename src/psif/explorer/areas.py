"""Areas of the map with names, finer and finer: what a reader sees when zooming in."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from psif.explain.naming import characteristic_words
from psif.explorer.packing import packed
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix

NO_AREA = 65_535
# Zoom from which a level is shown, its largest number of areas, and documents per area.
LEVELS = ((2.5, 48, 60), (6.0, 320, 20))
_WORDS = 4
# Areas are learned and named from at most so many documents.
_MOST = 50_000
_PASSES = 15
# Numbers of one table of counts.
_TABLE = 1 << 22


def areas(places: FloatMatrix, docs: FlatDocs, names: list[str], seed: int = 0) -> list[Any]:
    """Return the levels as plain data: zoom, the area of each document, and words per area.

    Areas are clusters of places by k-means; their names are the words that tell their documents
    from all others (:mod:`psif.explain.naming`).

    Parameters
    ----------
    places : ndarray of shape (n_docs, 2)
        NaN for documents without a place.
    docs : FlatDocs
        Their words.
    names : list of str
        All words.
    seed : int
    """
    known = np.flatnonzero(~np.isnan(places[:, 0]))
    rng = np.random.default_rng(seed)
    some = known if len(known) <= _MOST else np.sort(rng.choice(known, _MOST, replace=False))
    levels = []
    for zoom, most, each in LEVELS:
        number = min(most, len(some) // each)
        if number < 2:
            continue
        centres = _centres(places[some].astype(np.float64), number, rng)
        codes = np.full(len(places), NO_AREA, dtype=np.uint16)
        codes[known] = _nearest(places[known], centres)
        words = _named(codes[some], docs.take(some), len(centres), names)
        levels.append({"zoom": zoom, "codes": packed(codes), "names": words})
    return levels


def _centres(places: np.ndarray, number: int, rng: np.random.Generator) -> np.ndarray:
    """Return the centres of k-means; a centre without documents is left out."""
    from scipy.cluster.vq import kmeans2

    start = places[rng.choice(len(places), number, replace=False)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an empty cluster keeps its centre
        centres, labels = kmeans2(places, start, iter=_PASSES, minit="matrix")
    found: np.ndarray = centres[np.unique(labels)]
    return found


def _nearest(places: FloatMatrix, centres: np.ndarray) -> np.ndarray:
    from scipy.spatial import cKDTree

    return np.asarray(cKDTree(centres).query(places)[1], dtype=np.uint16)


def _named(areas_of: np.ndarray, docs: FlatDocs, number: int, names: list[str]) -> list[list[str]]:
    """Return the characteristic words of each area, a few areas at a time."""
    area = np.repeat(areas_of.astype(np.int64), docs.lengths)
    background = np.bincount(docs.ids, minlength=len(names))
    size = max(1, _TABLE // len(names))
    found: list[list[str]] = []
    for first in range(0, number, size):
        last = min(number, first + size)
        here = (area >= first) & (area < last)
        places = (area[here] - first) * len(names) + docs.ids[here]
        counts = np.bincount(places, minlength=(last - first) * len(names))
        found += characteristic_words(counts.reshape(last - first, -1), background, names, _WORDS)
    return found
