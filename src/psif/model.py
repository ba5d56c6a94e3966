"""PSIF, the estimator that joins the rooms: text, vectors, weights, partitions, averaging."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import NotFittedError as _SklearnNotFitted

from psif.averaging import WordTopics, sorted_documents
from psif.compact import cast
from psif.corpus import LocalCorpus
from psif.errors import InputError, PsifError, PsifWarning
from psif.explain import Explanation, explain_pair
from psif.fitting import Fit
from psif.norms import unit_rows
from psif.presets import preset
from psif.senses import find_senses
from psif.text.flat import FlatDocs
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary, count_words
from psif.topics import Topic, describe_topics, document_shares
from psif.types import FloatMatrix
from psif.weights import Frequencies


class NotFittedError(PsifError, _SklearnNotFitted):
    """The model has not learned anything yet."""


class PSIF(TransformerMixin, BaseEstimator):
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
    weighting : {"sif", "idf", "sif-idf", "uniform"}, default="sif"
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
    compact : {"pca", "random"}, default="pca"
        How vectors are made compact.
    whiten : bool, default=False
        Scale the dimensions of "pca" alike.
    dtype : {"float32", "float16", "int8"}, default="float32"
        Numbers that ``transform`` returns.
    sparse : bool, default=False
        Return a SciPy CSR matrix. Removing a component makes vectors dense: pair it with
        ``n_removed=0``.
    word_norm : {"unit", "none", "center", "all-but-the-top"}, default="unit"
        What is done to word vectors first ("none" is the paper).
    codes : {"signed", "nonnegative", "unit", "nonnegative-unit"}, default="signed"
        How topic coefficients enter ("signed" is the paper).
    covariance : {"tied", "diag", "full"}, default="tied"
        Of the Gaussian mixture.
    init : {"svd", "data"}, default="svd"
        Start of the dictionary.
    max_iter, tol : int, float, default=10, 1e-3
        Iterations of the dictionary, and the relative improvement below which it stops.
    tokenizer : str, Tokenizer or callable, default="unicode"
        A preset ("unicode", "paper"), a regular expression, a :class:`psif.Tokenizer`, or a
        function from text to words.
    min_count : int or None
        Rarer words get no vector when vectors are trained; ``None`` is 1, 2 or 5 by corpus size.
    max_words : int or None
        Most words to train vectors for.
    max_doc_share : float, default=1.0
        Words in a larger share of the documents get no vector when vectors are trained.
    vocabulary : {"all", "corpus"}, default="all"
        Keep all words of given vectors, or only those of the corpus (a smaller model that does
        not know other words of new documents).
    dim : int, default=200
        Dimensions of trained vectors.
    train_options : dict or None
        More options of the trainer, for example ``{"window": 5}``.
    random_state : int, RandomState or None
    n_jobs : int or None
        Threads of our own loops; ``None`` is all cores. Results do not depend on it.
    progress : callable or None
        Called as ``progress(done, total)`` while word vectors are trained. Not saved.

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

    def __init__(
        self,
        vectors: Any = "ppmi",
        *,
        n_topics: int | str = 40,
        n_active: int | None = None,
        partition: str = "ksvd",
        weighting: str = "sif",
        a: float = 1e-3,
        frequencies: Frequencies = "corpus",
        counts: str = "raw",
        n_removed: int = 1,
        n_dims: int | None = None,
        compact: str = "pca",
        whiten: bool = False,
        dtype: str = "float32",
        sparse: bool = False,
        word_norm: str = "unit",
        codes: str = "signed",
        covariance: str = "tied",
        init: str = "svd",
        max_iter: int = 10,
        tol: float = 1e-3,
        tokenizer: str | Tokenizer | Callable[[str], Iterable[str]] = "unicode",
        min_count: int | None = None,
        max_words: int | None = None,
        max_doc_share: float = 1.0,
        vocabulary: str = "all",
        dim: int = 200,
        train_options: Mapping[str, Any] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.vectors = vectors
        self.n_topics = n_topics
        self.n_active = n_active
        self.partition = partition
        self.weighting = weighting
        self.a = a
        self.frequencies = frequencies
        self.counts = counts
        self.n_removed = n_removed
        self.n_dims = n_dims
        self.compact = compact
        self.whiten = whiten
        self.dtype = dtype
        self.sparse = sparse
        self.word_norm = word_norm
        self.codes = codes
        self.covariance = covariance
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.tokenizer = tokenizer
        self.min_count = min_count
        self.max_words = max_words
        self.max_doc_share = max_doc_share
        self.vocabulary = vocabulary
        self.dim = dim
        self.train_options = train_options
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    @classmethod
    def from_preset(cls, name: str, **overrides: Any) -> Self:
        """Build from named settings: "paper", "classification", "similarity" or "compact"."""
        return cls(**{**preset(name), **overrides})

    # What a fit sets, all at once.
    vocabulary_: Vocabulary
    tokenizer_: Tokenizer
    words_: WordTopics
    n_topics_: int
    partition_: str
    atoms_: FloatMatrix
    losses_: list[float]
    components_: FloatMatrix
    table_: FloatMatrix | None
    n_docs_: int
    n_tokens_: int
    coverage_: float
    n_empty_: int

    # Learning

    def fit(self, texts: Iterable[str], y: Any = None) -> Self:
        """Learn from documents, read once.

        Parameters
        ----------
        texts : iterable of str
        y : ignored
        """
        self._fit(texts)
        return self

    def fit_transform(self, texts: Iterable[str], y: Any = None) -> Any:
        """Learn from documents and return their vectors; they are tokenised only once."""
        return self._finish(self.embed(self._fit(texts)))

    def _fit(self, texts: Iterable[str]) -> FlatDocs:
        _check_texts(texts)
        fit = Fit(self.get_params(deep=False))
        counted, docs = count_words(texts, fit.tokenizer, n_jobs=self.n_jobs)
        learned, corpus = fit.learn(counted, LocalCorpus(docs, self.n_jobs, self.progress))
        # Learned attributes are set together, last: a fit that fails changes nothing.
        self.__dict__.update(learned)
        assert isinstance(corpus, LocalCorpus)
        return corpus.docs

    # Embedding

    def transform(self, texts: Iterable[str]) -> Any:
        """Vectors of documents, seen before or not; nothing is learned from them.

        Returns
        -------
        vectors : ndarray (or CSR matrix) of shape (n_docs, ``n_features_out_``)
            A document with no known word is the zero vector, and a warning gives their number.
        """
        return self._finish(self.embed(self.encode(texts)))

    def encode(self, texts: Iterable[str]) -> FlatDocs:
        """Documents as ids of known words; its ``coverage`` is the share of words known."""
        self._check_fitted()
        _check_texts(texts)
        docs = self.vocabulary_.encode(texts, self.tokenizer_, n_jobs=self.n_jobs)
        return sorted_documents(docs)

    def embed(self, docs: FlatDocs) -> FloatMatrix:
        """Vectors of encoded documents, float32, before ``dtype`` and ``sparse``."""
        self._check_fitted()
        n_empty = int((docs.lengths == 0).sum())
        if n_empty:
            warnings.warn(
                f"{n_empty} of {len(docs)} documents have no word with a vector; "
                "their vectors are zero.",
                PsifWarning,
                stacklevel=3,
            )
        if self.table_ is not None:
            return self.words_.average_table(docs, self.table_, n_jobs=self.n_jobs)
        return self.words_.average(docs, self.components_, n_jobs=self.n_jobs)

    def _finish(self, vectors: FloatMatrix) -> Any:
        result = cast(vectors, self.dtype)
        if self.sparse:
            from scipy.sparse import csr_array

            return csr_array(result)
        return result

    # Looking at it

    def similarity(
        self, texts_a: str | Iterable[str], texts_b: str | Iterable[str], *, paired: bool = False
    ) -> Any:
        """Cosine similarity of documents.

        Parameters
        ----------
        texts_a, texts_b : str or iterable of str
        paired : bool, default=False
            Compare the first with the first, the second with the second, and so on.

        Returns
        -------
        similarity : float, or ndarray of shape (n_a, n_b), or (n_a,) where ``paired``
            A float for two single texts. 0 where a document has no known word.
        """
        single = isinstance(texts_a, str) and isinstance(texts_b, str)
        a, b = self._unit_rows(texts_a), self._unit_rows(texts_b)
        if paired and len(a) != len(b):
            raise InputError(
                f"paired similarity needs as many texts on both sides; got {len(a)} and {len(b)}."
            )
        if paired or single:
            scores = np.einsum("ij,ij->i", a, b)
            return float(scores[0]) if single else scores
        return a @ b.T

    def _unit_rows(self, texts: str | Iterable[str]) -> FloatMatrix:
        return unit_rows(self.embed(self.encode([texts] if isinstance(texts, str) else texts)))

    def explain(self, text_a: str, text_b: str, *, n_pairs: int = 100) -> Explanation:
        """Why two documents are alike: their cosine split over topics and word pairs.

        Parameters
        ----------
        text_a, text_b : str
        n_pairs : int, default=100
            Word pairs to list; the sum of the others is given.
        """
        docs = self.encode([text_a, text_b])
        ids_a, ids_b = docs
        compact_score = None if self.table_ is None else self.similarity(text_a, text_b)
        return explain_pair(
            self.words_,
            self.vocabulary_.words,
            self.components_,
            ids_a,
            ids_b,
            compact_score=compact_score,
            n_pairs=n_pairs,
            text_a=text_a,
            text_b=text_b,
            tokenizer=self.tokenizer_,
        )

    def topics(
        self, n_words: int = 10, *, texts: Iterable[str] | None = None, n_examples: int = 3
    ) -> list[Topic]:
        """Words, corpus share and nearest topics of each partition; examples among ``texts``."""
        self._check_fitted()
        known = self.vocabulary_
        return describe_topics(
            self.words_,
            known.words,
            known.counts,
            n_words,
            atoms=self.atoms_,
            shares_of_docs=None if texts is None else self.document_topics(texts),
            n_examples=n_examples,
        )

    def senses(self, word: str | None = None, n_words: int = 6, n_senses: int = 5) -> Any:
        """Topics of a word, strongest first, each with the words nearest to it there.

        Without a word: a dict of the words whose senses lie furthest apart to their senses.
        """
        self._check_fitted()
        return find_senses(self.words_, self.vocabulary_, self.atoms_, word, n_words, n_senses)

    def document_topics(self, texts: Iterable[str]) -> FloatMatrix:
        r"""Topic shares of documents: :math:`\sum_w s_w |\alpha_{w,j}|`, rows summing to 1.

        Returns
        -------
        shares : ndarray of shape (n_docs, ``n_topics_``)
            A zero row for a document with no known word.
        """
        return document_shares(self.words_, self.encode(texts), self.n_jobs)

    @property
    def n_features_out_(self) -> int:
        """Numbers in a document vector."""
        return self.words_.n_features if self.table_ is None else int(self.table_.shape[1])

    @property
    def n_iter_(self) -> int:
        """Iterations that learning the partition took, at least 1."""
        return max(1, len(self.losses_) - 1)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the output columns: topic and dimension, or compact dimension."""
        self._check_fitted()
        if self.table_ is not None:
            names = [f"psif{i}" for i in range(self.n_features_out_)]
        else:
            names = [f"topic{j}_{c}" for j in range(self.n_topics_) for c in range(self.words_.dim)]
        return np.array(names, dtype=object)

    # Keeping it

    def save(self, folder: str | Path) -> None:
        """Write the model to a folder, whole or not at all; see :mod:`psif.persistence`."""
        from psif.storage import save

        self._check_fitted()
        save(self, folder)

    @classmethod
    def load(cls, folder: str | Path, *, mapped: bool = False) -> Self:
        """Read a model that :meth:`save` wrote; files are checked, nothing in them is run.

        ``mapped`` leaves the arrays in the file, for processes of one machine to share.
        """
        from psif.storage import load

        return load(cls, folder, mapped=mapped)

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError("this PSIF model is not fitted yet; call fit(texts) first.")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "words_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.transformer_tags.preserves_dtype = []
        return tags


def _check_texts(texts: Any) -> None:
    if isinstance(texts, str | bytes):
        raise InputError("expected a list of documents, got a single text. Write [text].")
    if not isinstance(texts, Iterable):
        raise InputError(f"expected a list of documents, got {type(texts).__name__}.")
