"""Paragraph vectors, PV-DM and PV-DBOW (gensim's Doc2Vec)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar
from zlib import crc32

import numpy as np

from psif.baselines.base import WordMethod, warn_empty
from psif.errors import MissingExtraError
from psif.runtime.threads import resolve_jobs
from psif.text.checks import check_texts
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix, FloatVector, IdVector


@dataclass(eq=False, repr=False)
class ParagraphVectors(WordMethod):
    r"""One vector per document, trained together with the vectors of words.

    PV-DM predicts a word from the mean of the document's and its neighbours' vectors, PV-DBOW from
    the document's vector alone, with negative sampling:

    .. math:: \max \sum_{d} \sum_{w \in d} \ln \sigma(h_{d,w} \cdot u_w)
              + \sum_{n \sim P} \ln \sigma(-h_{d,w} \cdot u_n)

    ``transform`` infers the vector of a document with all else fixed, from a start that depends on
    its words alone. ``fit_transform`` returns the vectors found in training, as published; they
    are near to those that ``transform`` would infer, not the same.

    Parameters
    ----------
    n_components : int, default=400
        As in the P-SIF paper.
    epochs : int, default=10
    window : int, default=1
        Of PV-DM. The document's vector is averaged with those of the neighbours: the more there
        are, the less is left for it to explain. With one on each side in place of gensim's five,
        held-out training documents of R8 gain 6 points, and those of 20 Newsgroups lose 1.
    negatives : int, default=5
    options : mapping or None
        More options of gensim's ``Doc2Vec``.
    min_count : int, default=2

    Other parameters are those of :class:`~psif.baselines.base.WordMethod`. With a ``random_state``
    one thread is used, because gensim's threads share vectors without locks; without one, n_jobs.

    References
    ----------
    .. [1] Le, Mikolov (2014), "Distributed representations of sentences and documents".
    """

    min_count: int = 2
    n_components: int = 400
    epochs: int = 10
    window: int = 1
    negatives: int = 5
    options: Mapping[str, Any] | None = None

    distributed_memory: ClassVar[bool]

    def fit_transform(self, texts: Iterable[str], y: Any = None) -> FloatMatrix:
        """Learn from documents and return the vectors found in training."""
        texts = check_texts(texts)
        docs = self._learn(texts, y)
        warn_empty(docs)
        trained: FloatMatrix = self.model_.dv.vectors[: len(docs)].copy()
        trained[docs.lengths == 0] = 0
        return trained

    def _arrange(self, docs: FlatDocs) -> FlatDocs:
        return docs

    def _learn_words(self, docs: FlatDocs, y: object) -> None:
        doc2vec = _doc2vec()
        self.seed_ = self._seed()
        tagged = [
            doc2vec.TaggedDocument(self._words(ids), [position])
            for position, ids in enumerate(docs)
        ]
        self.model_ = doc2vec.Doc2Vec(
            tagged,
            dm=int(self.distributed_memory),
            vector_size=self.n_components,
            window=self.window,
            negative=self.negatives,
            epochs=self.epochs,
            min_count=1,
            seed=self.seed_,
            workers=1 if self.random_state is not None else resolve_jobs(self.n_jobs),
            **(self.options or {}),
        )
        self.n_features_out_ = self.n_components

    def _words(self, ids: IdVector) -> list[str]:
        words = self.vocabulary_.words
        return [words[i] for i in ids.tolist()]

    def _embed(self, docs: FlatDocs) -> FloatMatrix:
        out = np.zeros((len(docs), self.n_components), dtype=np.float32)
        for row, ids in zip(out, docs, strict=True):
            if len(ids):
                row[:] = self._infer(ids)
        return out

    def _infer(self, ids: IdVector) -> FloatVector:
        """Train the vector of one document.

        Not gensim's ``infer_vector``: its start depends on Python's string hashes, which differ
        from run to run, and its random numbers on the documents before.
        """
        doc2vec, model = _doc2vec(), self.model_
        model.random = np.random.RandomState(self.seed_)
        start = np.random.default_rng([self.seed_, crc32(ids.tobytes())])
        vector = ((start.random((1, self.n_components)) - 0.5) / self.n_components).astype("f4")
        name = "train_document_dm" if self.distributed_memory else "train_document_dbow"
        train = getattr(doc2vec, name)
        words, free = self._words(ids), np.ones(1, dtype=np.float32)
        # Working memory for gensim's loops: sums of gradients and, for PV-DM, of contexts.
        memory = [np.zeros(model.layer1_size, dtype=np.float32) for _ in range(2)]
        memory = memory if self.distributed_memory else memory[:1]
        for alpha in np.linspace(model.alpha, model.min_alpha, self.epochs):
            train(
                model,
                words,
                [0],
                float(alpha),
                *memory,
                learn_words=False,
                learn_hidden=False,
                doctag_vectors=vector,
                doctags_lockf=free,
            )
        result: FloatVector = vector[0]
        return result


class PVDM(ParagraphVectors):
    """Distributed memory; see :class:`ParagraphVectors`."""

    distributed_memory = True


class PVDBOW(ParagraphVectors):
    """Distributed bag of words; see :class:`ParagraphVectors`."""

    distributed_memory = False


def _doc2vec() -> ModuleType:
    try:
        from gensim.models import doc2vec
    except ImportError as error:
        raise MissingExtraError("gensim", "gensim", "paragraph vectors") from error
    module: ModuleType = doc2vec
    return module
