r"""What words mean in their language, as one more part of a document.

A few hundred short texts do not show what "dreadful" has to do with "awful", and say nothing of
words that only new texts have. The table of a language inside psif does. Where the training texts
are of such a language, documents can get a part

.. math:: e = \sum_w t(\mathrm{count}_w) \, u_w \Big/ \Big\| \sum_w t(\mathrm{count}_w) \, u_w
          \Big\|, \qquad t(n) = 1 + \ln n

with the row :math:`u_w` of a word in the table. It is linear in the words, like the other parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from psif.classify.linear.losses import Array
from psif.documents.averaging import WordTopics, sorted_documents
from psif.model.joining import speaks
from psif.runtime.norms import unit_rows
from psif.text.flat import FlatDocs
from psif.text.vocabulary import Vocabulary
from psif.types import FloatMatrix
from psif.vectors.packed import PackedTable
from psif.vectors.ready import READY, ready_table

# More training texts than this show by themselves what their words mean.
MOST_DOCS = 100_000


@dataclass(frozen=True)
class LanguageTable:
    """The words of a model and, after them, the further words of a language; with their rows.

    Attributes
    ----------
    name : str
        Of the table inside psif.
    vocabulary : Vocabulary
        The words of the model keep their ids.
    rows : ndarray of shape (n_words, dim)
        Zero for words that the table does not have.
    """

    name: str
    vocabulary: Vocabulary
    rows: FloatMatrix

    @classmethod
    def of(cls, name: str, known: Vocabulary) -> LanguageTable:
        """Join a table with the words of a model."""
        return _joined(name, ready_table(name), known)

    @classmethod
    def speaking(cls, known: Vocabulary) -> LanguageTable | None:
        """Return the table of the language that the words of a model are of, if psif has it."""
        for name in READY:
            table = ready_table(name)
            if speaks(table, known.words, known.counts):
                return _joined(name, table, known)
        return None

    @property
    def dim(self) -> int:
        """Numbers per row."""
        return int(self.rows.shape[1])

    @cached_property
    def _words(self) -> WordTopics:
        n_words = len(self.rows)
        return WordTopics(
            np.ones(n_words, dtype=np.float32), np.ones((n_words, 1), np.float32), self.rows, "log"
        )

    def documents(self, docs: FlatDocs, n_jobs: int | None = None) -> FloatMatrix:
        """Return the parts e of documents, (n_docs, dim); zero without a word of the table."""
        return unit_rows(
            self._words.average_table(sorted_documents(docs), self.rows, n_jobs=n_jobs)
        )

    def word_shares(self, docs: FlatDocs) -> Any:
        """Return what each word counts in the parts e, a CSR array (n_docs, n_words)."""
        from scipy.sparse import diags_array

        shares = self._words.shares(sorted_documents(docs))
        # In one precision: otherwise all rows would be copied to the other.
        sums = shares.astype(np.float32) @ self.rows
        lengths = np.linalg.norm(sums.astype(np.float64), axis=1)
        factors = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        return (diags_array(factors) @ shares).tocsr()

    def scores(self, weights: Array) -> Array:
        """Products of the rows of all words with weights, (n_words, m)."""
        return np.asarray(self.rows @ weights.astype(np.float32))


def _joined(name: str, table: PackedTable, known: Vocabulary) -> LanguageTable:
    more = [word for word in table.words if word not in known.index]
    zeros = np.zeros(len(more), dtype=np.int64)
    vocabulary = Vocabulary(
        [*known.words, *more],
        np.concatenate([known.counts, zeros]),
        np.concatenate([known.doc_counts, zeros]),
        known.n_docs,
    )
    rows = np.zeros((len(vocabulary), table.vectors.shape[1]), dtype=np.float32)
    rows[[vocabulary.index[word] for word in table.words]] = table.vectors
    return LanguageTable(name, vocabulary, rows)
