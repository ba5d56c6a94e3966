r"""Pairs of neighbouring words ("not good", "how many") as columns beside those of single words.

A mean of words does not know their order. Where order decides, as in short questions and
opinions, pairs that occur in several training documents get columns of their own. The share of a
pair in a document is :math:`(1 + \ln \mathrm{count}) \cdot \mathrm{idf}`, as in TF-IDF.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from psif.documents.averaging import sorted_documents
from psif.documents.weights import idf_weights
from psif.text.bags import bags_of
from psif.text.flat import FlatDocs
from psif.types import CountVector, FloatVector

if TYPE_CHECKING:
    from psif.compiled.pairs import PairTable

# Columns of pairs at most, and documents that a pair must occur in.
MOST_PAIRS = 65_536
_LEAST_DOCS = 2
# Pairs are chosen by the first documents that have so many words together.
_MOST_WORDS = 1 << 23


@dataclass(frozen=True)
class PairColumns:
    """The pairs that have a column.

    Attributes
    ----------
    keys : ndarray of int64, shape (n_pairs,)
        Word ids of the pair, ``first << 32 | second``, increasing.
    weights : ndarray of float32, shape (n_pairs,)
        idf.
    """

    keys: CountVector
    weights: FloatVector

    def __len__(self) -> int:
        return len(self.keys)

    @classmethod
    def none(cls) -> PairColumns:
        """No pairs."""
        return cls(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32))

    @classmethod
    def choose(cls, docs: FlatDocs, most: int = MOST_PAIRS) -> PairColumns:
        """Give a column to the pairs of most documents; ``docs`` are in reading order."""
        last = int(np.searchsorted(docs.offsets, docs.offsets[0] + _MOST_WORDS, side="right")) - 1
        docs = docs.part(0, min(max(1, last), len(docs)))
        keys, rows = _neighbours(docs)
        order = np.argsort(keys, kind="stable")  # documents stay in order for each key
        keys, rows = keys[order], rows[order]
        is_new = np.ones(len(keys), dtype=bool)
        is_new[1:] = (keys[1:] != keys[:-1]) | (rows[1:] != rows[:-1])
        distinct, counts = np.unique(keys[is_new], return_counts=True)
        kept = np.flatnonzero(counts >= _LEAST_DOCS)
        if len(kept) > most:
            kept = np.sort(kept[np.argsort(-counts[kept], kind="stable")[:most]])
        weights = idf_weights(counts[kept], len(docs)).astype(np.float32)
        return cls(distinct[kept], weights)

    @cached_property
    def table(self) -> PairTable:
        """The pairs, to be found by their words."""
        from psif.compiled.pairs import pair_table

        return pair_table(self.keys)

    def shares(self, docs: FlatDocs) -> Any:
        """Shares of pairs in documents in reading order, a CSR array (n_docs, n_pairs)."""
        from scipy.sparse import csr_array

        from psif.compiled.pairs import find_pairs

        found = np.empty(len(docs.ids), dtype=np.int32)
        ends = np.zeros(len(docs) + 1, dtype=np.int64)
        find_pairs(docs.ids, docs.offsets, self.table, found, ends[1:])
        offsets, pairs, counts = bags_of(
            sorted_documents(FlatDocs(found[: ends[-1]], ends, np.diff(ends)))
        )
        data = ((1 + np.log(counts)) * self.weights[pairs]).astype(np.float32)
        return csr_array((data, pairs, offsets), shape=(len(docs), len(self)))

    def words_of(self, pair: int) -> tuple[int, int]:
        """Ids of the two words of a pair."""
        key = int(self.keys[pair])
        return key >> 32, key & 0xFFFFFFFF


def _neighbours(docs: FlatDocs) -> tuple[CountVector, CountVector]:
    """Keys of all neighbouring words, and the documents that they stand in."""
    ids = docs.ids.astype(np.int64)
    rows = np.repeat(np.arange(len(docs)), docs.lengths)
    inside = rows[1:] == rows[:-1]
    return ((ids[:-1] << 32) | ids[1:])[inside], rows[1:][inside]
