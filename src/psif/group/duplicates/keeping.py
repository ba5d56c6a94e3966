"""Groups of copies, and which copy of each stays."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from psif.errors import InputError
from psif.group.duplicates.levels import LEVELS
from psif.group.duplicates.matching import Matches

KEEP = ("first", "longest")


class Dropped(NamedTuple):
    """A document that does not stay, and why.

    Attributes
    ----------
    doc : int
    like : int
        The copy that it was found to be like.
    kept : int
        The copy that stays.
    level : str
    similarity : float
        To ``like``.
    """

    doc: int
    like: int
    kept: int
    level: str
    similarity: float


def copy_groups(matches: Matches) -> list[list[int]]:
    """Return the groups of two or more copies, by their first documents."""
    first = matches.components()
    members = np.flatnonzero(np.bincount(first, minlength=matches.n_docs)[first] > 1)
    order = members[np.argsort(first[members], kind="stable")]
    cuts = np.flatnonzero(np.diff(first[order])) + 1
    return [group.tolist() for group in np.split(order, cuts)] if len(order) else []


def choose_kept(
    matches: Matches, lengths: NDArray[np.int64], keep: str = "first", n_old: int = 0
) -> NDArray[np.int64]:
    """Return, per document, the copy that stays.

    Parameters
    ----------
    matches : Matches
    lengths : ndarray of int64
        Words of each document.
    keep : {"first", "longest"}
        The first copy in the order of the input, or the one with most words (the first of them).
    n_old : int
        The first so many documents are there already: of a group with one of them, the first of
        them stays.
    """
    if keep not in KEEP:
        raise InputError(f"keep must be one of {', '.join(KEEP)}; got {keep!r}.")
    first = matches.components()
    if keep == "first":
        return first
    # The longest comes last in its group; of equally long ones the first.
    order = np.lexsort((-np.arange(len(first)), lengths, first))
    longest = first.copy()
    longest[first[order]] = order
    return np.where(first < n_old, first, longest[first])


def dropped(matches: Matches, kept: NDArray[np.int64]) -> Iterator[Dropped]:
    """Yield every document that does not stay, group by group, from the kept copy outwards."""
    around: dict[int, list[int]] = {}
    for link, (a, b) in enumerate(matches.pairs.tolist()):
        around.setdefault(a, []).append(link)
        around.setdefault(b, []).append(link)
    for root in sorted({int(kept[doc]) for doc in around}):
        seen, waiting = {root}, deque([root])
        while waiting:
            doc = waiting.popleft()
            for link in around.get(doc, ()):
                a, b = matches.pairs[link].tolist()
                other = b if a == doc else a
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
                    yield Dropped(
                        other,
                        doc,
                        root,
                        LEVELS[matches.levels[link]],
                        float(matches.similarities[link]),
                    )
