r"""Word vectors smoothed by the documents that contain the word.

A window of a few words shows which words can replace one another; documents show which words are
about the same subject. Once word vectors v are known, every document has a mean, and the vector of
a word is replaced by the mean of its documents:

.. math:: x_d = \frac{\sum_{w \in d} s_w v_w}{\| \cdot \|}, \qquad
          v'_w = \frac{1}{n_w + 1} \Big( \frac{v_w}{\|v_w\|} + \sum_{d \ni w} x_d \Big)

with :math:`n_w` the number of documents that contain the word. The word itself counts as one more
document, so that rare words keep their own direction. A word whose documents agree gets a long
vector. A word that is everywhere gets the mean of all documents, which disappears when the mean of
the words is removed. The documents enter only through a sum.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.documents.averaging import WordTopics
from psif.runtime.norms import unit_rows
from psif.runtime.threads import map_ranges
from psif.text.bags import bags_of
from psif.text.flat import FlatDocs
from psif.types import CountVector, FloatMatrix

_DOCS_A_BLOCK = 8_192


def context_sums(words: WordTopics, docs: FlatDocs, *, n_jobs: int | None = None) -> FloatMatrix:
    """Sum, for each word, the unit means of the documents that contain it.

    ``docs`` are sorted. Blocks depend only on the number of documents and are added in order, so
    the number of threads does not change the result.
    """

    def work(start: int, stop: int) -> FloatMatrix:
        part = docs.part(start, stop)
        means = unit_rows(words.average_table(part, words.vectors, n_jobs=1))
        sums: FloatMatrix = presence(part, len(words.weights)).T @ means
        return sums

    total = np.zeros((len(words.weights), words.dim))
    for sums in map_ranges(work, len(docs), size=_DOCS_A_BLOCK, n_jobs=n_jobs):
        total += sums
    return total.astype(np.float32)


def presence(docs: FlatDocs, n_words: int) -> Any:
    """Return a CSR matrix with a one where a document contains a word; ids are sorted."""
    from scipy.sparse import csr_array

    offsets, ids, _ = bags_of(docs)
    return csr_array(
        (np.ones(len(ids), dtype=np.float32), ids, offsets), shape=(len(docs), n_words)
    )


def smoothed_vectors(
    vectors: FloatMatrix, sums: FloatMatrix, doc_counts: CountVector
) -> FloatMatrix:
    """Return the mean of the documents of each word; the word itself is one of them."""
    n_docs = (doc_counts + 1).astype(np.float32)
    means: FloatMatrix = np.divide(sums + unit_rows(vectors), n_docs[:, None], dtype=np.float32)
    return means
