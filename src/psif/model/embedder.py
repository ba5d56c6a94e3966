"""The model without scikit-learn, so that it starts quickly."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from psif.documents.averaging import WordTopics, sorted_documents
from psif.documents.word_columns import WordColumns
from psif.errors import EmptyDocumentsWarning, InputError, PsifError
from psif.model.presets import preset
from psif.model.settings import Settings
from psif.runtime.norms import scale_to_unit, unit_rows
from psif.text.checks import check_texts
from psif.text.flat import FlatDocs
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary
from psif.types import FloatMatrix

if TYPE_CHECKING:
    from psif.explain import Explanation
    from psif.explain.assigning import Assignment
    from psif.explain.topic_words import TopicWords
    from psif.explain.topics import Topic
    from psif.group.clusters.groups import Groups
    from psif.vectors.progress import Progress


class Embedder(Settings):
    """P-SIF without scikit-learn.

    :class:`psif.PSIF` is this class as a scikit-learn estimator; settings, learned attributes and
    saved files are the same. Importing scikit-learn takes longer than embedding a thousand
    documents, so the command line and the workers of a cluster use this class.

    Examples
    --------
    >>> from psif import Embedder
    >>> texts = ["cats purr and cats sleep", "dogs bark", "cats and dogs play", "stocks fall"]
    >>> model = Embedder(n_topics=2, dim=2, random_state=0).fit(texts)
    >>> model.transform(["dogs sleep"]).shape
    (1, 4)
    """

    # Raised when a method needs a fitted model.
    _not_fitted: ClassVar[type[PsifError]] = PsifError

    @classmethod
    def from_preset(cls, name: str, **overrides: Any) -> Self:
        """Make a model from a preset; keyword arguments override single settings.

        Parameters
        ----------
        name : str
            "paper", "classification", "retrieval", "similarity", "sentences" or "compact"; see
            :func:`psif.model.presets.preset`.
        **overrides
            Settings of :class:`psif.PSIF`.
        """
        return cls(**{**preset(name), **overrides})

    # A fit sets these attributes together.
    vocabulary_: Vocabulary
    tokenizer_: Tokenizer
    words_: WordTopics
    n_topics_: int
    partition_: str
    atoms_: FloatMatrix
    losses_: list[float]
    components_: FloatMatrix
    word_columns_: WordColumns | None
    table_: FloatMatrix | None
    topic_words_: TopicWords
    vectors_: str
    n_docs_: int
    n_tokens_: int
    coverage_: float
    n_empty_: int
    checksum_: str | None  # checksum of the saved model; None until it is saved

    # Learning

    def fit(self, texts: Iterable[str], y: Any = None, *, progress: Progress | None = None) -> Self:
        """Learn from documents, which are read once.

        Parameters
        ----------
        texts : iterable of str
        y : ignored
        progress : callable, optional
            Called as ``progress(done, total)`` while word vectors are trained.
        """
        self.learn(texts, progress=progress)
        return self

    def fit_transform(self, texts: Iterable[str], y: Any = None) -> Any:
        """Learn from documents and return their vectors; each text is tokenized once."""
        return self.average(self.learn(texts))

    def learn(self, texts: Iterable[str], *, progress: Progress | None = None) -> FlatDocs:
        """Fit, and return what :meth:`word_ids` would, without reading the texts again."""
        from psif.model.corpus import LocalCorpus
        from psif.model.fitting import Fit
        from psif.text.phrases import count_with_phrases

        texts = check_texts(texts)
        fit = Fit(self.settings)
        fit.tokenizer, counted, docs = count_with_phrases(
            texts, fit.tokenizer, self.phrases, n_jobs=self.n_jobs
        )
        learned, corpus = fit.learn(counted, LocalCorpus(docs, self.n_jobs, progress))
        # Learned attributes are set together at the end: a fit that fails changes nothing.
        self.__dict__.update(learned)
        assert isinstance(corpus, LocalCorpus)
        return corpus.docs

    # Embedding

    def transform(self, texts: Iterable[str]) -> Any:
        """Return the vectors of documents, old or new; nothing is learned from them.

        Returns
        -------
        vectors : ndarray of shape (n_docs, ``n_features_out_``)
            Of length 1, unless ``normalize`` is false. A document with no known word is the zero
            vector; a warning says how many there are.
        """
        return self.average(self.word_ids(texts))

    def encode(self, texts: str | Iterable[str]) -> Any:
        """Return the vectors of texts, like :meth:`transform`; one vector for a single text.

        Other libraries use this name.

        Returns
        -------
        vectors : ndarray of shape (n_docs, ``n_features_out_``) or (``n_features_out_``,)
        """
        if isinstance(texts, str):
            return self.average(self.word_ids([texts]))[0]
        return self.average(self.word_ids(texts))

    def embed(self, texts: str | Iterable[str]) -> Any:
        """Return the vectors of texts; another name for :meth:`encode`."""
        return self.encode(texts)

    def word_ids(self, texts: Iterable[str]) -> FlatDocs:
        """Return documents as ids of known words; ``coverage`` is the share of known words."""
        self._check_fitted()
        docs = self.vocabulary_.encode(check_texts(texts), self.tokenizer_, n_jobs=self.n_jobs)
        return sorted_documents(docs)

    def average(self, docs: FlatDocs) -> FloatMatrix:
        """Return the float32 vectors of documents given as word ids; see :meth:`word_ids`."""
        self._check_fitted()
        n_empty = len(docs) - int(np.count_nonzero(docs.lengths))
        if n_empty:
            warnings.warn(
                f"{n_empty} of {len(docs)} documents have no word with a vector; "
                "their vectors are zero.",
                EmptyDocumentsWarning,
                stacklevel=3,
            )
        word_columns = self.word_columns_
        if self.table_ is None:
            vectors = self.words_.average(
                docs, self.components_, word_columns=word_columns, n_jobs=self.n_jobs
            )
        else:
            vectors = self.words_.average_table(docs, self.table_, n_jobs=self.n_jobs)
            if word_columns:
                word_columns.balance(vectors)
        if self.normalize:
            scale_to_unit(vectors)
        return vectors

    # Looking inside

    def similarity(
        self, texts_a: str | Iterable[str], texts_b: str | Iterable[str], *, paired: bool = False
    ) -> Any:
        """Return the cosine similarity of documents.

        Parameters
        ----------
        texts_a, texts_b : str or iterable of str
        paired : bool, default=False
            Compare the first text with the first, the second with the second, and so on.

        Returns
        -------
        similarity : float or ndarray of shape (n_a, n_b), or (n_a,) if ``paired``
            A float for two single texts. It is 0 if a document has no known word.
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
        return unit_rows(self.average(self.word_ids([texts] if isinstance(texts, str) else texts)))

    def explain(self, text_a: str, text_b: str, *, n_pairs: int = 100) -> Explanation:
        """Explain why two documents are similar: split their cosine over topics and word pairs.

        Parameters
        ----------
        text_a, text_b : str
        n_pairs : int, default=100
            Number of word pairs to list; the sum of the others is given.
        """
        from psif.explain import explain_pair

        docs = self.word_ids([text_a, text_b])
        ids_a, ids_b = docs
        return explain_pair(
            self.words_,
            self.vocabulary_.words,
            self.components_,
            ids_a,
            ids_b,
            word_columns=self.word_columns_,
            table=self.table_,
            topic_names=self.topic_names_,
            n_pairs=n_pairs,
            text_a=text_a,
            text_b=text_b,
            tokenizer=self.tokenizer_,
        )

    def topics(
        self, n_words: int = 10, *, texts: Iterable[str] | None = None, n_examples: int = 3
    ) -> list[Topic]:
        """Describe each topic: its words, share of the corpus, nearest topics and examples.

        Parameters
        ----------
        n_words : int, default=10
            Words per topic.
        texts : iterable of str, optional
            Documents to choose examples from.
        n_examples : int, default=3
            Examples per topic.
        """
        from psif.explain.topics import describe_topics

        self._check_fitted()
        known = self.vocabulary_
        return describe_topics(
            self.words_,
            known.words,
            known.counts,
            n_words,
            atoms=self.atoms_,
            topic_words=self.topic_words_,
            shares_of_docs=None if texts is None else self.document_topics(texts),
            n_examples=n_examples,
        )

    def senses(self, word: str | None = None, n_words: int = 6, n_senses: int = 5) -> Any:
        """Return the topics of a word, strongest first, with its nearest words in each.

        Without a word, return a dict from the words whose senses differ most to their senses.
        """
        from psif.explain.senses import find_senses

        self._check_fitted()
        return find_senses(self.words_, self.vocabulary_, self.atoms_, word, n_words, n_senses)

    def document_topics(self, texts: Iterable[str]) -> FloatMatrix:
        r"""Return topic shares of documents: :math:`\sum_w s_w |\alpha_{w,j}|`, rows sum to 1.

        Returns
        -------
        shares : ndarray of shape (n_docs, ``n_topics_``)
            A document with no known word has a row of zeros. A topic that all words share
            (``shared_topic``) has no share.
        """
        from psif.explain.topics import document_shares

        return document_shares(self.words_, self.word_ids(texts), self.n_jobs)

    def assign_topics(self, texts: Iterable[str]) -> list[Assignment]:
        """Say which topic each document is about: the one that stands out against the corpus.

        Returns
        -------
        assignments : list of Assignment
            Per document a tuple of ``topic``, ``strength`` (how much larger its share is than in
            the corpus) and ``name``. The topic is -1 for a document with no known word.
        """
        from psif.explain.assigning import assign

        shares = self.document_topics(texts)
        return assign(shares, self.topic_words_.means, self.topic_names_)

    @property
    def topic_names_(self) -> list[str]:
        """What each topic is called: its three most characteristic words."""
        from psif.explain.topics import N_NAME_WORDS, topic_name

        self._check_fitted()
        words = self.vocabulary_.words
        return [
            topic_name([words[i] for i in self.topic_words_.of(topic, N_NAME_WORDS)[0]])
            for topic in range(self.n_topics_)
        ]

    def groups(
        self, texts: Iterable[str], n_groups: int | None = None, *, random_state: int = 0
    ) -> Groups:
        """Sort documents into named groups.

        Parameters
        ----------
        texts : iterable of str
        n_groups : int, optional
            Number of groups; by default the number that the documents suggest.
        random_state : int, default=0
            The same number gives the same groups.

        Returns
        -------
        groups : Groups
            Names, sizes and typical documents; the group of each document, -1 for outliers; and
            methods that assign new documents and explain assignments.
        """
        from psif.group.clusters.groups import find_groups

        return find_groups(self, texts, n_groups, random_state=random_state)

    @property
    def n_features_out_(self) -> int:
        """Number of dimensions of a document vector."""
        return self.n_features_all_ if self.table_ is None else int(self.table_.shape[1])

    @property
    def n_features_all_(self) -> int:
        """Number of dimensions of a document vector before it is made compact."""
        return self.words_.n_features + (self.word_columns_.n_columns if self.word_columns_ else 0)

    # Saving

    def save(self, folder: str | Path, *, dtype: str = "float32") -> None:
        """Write the model to a folder, which appears complete or not at all.

        An existing model is replaced; a folder that holds anything else is refused.

        Parameters
        ----------
        folder : str or path
        dtype : {"float32", "float16", "int8"}
            Of word vectors and codes in the file. The smaller ones round them, so a loaded model
            gives slightly different vectors.
        """
        from psif.model.storage import save

        self._check_fitted()
        save(self, folder, dtype=dtype)

    @classmethod
    def load(cls, folder: str | Path, *, mapped: bool = False) -> Self:
        """Read a model that :meth:`save` wrote. Files are checked, and no code in them is run.

        Parameters
        ----------
        folder : str or path
            Or "english": the ready model inside the package, for English texts.
        mapped : bool, default=False
            Leave the arrays in the file, so that processes of one machine share them.
        """
        from psif.model.storage import load

        return load(cls, folder, mapped=mapped)

    def _check_fitted(self) -> None:
        if not hasattr(self, "words_"):
            name = type(self).__name__
            raise self._not_fitted(f"this {name} model is not fitted yet; call fit(texts) first.")
