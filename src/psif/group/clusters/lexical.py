r"""Exact words beside vectors, where neighbours are looked for.

Vectors say what documents are about; names and terms that only a few documents share say which of
them belong together. So a neighbour is judged by the mean of two cosines, that of the vectors and
that of bags of words,

.. math:: y_{dw} = (1 + \log n_{dw}) \, (1 + \log \tfrac{1 + N}{1 + N_w}),

with :math:`n_{dw}` occurrences of w in d, and w in :math:`N_w` of N documents. Words of more than a
quarter of the documents are left out: they weigh little and would take most of the time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from psif.text.bags import bags_of
from psif.text.flat import FlatDocs

_COMMON = 0.25


def bags_of_words(docs: FlatDocs, n_words: int) -> Any:
    """Return unit rows, one per document, as a CSR array; a row without words is zero."""
    from scipy.sparse import csr_array, diags_array

    offsets, ids, counts = bags_of(docs)
    n_docs = len(docs)
    having = np.bincount(ids, minlength=n_words)
    weights = 1 + np.log((1 + n_docs) / (1 + having))
    weights[having > max(2, _COMMON * n_docs)] = 0
    values = (1 + np.log(counts)) * weights[ids]
    bags = csr_array((values.astype(np.float32), ids, offsets), shape=(n_docs, n_words))
    bags.eliminate_zeros()
    lengths = np.sqrt(np.asarray(bags.multiply(bags).sum(axis=1)).ravel())
    scale = diags_array((1 / np.where(lengths > 0, lengths, 1)).astype(np.float32))
    return (scale @ bags).tocsr()
