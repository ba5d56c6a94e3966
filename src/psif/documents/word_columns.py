r"""Word columns: one column per word, beside the topics.

Topics show that *honda* and *yamaha* are alike. They show less well that these are two different
words, which is often what a classifier of documents needs. So the words that occur in most
documents may get one column each. With t the topics of a document and
:math:`l = \sum_w s_w e_w` its words,

.. math:: x = \Big[ t;\; \sqrt{\lambda / (1 - \lambda)} \, \tfrac{\|t\|}{\|l\|} \, l \Big], \qquad
          \cos(x, x') = (1 - \lambda) \cos(t, t') + \lambda \cos(l, l')

Both parts keep their share for documents of any length. Without this scaling the word part would
shrink in long documents: a mean of many words is short where each word has its own column, and long
where the words agree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from psif.text.flat import FlatDocs
from psif.text.vocabulary import Vocabulary
from psif.types import FloatMatrix, FloatVector, IdVector


@dataclass(frozen=True)
class WordColumns:
    """The words that have a column, and how much these columns count.

    Attributes
    ----------
    share : float
        λ, from above 0 to below 1.
    columns : ndarray of shape (n_words,)
        Position of each word's column, -1 for words without one.
    n_columns : int
    first : int
        Position of the first word column: the number of columns that the topics have.
    """

    share: float
    columns: IdVector
    n_columns: int
    first: int

    @classmethod
    def choose(cls, known: Vocabulary, share: float, most: int, first: int) -> WordColumns:
        """Give a column to at most ``most`` words, those that occur in most documents."""
        order = np.argsort(-known.doc_counts, kind="stable")[:most]
        chosen = np.sort(order[known.doc_counts[order] > 0])
        columns = np.full(len(known), -1, dtype=np.int32)
        columns[chosen] = np.arange(len(chosen))
        return cls(share, columns, len(chosen), first)

    @property
    def ratio(self) -> float:
        """Length of the word part of a document divided by the length of its topic part."""
        return float(np.sqrt(self.share / (1 - self.share)))

    @property
    def words(self) -> IdVector:
        """Ids of the words that have columns, in the order of the columns."""
        return np.flatnonzero(self.columns >= 0).astype(np.int32)

    def write(
        self, docs: FlatDocs, weights: FloatVector, sublinear: bool, out: FloatMatrix
    ) -> None:
        """Fill the word columns of documents whose topics are already in ``out``."""
        from psif.compiled.average import bag_room
        from psif.compiled.word_columns import write_word_columns

        room = bag_room(len(docs.ids))
        write_word_columns(
            docs.ids, docs.offsets, weights, self.columns, sublinear, self.first, *room, out
        )
        self.balance(out)

    def balance(self, out: FloatMatrix) -> None:
        """Scale the word columns of each document to their share."""
        from psif.compiled.word_columns import balance_rows

        balance_rows(out, self.first, self.ratio)
