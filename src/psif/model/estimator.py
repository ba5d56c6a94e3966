"""PSIF: the model as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import NotFittedError as _SklearnNotFitted

from psif.errors import PsifError
from psif.model.embedder import Embedder


class NotFittedError(PsifError, _SklearnNotFitted):
    """The model is not fitted yet."""


class PSIF(Embedder, TransformerMixin, BaseEstimator):
    r"""Document vectors by partition averaging (P-SIF, AAAI 2020).

    Each word vector is a sparse sum of K topic atoms. The vector of a word is repeated in every
    topic, times its coefficient there. A document is the weighted mean of its words, without the
    common components of all documents (Algorithm 1):

    .. math:: x_d = (I - U U^T) \frac{1}{|d|} \sum_{w \in d} \lambda_w \, (\alpha_w \otimes v_w)

    This is a scikit-learn transformer over raw texts. The defaults are for all of search, groups,
    maps and classifiers: vectors of length 1 and 512 numbers, and topics that people can read.
    ``PSIF.from_preset("paper")`` has the settings of the paper.

    Parameters
    ----------
    vectors : str, path, WordVectors or gensim KeyedVectors, default="auto"
        The name of a trainer ("ppmi", "sgns", "doc2vecc"), or a table of vectors made elsewhere.
        "auto" is "ppmi". But up to 500 English documents with fewer than 30,000 words show too
        little: they are joined with the table inside psif, if no other setting is changed.
    n_topics : int or "auto", default=20
        Number of topics, K. "auto" chooses it by reconstruction loss; 1 is SIF.
    n_active : int or None, default=2
        Number of topics that one word may use, k; ``None`` is K // 2 (the paper). Few topics per
        word make topics and explanations readable.
    partition : {"ksvd", "gmm", "kmeans", "auto"}, default="ksvd"
        Sparse dictionary, Gaussian mixture or hard clusters. "auto" takes the mixture if the
        documents are single sentences, and the dictionary otherwise.
    weighting : {"sif", "idf", "root-idf", "sif-idf", "uniform"}, default="root-idf"
        Weight of each word; "root-idf" is the square root of idf, "sif" is the paper.
    a : float, default=1e-3
        Constant of the SIF weights a / (a + p(w)).
    frequencies : "corpus", "wordfreq", path or mapping, default="corpus"
        Where p(w) comes from.
    counts : {"raw", "log"}, default="log"
        How a word that occurs n times in a document counts: n times, or 1 + ln n times.
    n_removed : int, default=0
        Number of common components to remove; the paper removes one (none for Doc2VecC vectors).
    n_dims : int or None, default=512
        Largest number of dimensions: longer vectors are projected to so many principal
        directions, shorter ones stay as they are. ``None`` keeps all K·d and the word columns,
        which gains a little accuracy with linear classifiers.
    normalize : bool, default=True
        Scale vectors to length 1; zero vectors stay zero. False keeps the length of the average
        (the paper).
    word_norm : {"unit", "none", "center", "all-but-the-top", "zipf", "zipf-norms"}, default="zipf"
        How word vectors are prepared. "none" is the paper. "zipf" centres and half-whitens them
        by word frequency, so that words that say little become short; "zipf-norms" whitens more,
        for single sentences.
    codes : {"signed", "nonnegative", "unit", "nonnegative-unit"}, default="nonnegative-unit"
        How topic coefficients are used; "signed" is the paper.
    shared_topic : float, default=0.0
        Weight of a topic that all words share, from 0 (the paper) towards 1 (SIF). It is the
        first of the ``n_topics``.
    word_columns : float, default=0.3
        Share of the cosine that comes from shared words: the words that occur in most documents
        get one column each, beside the topics. 0 is the paper.
    tokenizer : str, Tokenizer or callable, default="words"
        A preset ("words", "unicode", "paper"), a regular expression, a :class:`psif.Tokenizer`,
        or a function from text to words.
    phrases : int, default=0
        Passes over the corpus that join frequent word pairs ("new_york"); new documents are
        joined in the same way. Tokenizing is slower with phrases.
    min_count : int or None
        Rarer words get no vector when vectors are trained; ``None`` chooses 1, 2 or 5 by the size
        of the corpus.
    unknown : {"skip", "hash"}, default="skip"
        Skip words without a vector (the paper), or give them a random direction by their
        spelling, so that an unknown name counts when two documents share it.
    smoothing : {"none", "documents"}, default="documents"
        "documents" replaces each word vector by the mean of the documents that contain the word;
        this takes one more pass over the documents.
    dim : int, default=200
        Dimensions of trained vectors.
    train_options : dict or None
        Further options for word vectors: those of the trainer, for example ``{"window": 5}``;
        ``"max_words"`` and ``"max_doc_share"``, which limit the words that get a trained vector;
        ``"vocabulary": "corpus"``, which keeps only the words of the corpus from a given table.
    random_state : int, RandomState or None
        An integer makes a fit repeatable.
    n_jobs : int or None
        Number of threads; ``None`` is all cores. Results do not depend on it.

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
        The words that have columns, if ``word_columns`` is above 0.
    table_ : ndarray of shape (n_words, n_dims) or None
        With ``n_dims``: the compact vector of each word.
    topic_words_ : TopicWords
        The characteristic words of each topic, and its mean share in a document.
    topic_names_ : list of str
        What each topic is called.
    n_topics_ : int
    partition_ : str
        The partition in use; never "auto".
    vectors_ : str
        Where the word vectors come from; never "auto": the name of a trainer, "given" for a table
        of vectors, or "english" for the table inside psif.
    losses_ : list of float
        Reconstruction loss after each iteration.
    n_iter_ : int
    coverage_ : float
        Share of the words of the corpus that have a vector.
    n_empty_ : int
        Number of documents of the corpus with no known word.
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

    # For set_output scikit-learn wraps the methods that a class defines itself.

    def fit_transform(self, texts: Iterable[str], y: Any = None) -> Any:
        """Learn from documents and return their vectors; each text is tokenized once."""
        return super().fit_transform(texts, y)

    def transform(self, texts: Iterable[str]) -> Any:
        """Return the vectors of documents; see :meth:`psif.Embedder.transform`."""
        return super().transform(texts)

    @property
    def n_iter_(self) -> int:
        """Number of iterations that learning the topics took, at least 1."""
        return max(1, len(self.losses_) - 1)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return names of the columns: topic and dimension, then words; or compact dimensions."""
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
