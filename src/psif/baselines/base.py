"""What the methods share: texts to ids, and the interface of an estimator."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from psif.documents.averaging import WordTopics, sorted_documents
from psif.errors import EmptyDocumentsWarning, InputError
from psif.model.corpus import LocalCorpus
from psif.model.estimator import NotFittedError
from psif.model.known_words import KnownWords, VectorOptions, read_known_words
from psif.runtime.seeds import draw_seed
from psif.text.checks import check_texts
from psif.text.flat import FlatDocs
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary, count_words
from psif.types import FloatMatrix
from psif.vectors.preparation import prepare_vectors

TokenizerLike = str | Tokenizer | Callable[[str], Iterable[str]]


class TextMethod(TransformerMixin, BaseEstimator):
    """A transformer over raw texts.

    A method is a dataclass: its fields are its settings, stored as given (so that it clones), and
    the names of what it learns end in ``_``. It defines how to learn (:meth:`_learn`, which
    returns the corpus as ids) and how to embed documents given as ids (:meth:`_embed`).
    """

    tokenizer: TokenizerLike
    random_state: Any
    n_jobs: int | None
    vocabulary_: Vocabulary
    tokenizer_: Tokenizer
    n_features_out_: int

    def fit(self, texts: Iterable[str], y: Any = None) -> Self:
        """Learn from documents; labels are ignored unless the method says otherwise."""
        texts = check_texts(texts)
        self._learn(texts, y)
        return self

    def fit_transform(self, texts: Iterable[str], y: Any = None) -> Any:
        """Learn from documents and return their vectors; they are tokenised only once."""
        texts = check_texts(texts)
        return self._checked_embed(self._learn(texts, y))

    def transform(self, texts: Iterable[str]) -> Any:
        """Vectors of documents, seen before or not; nothing is learned from them.

        A document without any known word is a zero vector, and a warning gives their number.
        """
        return self._checked_embed(self.word_ids(texts))

    def word_ids(self, texts: Iterable[str]) -> FlatDocs:
        """Documents as ids of known words."""
        self._check_fitted()
        texts = check_texts(texts)
        return self._arrange(self.vocabulary_.encode(texts, self.tokenizer_, n_jobs=self.n_jobs))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the output columns."""
        self._check_fitted()
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{i}" for i in range(self.n_features_out_)], dtype=object)

    def _learn(self, texts: Iterable[str], y: Any) -> FlatDocs:
        raise NotImplementedError

    def _embed(self, docs: FlatDocs) -> Any:
        raise NotImplementedError

    def _arrange(self, docs: FlatDocs) -> FlatDocs:
        """Sort the words of each document; methods to which word order matters do not."""
        return sorted_documents(docs)

    def _checked_embed(self, docs: FlatDocs) -> Any:
        warn_empty(docs)
        return self._embed(docs)

    def _seed(self) -> int:
        return draw_seed(self.random_state)

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(
                f"this {type(self).__name__} is not fitted yet; call fit(texts) first."
            )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_out_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.transformer_tags.preserves_dtype = []
        return tags


@dataclass(eq=False, repr=False)
class WordMethod(TextMethod):
    """A method over the words of the corpus, without word vectors.

    Parameters
    ----------
    tokenizer : str, Tokenizer or callable, default="words"
    min_count : int, default=1
        Rarer words are left out.
    random_state : int, RandomState or None
    n_jobs : int or None
    """

    _: KW_ONLY
    tokenizer: TokenizerLike = "words"
    min_count: int = 1
    random_state: Any = None
    n_jobs: int | None = None

    def _learn(self, texts: Iterable[str], y: Any) -> FlatDocs:
        self.tokenizer_ = Tokenizer.of(self.tokenizer)
        vocabulary, docs = count_words(texts, self.tokenizer_, n_jobs=self.n_jobs)
        kept = vocabulary.counts >= self.min_count
        if not kept.any():
            raise InputError(
                f"no word of the {len(docs)} documents occurs min_count={self.min_count} times. "
                "Give more documents or lower min_count."
            )
        if not kept.all():
            vocabulary, new_ids = vocabulary.keep(kept)
            docs = docs.remap(new_ids)
        self.vocabulary_ = vocabulary
        docs = self._arrange(docs)
        self._learn_words(docs, y)
        return docs

    def _learn_words(self, docs: FlatDocs, y: Any) -> None:
        raise NotImplementedError


@dataclass(eq=False, repr=False)
class WordVectorMethod(TextMethod):
    """A method over word vectors.

    Parameters
    ----------
    vectors : str, path, WordVectors or gensim KeyedVectors, default="ppmi"
        As in :class:`psif.PSIF`: a trainer's name or vectors made elsewhere.
    tokenizer : str, Tokenizer or callable, default="words"
    word_norm : {"none", "unit", "center", "all-but-the-top"}, default="none"
        What is done to word vectors first.
    dim, min_count, train_options
        Of trained vectors, as in :class:`psif.PSIF`.
    random_state : int, RandomState or None
    n_jobs : int or None
    """

    vectors: Any = "ppmi"
    _: KW_ONLY
    tokenizer: TokenizerLike = "words"
    word_norm: str = "none"
    dim: int = 200
    min_count: int | None = None
    train_options: Mapping[str, Any] | None = None
    random_state: Any = None
    n_jobs: int | None = None

    def _learn(self, texts: Iterable[str], y: Any) -> FlatDocs:
        seed = self._seed()
        self.tokenizer_ = Tokenizer.of(self.tokenizer)
        known_words = read_known_words(
            texts,
            self.vectors,
            self.tokenizer_,
            dim=self.dim,
            min_count=self.min_count,
            options=VectorOptions.split(self.train_options),
            random_state=seed,
            n_jobs=self.n_jobs,
        )
        prepared = prepare_vectors(known_words.vectors, self.word_norm)
        corpus = LocalCorpus(self._arrange(known_words.docs), self.n_jobs)
        known_words = replace(known_words, vectors=prepared, corpus=corpus)
        self.vocabulary_ = known_words.vocabulary
        self._learn_words(known_words, seed, y)
        return known_words.docs

    def _learn_words(self, known_words: KnownWords, seed: int, y: Any) -> None:
        raise NotImplementedError


def words_of(known_words: KnownWords) -> np.ndarray:
    """Which known words occur in the corpus: topics and clusters are learned on them."""
    return known_words.vocabulary.counts > 0


def plain_words(vectors: FloatMatrix, weights: np.ndarray | None = None) -> WordTopics:
    """Words of one topic with given weights (all 1 when None)."""
    ones = np.ones((len(vectors), 1), dtype=np.float32)
    lambdas = ones[:, 0] if weights is None else weights.astype(np.float32)
    return WordTopics(lambdas, ones, vectors)


def no_components(words: WordTopics) -> FloatMatrix:
    """Nothing to remove."""
    return np.zeros((0, words.n_features), dtype=np.float32)


def warn_empty(docs: FlatDocs) -> None:
    """Say how many documents have no known word."""
    n_empty = int((docs.lengths == 0).sum())
    if n_empty:
        warnings.warn(
            f"{n_empty} of {len(docs)} documents have no known word; their vectors are zero.",
            EmptyDocumentsWarning,
            stacklevel=4,
        )
