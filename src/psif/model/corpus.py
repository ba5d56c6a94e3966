"""What a fit needs from a corpus, in memory or on a cluster."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from psif.documents.averaging import WordTopics, sorted_documents
from psif.documents.projection import sample_documents
from psif.documents.smoothing import context_sums
from psif.partitions.selection import LONGEST_SENTENCE
from psif.runtime.threads import Workers
from psif.text.flat import FlatDocs
from psif.text.vocabulary import Vocabulary
from psif.types import DoubleVector, FloatMatrix, IdVector
from psif.vectors.progress import Progress
from psif.vectors.trainers import train_on_ids

T = TypeVar("T")


@dataclass(frozen=True)
class CorpusSize:
    """Counts that add up over the parts of a corpus."""

    n_docs: int = 0
    n_tokens: int = 0  # words, known or not
    n_known: int = 0
    n_empty: int = 0  # documents without a known word
    n_short: int = 0  # documents as short as single sentences

    @classmethod
    def of(cls, docs: FlatDocs) -> CorpusSize:
        """Count documents."""
        lengths = docs.lengths
        return cls(
            len(docs),
            int(docs.n_tokens.sum()),
            len(docs.ids),
            int((lengths == 0).sum()),
            int((lengths <= LONGEST_SENTENCE).sum()),
        )

    def __add__(self, other: CorpusSize) -> CorpusSize:
        return CorpusSize(
            self.n_docs + other.n_docs,
            self.n_tokens + other.n_tokens,
            self.n_known + other.n_known,
            self.n_empty + other.n_empty,
            self.n_short + other.n_short,
        )

    @property
    def coverage(self) -> float:
        """Share of all words that are known; 1.0 if there are no words."""
        return self.n_known / self.n_tokens if self.n_tokens else 1.0


class Corpus(Protocol):
    """Documents as word ids, in memory or on a cluster.

    A fit needs only sums over documents and samples of bounded size, so a corpus in parts gives
    the same result as the whole.
    """

    @property
    def size(self) -> CorpusSize:
        """What adds up."""
        ...

    def remap(self, new_ids: IdVector) -> Self:
        """Rename word ``i`` to ``new_ids[i]``, skipping negative ones."""
        ...

    def sort(self) -> Self:
        """Sort the words within each document."""
        ...

    def train(
        self, method: str, vocabulary: Vocabulary, *, dim: int, random_state: int, **options: Any
    ) -> FloatMatrix:
        """Train word vectors; call it before :meth:`sort`, which loses the word order."""
        ...

    def moment(self, words: WordTopics, values: DoubleVector) -> DoubleVector:
        r"""Return :math:`S^T S g`; the corpus is sorted."""
        ...

    def context_sums(self, words: WordTopics) -> FloatMatrix:
        """Sum, for each word, of the unit means of its documents; the corpus is sorted."""
        ...

    def sample(self, n_docs: int, random_state: int) -> FlatDocs:
        """At most ``n_docs`` documents that have words, picked at random."""
        ...


@dataclass(frozen=True)
class LocalCorpus:
    """A corpus in this process."""

    docs: FlatDocs
    n_jobs: int | None = None
    progress: Progress | None = None

    @property
    def size(self) -> CorpusSize:
        """What adds up."""
        return CorpusSize.of(self.docs)

    def remap(self, new_ids: IdVector) -> LocalCorpus:
        """Rename word ``i`` to ``new_ids[i]``, skipping negative ones."""
        return replace(self, docs=self.docs.remap(new_ids))

    def sort(self) -> LocalCorpus:
        """Sort the words within each document."""
        return replace(self, docs=sorted_documents(self.docs))

    def train(
        self, method: str, vocabulary: Vocabulary, *, dim: int, random_state: int, **options: Any
    ) -> FloatMatrix:
        """Train word vectors on all documents."""
        return train_on_ids(
            method, self.docs, vocabulary, dim=dim, random_state=random_state, n_jobs=self.n_jobs,
            progress=self.progress, **options,
        )  # fmt: skip

    def moment(self, words: WordTopics, values: DoubleVector) -> DoubleVector:
        r"""Return :math:`S^T S g`."""
        with Workers(self.n_jobs) as workers:
            return words.moment(self.docs, values, workers)

    def context_sums(self, words: WordTopics) -> FloatMatrix:
        """Sum, for each word, of the unit means of its documents."""
        return context_sums(words, self.docs, n_jobs=self.n_jobs)

    def sample(self, n_docs: int, random_state: int) -> FlatDocs:
        """At most ``n_docs`` documents that have words, picked at random."""
        chosen = np.flatnonzero(self.docs.lengths > 0)
        return sample_documents(self.docs, chosen, n_docs, random_state)
