"""PSIF, the model as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import NotFittedError as _SklearnNotFitted

from psif.errors import PsifError
from psif.model.embedder import Embedder


class NotFittedError(PsifError, _SklearnNotFitted):
    """The model has not learned anything yet."""


class PSIF(Embedder, TransformerMixin, BaseEstimator):
    r"""Documents to vectors by partition averaging (P-SIF, AAAI 2020).

    Word vectors are written as sparse sums of K topic atoms; a word's vector is repeated in every
    topic, times its coefficient there; a document is the weighted mean of its words, the common
    components of all documents removed (Algorithm 1):

    .. math:: x_d = (I - U U^T) \frac{1}{|d|} \sum_{w \in d} \lambda_w \, (\alpha_w \otimes v_w)

    A scikit-learn transformer over raw texts.

    Parameters
    ----------
    vectors : str, path, WordVectors or gensim KeyedVectors, default="ppmi"
        A trainer's name ("ppmi", "sgns", "doc2vecc"), or vectors made elsewhere.
    n_topics : int or "auto", default=40
        K. "auto" chooses it by reconstruction loss; 1 is SIF.
    n_active : int or None
        k, topics a word may use; ``None`` is K // 2.
    partition : {"ksvd", "gmm", "kmeans", "auto"}, default="ksvd"
        Sparse dictionary, Gaussian mixture, hard clusters; "auto" takes the mixture for
        single-sentence corpora and the dictionary for others.
    weighting : {"sif", "idf", "root-idf", "sif-idf", "uniform"}, default="sif"
        Of words; "root-idf" is the square root of idf.
    a : float, default=1e-3
        Smoothing of SIF weights a / (a + p(w)).
    frequencies : "corpus", "wordfreq", path or mapping, default="corpus"
        Where p(w) comes from.
    counts : {"raw", "log"}, default="raw"
        How repeated words of a document count: as often as they occur, or 1 + ln of that.
    n_removed : int, default=1
        Common components removed; 0 for Doc2VecC vectors, as the paper says.
    n_dims : int or None
        Compact output of this many numbers; ``None`` keeps all K·d.
    compact : {"pca", "random", "pca+random"}, default="pca"
        How vectors are made compact: by their principal directions, by a random projection, or by
        the first and a random projection of what those miss, so that cosines stay what they
        were on average.
    word_norm : {"unit", "none", "center", "all-but-the-top", "zipf", "zipf-norms"}, default="unit"
        What is done to word vectors first ("none" is the paper; "zipf" centres and half-whitens
        them as running text sees them, so that words that say little become short; "zipf-norms"
        does more of it, for single sentences).
    codes : {"signed", "nonnegative", "unit", "nonnegative-unit"}, default="signed"
        How topic coefficients enter ("signed" is the paper).
    shared_topic : float, default=0.0
        Weight of a topic that all words have alike, from 0 (the paper) up to 1 (SIF); it is the
        first of the ``n_topics``.
    word_columns : float, default=0.0
        Share of the cosine that is of the very same words: the words of most documents get a
        column each beside the topics. 0 is the paper.
    tokenizer : str, Tokenizer or callable, default="unicode"
        A preset ("unicode", "paper"), a regular expression, a :class:`psif.Tokenizer`, or a
        function from text to words.
    phrases : int, default=0
        Passes over the corpus that join words which often stand together ("new_york"); new
        documents are joined alike. Tokenising then goes the slower way.
    min_count : int or None
        Rarer words get no vector when vectors are trained; ``None`` is 1, 2 or 5 by corpus size.
    unknown : {"skip", "hash"}, default="skip"
        Words without a vector are skipped (the paper), or get a random direction by their
        spelling: the same unknown name in two documents then counts.
    smoothing : {"none", "documents"}, default="none"
        With "documents" each word vector is replaced by the mean of the documents that contain
        the word, which needs one more pass over them.
    dim : int, default=200
        Dimensions of trained vectors.
    train_options : dict or None
        More options for word vectors: those of the trainer, for example ``{"window": 5}``;
        ``"max_words"`` and ``"max_doc_share"``, which limit the words that get a trained vector;
        ``"vocabulary": "corpus"``, which keeps only the words of the corpus from a given table.
    random_state : int, RandomState or None
    n_jobs : int or None
        Threads of our own loops; ``None`` is all cores. Results do not depend on it.

    Attributes
    ----------
    vocabulary_ : Vocabulary
        Known words and their counts in the corpus.
    words_ : WordTopics
        Weight, topic codes and vector of each known word.
    atoms_ : ndarray of shape (``n_topics_``, dim)
        The vector of each topic.
    components_ : ndarray of shape (n_removed, ``n_topics_`` * dim)
        Common components.
    word_columns_ : WordColumns or None
        The words that have columns, where ``word_columns`` asks for them.
    table_ : ndarray of shape (n_words, n_dims) or None
        With ``n_dims``: the compact vector of each word.
    n_topics_ : int
    partition_ : str
        The partition in use, "auto" resolved.
    losses_ : list of float
        Reconstruction loss after each iteration.
    n_iter_ : int
    coverage_ : float
        Share of the corpus's words that have a vector.
    n_empty_ : int
        Documents of the corpus with no known word.
    n_features_out_ : int

    Examples
    --------
    >>> from psif import PSIF
    >>> texts = ["cats purr and cats sleep", "dogs bark", "cats and dogs play", "stocks fall"]
    >>> model = PSIF(n_topics=2, dim=2, random_state=0).fit(texts)
    >>> model.transform(["dogs sleep"]).shape
    (1, 4)
    """

    _not_fitted = NotFittedError

    # scikit-learn wraps what a class itself defines, for set_output.

    def fit_transform(self, texts: Iterable[str], y: Any = None) -> Any:
        """Learn from documents and return their vectors; they are tokenised only once."""
        return super().fit_transform(texts, y)

    def transform(self, texts: Iterable[str]) -> Any:
        """Vectors of documents; see :meth:`psif.Embedder.transform`."""
        return super().transform(texts)

    @property
    def n_iter_(self) -> int:
        """Iterations that learning the partition took, at least 1."""
        return max(1, len(self.losses_) - 1)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the output columns: topic and dimension, then words; or compact dimension."""
        self._check_fitted()
        if self.table_ is not None:
            names = [f"psif{i}" for i in range(self.n_features_out_)]
        else:
            names = [f"topic{j}_{c}" for j in range(self.n_topics_) for c in range(self.words_.dim)]
            if self.word_columns_:
                names += [f"word_{self.vocabulary_.words[i]}" for i in self.word_columns_.words]
        return np.array(names, dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "words_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.transformer_tags.preserves_dtype = []
        return tags
