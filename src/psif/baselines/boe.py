"""Bag of embeddings (BoE): a word has one vector per class."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from psif.baselines.base import WordMethod
from psif.errors import InputError
from psif.runtime.threads import map_ranges, ranges
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix, FloatVector
from psif.vectors.sgns import keep_probabilities, noise_distribution, start_vectors

# Documents of one class per training step, and documents scored at a time.
_DOCS_PER_STEP = 16
_DOCS_PER_BLOCK = 128
_CENTRES_PER_BLOCK = 8


@dataclass(eq=False, repr=False)
class BagOfEmbeddings(WordMethod):
    r"""How well each class's own word vectors predict the words of a document.

    Skip-gram with context vectors x that all classes share and target vectors :math:`y^c` of each
    class c, trained on the documents of that class; then, with :math:`h_t` the mean context vector
    around word t:

    .. math:: x_{d,c} = \frac{1}{|d|} \sum_{t \in d} \ln \sigma(h_t \cdot y^c_{w_t})

    The authors take the class with the largest score for the answer; here the scores of all
    classes are the document's vector. ``fit`` needs the classes, so that this method, unlike the
    others, learns from labels before any classifier does.

    Parameters
    ----------
    n_components : int, default=100
        Dimensions of the word vectors.
    window : int, default=5
    negatives : int, default=5
    epochs : int, default=10
    alpha : float, default=0.05
        First step size; it falls linearly to nearly zero.
    sample : float, default=1e-3
        Words more frequent than this are thinned out; 0 keeps all.
    min_count : int, default=2

    Other parameters are those of :class:`~psif.baselines.base.WordMethod`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    contexts_ : ndarray of shape (n_words, n_components)
    targets_ : ndarray of shape (n_classes, n_words, n_components)

    References
    ----------
    .. [1] Jin, Zhang, Chen, Xia (2016), "Bag-of-embeddings for text classification".
    """

    min_count: int = 2
    n_components: int = 100
    window: int = 5
    negatives: int = 5
    epochs: int = 10
    alpha: float = 0.05
    sample: float = 1e-3

    def _arrange(self, docs: FlatDocs) -> FlatDocs:
        return docs

    def _learn(self, texts: Iterable[str], y: Any) -> FlatDocs:
        if y is None or any(isinstance(label, list | tuple | set) for label in y):
            raise InputError(
                "a bag of embeddings learns from one class per document: call fit(texts, y)."
            )
        return super()._learn(texts, y)

    def _learn_words(self, docs: FlatDocs, y: Any) -> None:
        if len(y) != len(docs):
            raise InputError(f"{len(docs)} documents but {len(y)} classes; each needs one.")
        self.classes_, labels = np.unique(np.asarray(y), return_inverse=True)
        rng = np.random.default_rng(self._seed())
        shape = (len(self.classes_), len(self.vocabulary_), self.n_components)
        self.contexts_ = start_vectors(rng, len(self.vocabulary_), self.n_components)
        self.targets_ = np.zeros(shape, dtype=np.float32)
        self._train(docs, labels, rng)
        self.n_features_out_ = len(self.classes_)

    def _train(self, docs: FlatDocs, labels: np.ndarray, rng: np.random.Generator) -> None:
        """Pass over the documents class by class in small turns, one thread: order matters."""
        from psif.compiled.skipgram import train_in_order

        keep = keep_probabilities(self.vocabulary_, self.sample)
        noise = noise_distribution(self.vocabulary_, 0.75)
        arrays = list(docs)
        turns = []
        for label in range(len(self.classes_)):
            members = np.flatnonzero(labels == label)
            for start, stop in ranges(len(members), _DOCS_PER_STEP):
                chosen = [arrays[i] for i in members[start:stop]]
                turns.append((label, FlatDocs.from_arrays(chosen)))
        total = self.epochs * len(turns)
        order = np.concatenate([rng.permutation(len(turns)) for _ in range(self.epochs)])
        for done, turn in enumerate(order):
            label, part = turns[turn]
            rate = self.alpha * max(1 - done / total, 1e-4)
            train_in_order(
                part.ids, part.offsets, keep, noise, self.contexts_, self.targets_[label],
                self.window, _CENTRES_PER_BLOCK, self.negatives, np.float32(rate),
                int(rng.integers(2**31 - 1)),
            )  # fmt: skip

    def _embed(self, docs: FlatDocs) -> FloatMatrix:
        out = np.zeros((len(docs), len(self.classes_)), dtype=np.float32)

        def work(start: int, stop: int) -> None:
            part = docs.part(start, stop)
            around = mean_contexts(self.contexts_, part, self.window)
            owner = np.repeat(np.arange(len(part)), part.lengths)
            lengths = np.maximum(part.lengths, 1)
            for label, targets in enumerate(self.targets_):
                scores = np.einsum("tc,tc->t", around, targets[part.ids]).astype(np.float64)
                # ln σ(s) = -ln(1 + exp(-s)), safe for large -s.
                logs = -np.logaddexp(0, -scores)
                sums = np.bincount(owner, logs, minlength=len(part))
                out[start:stop, label] = sums / lengths

        map_ranges(work, len(docs), size=_DOCS_PER_BLOCK, n_jobs=self.n_jobs)
        return out


def mean_contexts(contexts: FloatMatrix, docs: FlatDocs, window: int) -> FloatMatrix:
    """Mean context vector of the words around each word, in its own document; zero for none."""
    n = len(docs.ids)
    first = np.repeat(docs.offsets[:-1], docs.lengths)
    last = np.repeat(docs.offsets[1:], docs.lengths)
    positions = np.arange(n)
    sums = np.zeros((n, contexts.shape[1]), dtype=np.float32)
    seen: FloatVector = np.zeros(n, dtype=np.float32)
    vectors = contexts[docs.ids]
    for step in [k for k in range(-window, window + 1) if k]:
        inside = np.flatnonzero((positions + step >= first) & (positions + step < last))
        sums[inside] += vectors[inside + step]
        seen[inside] += 1
    sums /= np.maximum(seen, 1)[:, None]
    return sums
