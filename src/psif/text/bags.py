"""Documents as distinct words and their counts."""

from __future__ import annotations

import numpy as np

from psif.text.flat import FlatDocs
from psif.types import CountVector, IdVector


def bags_of(docs: FlatDocs) -> tuple[CountVector, IdVector, CountVector]:
    """Offsets, distinct words and their counts, from documents whose ids are sorted.

    >>> offsets, ids, counts = bags_of(FlatDocs.from_lists([[0, 0, 2], [], [2]]))
    >>> offsets.tolist(), ids.tolist(), counts.tolist()
    ([0, 2, 2, 3], [0, 2, 2], [2, 1, 1])
    """
    begins = np.ones(len(docs.ids), dtype=bool)
    begins[1:] = docs.ids[1:] != docs.ids[:-1]
    begins[docs.offsets[:-1][docs.lengths > 0]] = True
    offsets: CountVector = np.concatenate([[0], np.cumsum(begins)])[docs.offsets]
    places = np.flatnonzero(begins)
    counts: CountVector = np.diff(places, append=len(docs.ids))
    return offsets, docs.ids[places], counts
