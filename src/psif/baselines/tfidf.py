"""Tf-idf."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from psif.baselines.base import WordMethod
from psif.baselines.bow import unit_sum_rows, word_counts
from psif.documents.weights import idf_weights
from psif.text.flat import FlatDocs

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(eq=False, repr=False)
class TfIdf(WordMethod):
    r"""Words that are frequent here and rare elsewhere, rows of unit norm, a CSR matrix.

    .. math:: x_{d,w} \propto t(\mathrm{count}_d(w))
              \Big( \ln \frac{1 + N}{1 + \mathrm{df}_w} + 1 \Big)

    The same numbers as scikit-learn's ``TfidfVectorizer``.

    Parameters
    ----------
    sublinear : bool, default=False
        t(n) = 1 + ln n in place of n.

    Other parameters are those of :class:`~psif.baselines.base.WordMethod`.

    References
    ----------
    .. [1] Salton, Buckley (1988), "Term-weighting approaches in automatic text retrieval".
    """

    sublinear: bool = False

    def _learn_words(self, docs: FlatDocs, y: object) -> None:
        known = self.vocabulary_
        self.idf_ = idf_weights(known.doc_counts, known.n_docs).astype(np.float32)
        self.n_features_out_ = len(known)

    def _embed(self, docs: FlatDocs) -> csr_matrix:
        counts = word_counts(docs, len(self.vocabulary_))
        if self.sublinear:
            counts.data = 1 + np.log(counts.data)
        counts.data *= self.idf_[counts.indices]
        return unit_sum_rows(counts, 2)
