r"""Columns of their own for words, beside the topics.

Topics tell that *honda* and *yamaha* are alike; that they are not the same word they tell badly,
and a classifier of documents often lives on exactly that. So the words of most documents may get a
column each. With t the topics of a document and :math:`l = \sum_w s_w e_w` its own words,

.. math:: x = \Big[ t;\; \sqrt{\lambda / (1 - \lambda)} \, \tfrac{\|t\|}{\|l\|} \, l \Big], \qquad
          \cos(x, x') = (1 - \lambda) \cos(t, t') + \lambda \cos(l, l')

Both parts keep their share whatever the length of a document: a mean of many words is short where
each of them has its own column, and long where they agree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from psif.text.flat import FlatDocs
from psif.text.vocabulary import Vocabulary
from psif.types import FloatMatrix, FloatVector, IdVector


@dataclass(frozen=True)
class WordColumns:
    """Which words have a column, and how much these columns count.

    Attributes
    ----------
    share : float
        λ, from above 0 to below 1.
    columns : ndarray of shape (n_words,)
        Column of each word among them, -1 for words without one.
    n_columns : int
    first : int
        Numbers of a document vector before them; in a compact one, those of the topics.
    """

    share: float
    columns: IdVector
    n_columns: int
    first: int

    @classmethod
    def choose(cls, known: Vocabulary, share: float, most: int, first: int) -> WordColumns:
        """Give a column to the ``most`` words that most documents have."""
        order = np.argsort(-known.doc_counts, kind="stable")[:most]
        chosen = np.sort(order[known.doc_counts[order] > 0])
        columns = np.full(len(known), -1, dtype=np.int32)
        columns[chosen] = np.arange(len(chosen))
        return cls(share, columns, len(chosen), first)

    @property
    def ratio(self) -> float:
        """Length of this part of a document over that of its topics."""
        return float(np.sqrt(self.share / (1 - self.share)))

    @property
    def words(self) -> IdVector:
        """The words that have columns, in order of these."""
        return np.flatnonzero(self.columns >= 0).astype(np.int32)

    def write(
        self, docs: FlatDocs, weights: FloatVector, sublinear: bool, out: FloatMatrix
    ) -> None:
        """Fill these columns of documents whose topics are already in ``out``."""
        from psif.compiled.average import bag_room
        from psif.compiled.word_columns import write_word_columns

        room = bag_room(len(docs.ids))
        write_word_columns(
            docs.ids, docs.offsets, weights, self.columns, sublinear, self.first, *room, out
        )
        self.balance(out)

    def balance(self, out: FloatMatrix) -> None:
        """Give these columns their share of each document."""
        from psif.compiled.word_columns import balance_rows

        balance_rows(out, self.first, self.ratio)
