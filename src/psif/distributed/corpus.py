"""A corpus whose documents stay on the workers, as word ids, four bytes per word."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from psif.distributed.cluster import Cluster, add_up
from psif.distributed.cooccurrences import train_ppmi
from psif.distributed.counting import Docs, to_tuple
from psif.documents.averaging import WordTopics, sorted_documents
from psif.documents.projection import sample_ranks
from psif.documents.smoothing import context_sums
from psif.errors import InputError
from psif.model.corpus import CorpusSize
from psif.runtime.threads import Workers
from psif.text.flat import FlatDocs
from psif.text.vocabulary import Vocabulary
from psif.types import CountVector, DoubleVector, FloatMatrix, IdVector
from psif.vectors.trainers import check_options


class ClusterCorpus:
    """Futures of partitions of word ids; Dask moves to disk what does not fit in memory."""

    def __init__(self, cluster: Cluster, parts: list[Any]) -> None:
        self._cluster = cluster
        self._parts = parts
        self._words: tuple[WordTopics, Any] | None = None

    @cached_property
    def _sizes(self) -> list[CorpusSize]:
        return self._cluster.gather(self._cluster.each(_size, self._parts), shown=True)

    @property
    def size(self) -> CorpusSize:
        """What adds up."""
        return sum(self._sizes, CorpusSize())

    def remap(self, new_ids: IdVector) -> ClusterCorpus:
        """Rename word ``i`` to ``new_ids[i]``, skipping negative ones."""
        shared = self._cluster.share(new_ids)
        return ClusterCorpus(self._cluster, self._cluster.each(_remap, self._parts, shared))

    def sort(self) -> ClusterCorpus:
        """Sort the words within each document."""
        return ClusterCorpus(self._cluster, self._cluster.each(_sort, self._parts))

    def train(
        self, method: str, vocabulary: Vocabulary, *, dim: int, random_state: int, **options: Any
    ) -> FloatMatrix:
        """Train word vectors by counting; other trainers are for one machine."""
        if method != "ppmi":
            raise InputError(
                f"the trainer {method!r} does not run on a cluster: its steps follow one another. "
                "Use vectors='ppmi', or train on one machine first (WordVectors.train on a sample) "
                "and give the result as vectors."
            )
        check_options(method, options)
        return train_ppmi(
            self._cluster,
            self._parts,
            vocabulary,
            dim=dim,
            random_state=random_state,
            **options,
        )

    def moment(self, words: WordTopics, values: DoubleVector) -> DoubleVector:
        r"""Return :math:`S^T S g`, summed by a tree."""
        if self._words is None or self._words[0] is not words:
            # Weights are all that the moment needs of words; codes and vectors stay here.
            nothing = np.zeros((len(words.weights), 0), dtype=np.float32)
            light = (words.weights, nothing, nothing, words.counts)
            self._words = words, self._cluster.share(light)
        shared = self._cluster.share(values, keep=False)
        parts = self._cluster.each(_moment, self._parts, self._words[1], shared)
        total: DoubleVector = self._cluster.result(self._cluster.tree(add_up, parts))
        return total

    def context_sums(self, words: WordTopics) -> FloatMatrix:
        """Sum, for each word, of the unit means of its documents, summed by a tree."""
        # One topic's worth of words: codes stay here.
        light = (words.weights, words.codes[:, :0], words.vectors, words.counts)
        parts = self._cluster.each(_contexts, self._parts, self._cluster.share(light, keep=False))
        total: FloatMatrix = self._cluster.result(self._cluster.tree(add_up, parts))
        return total

    def sample(self, n_docs: int, random_state: int) -> FlatDocs:
        """At most ``n_docs`` documents that have words: the ones that a single machine picks."""
        filled = np.array([size.n_docs - size.n_empty for size in self._sizes])
        ranks = sample_ranks(int(filled.sum()), n_docs, random_state)
        begins = np.cumsum(filled) - filled
        futures = []
        for part, begin, n in zip(self._parts, begins.tolist(), filled.tolist(), strict=True):
            low, high = np.searchsorted(ranks, [begin, begin + n])
            if high > low:
                futures.append(self._cluster.submit(_pick, part, ranks[low:high] - begin))
        parts = self._cluster.gather(futures)
        return FlatDocs.concatenate([FlatDocs(*part) for part in parts])


def _size(docs: Docs) -> CorpusSize:
    return CorpusSize.of(FlatDocs(*docs))


def _remap(docs: Docs, new_ids: IdVector) -> Docs:
    return to_tuple(FlatDocs(*docs).remap(new_ids))


def _sort(docs: Docs) -> Docs:
    return to_tuple(sorted_documents(FlatDocs(*docs)))


def _moment(docs: Docs, light: tuple[Any, ...], values: DoubleVector) -> DoubleVector:
    with Workers(1) as workers:
        return _words(light).moment(_docs(docs), writable(values), workers)


def _contexts(docs: Docs, light: tuple[Any, ...]) -> FloatMatrix:
    return context_sums(_words(light), _docs(docs), n_jobs=1)


def _words(light: tuple[Any, ...]) -> WordTopics:
    # Arrays that came over the wire are read-only; compiled code is compiled for writable ones.
    weights, codes, vectors, counts = light
    return WordTopics(writable(weights), codes, writable(vectors), counts)


def _docs(docs: Docs) -> FlatDocs:
    ids, offsets, n_tokens = docs
    return FlatDocs(writable(ids), writable(offsets), n_tokens)


def _pick(docs: Docs, ranks: CountVector) -> Docs:
    flat = FlatDocs(*docs)
    chosen = np.flatnonzero(flat.lengths > 0)[ranks]
    return to_tuple(FlatDocs.concatenate([flat.part(int(i), int(i) + 1) for i in chosen]))


def writable(array: Any) -> Any:
    """Return the array itself, or a copy of one that may only be read."""
    return array if array.flags.writeable else array.copy()
