"""A model that learns and embeds, with nothing of scikit-learn: it starts in a moment."""

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
from psif.runtime.norms import unit_rows
from psif.text.checks import check_texts
from psif.text.flat import FlatDocs
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary
from psif.types import FloatMatrix

if TYPE_CHECKING:
    from psif.explain import Explanation
    from psif.explain.topics import Topic
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

    # What is raised before a fit.
    _not_fitted: ClassVar[type[PsifError]] = PsifError

    @classmethod
    def from_preset(cls, name: str, **overrides: Any) -> Self:
        """Build from named settings, one of :data:`psif.model.presets.PRESETS`."""
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
    word_columns_: WordColumns | None
    table_: FloatMatrix | None
    n_docs_: int
    n_tokens_: int
    coverage_: float
    n_empty_: int
    checksum_: str | None  # of the saved model that this is; None until it is saved

    # Learning

    def fit(self, texts: Iterable[str], y: Any = None, *, progress: Progress | None = None) -> Self:
        """Learn from documents, read once.

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
        """Learn from documents and return their vectors; they are tokenised only once."""
        return self.average(self.learn(texts))

    def learn(self, texts: Iterable[str], *, progress: Progress | None = None) -> FlatDocs:
        """Fit, and return the documents as :meth:`word_ids` would, without reading them again."""
        from psif.model.corpus import LocalCorpus
        from psif.model.fitting import Fit
        from psif.text.phrases import count_with_phrases

        texts = check_texts(texts)
        fit = Fit(self.settings)
        fit.tokenizer, counted, docs = count_with_phrases(
            texts, fit.tokenizer, self.phrases, n_jobs=self.n_jobs
        )
        learned, corpus = fit.learn(counted, LocalCorpus(docs, self.n_jobs, progress))
        # Learned attributes are set together, last: a fit that fails changes nothing.
        self.__dict__.update(learned)
        assert isinstance(corpus, LocalCorpus)
        return corpus.docs

    # Embedding

    def transform(self, texts: Iterable[str]) -> Any:
        """Vectors of documents, seen before or not; nothing is learned from them.

        Returns
        -------
        vectors : ndarray of shape (n_docs, ``n_features_out_``)
            A document with no known word is the zero vector, and a warning gives their number.
        """
        return self.average(self.word_ids(texts))

    def encode(self, texts: str | Iterable[str]) -> Any:
        """Vectors of texts, by the name that other libraries use: :meth:`transform` of a list.

        Returns
        -------
        vectors : ndarray of shape (n_docs, ``n_features_out_``), or one vector for a single text
        """
        if isinstance(texts, str):
            return self.average(self.word_ids([texts]))[0]
        return self.average(self.word_ids(texts))

    def embed(self, texts: str | Iterable[str]) -> Any:
        """Vectors of texts: another name of :meth:`encode`."""
        return self.encode(texts)

    def word_ids(self, texts: Iterable[str]) -> FlatDocs:
        """Documents as ids of known words; its ``coverage`` is the share of words known."""
        self._check_fitted()
        docs = self.vocabulary_.encode(check_texts(texts), self.tokenizer_, n_jobs=self.n_jobs)
        return sorted_documents(docs)

    def average(self, docs: FlatDocs) -> FloatMatrix:
        """Vectors of documents given as word ids, float32; see :meth:`word_ids`."""
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
            return self.words_.average(
                docs, self.components_, word_columns=word_columns, n_jobs=self.n_jobs
            )
        vectors = self.words_.average_table(docs, self.table_, n_jobs=self.n_jobs)
        if word_columns:
            word_columns.balance(vectors)
        return vectors

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
        return unit_rows(self.average(self.word_ids([texts] if isinstance(texts, str) else texts)))

    def explain(self, text_a: str, text_b: str, *, n_pairs: int = 100) -> Explanation:
        """Why two documents are alike: their cosine split over topics and word pairs.

        Parameters
        ----------
        text_a, text_b : str
        n_pairs : int, default=100
            Word pairs to list; the sum of the others is given.
        """
        from psif.explain import explain_pair

        docs = self.word_ids([text_a, text_b])
        ids_a, ids_b = docs
        compact_score = None if self.table_ is None else self.similarity(text_a, text_b)
        return explain_pair(
            self.words_,
            self.vocabulary_.words,
            self.components_,
            ids_a,
            ids_b,
            word_columns=self.word_columns_,
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
        from psif.explain.topics import describe_topics

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
        from psif.explain.senses import find_senses

        self._check_fitted()
        return find_senses(self.words_, self.vocabulary_, self.atoms_, word, n_words, n_senses)

    def document_topics(self, texts: Iterable[str]) -> FloatMatrix:
        r"""Topic shares of documents: :math:`\sum_w s_w |\alpha_{w,j}|`, rows summing to 1.

        Returns
        -------
        shares : ndarray of shape (n_docs, ``n_topics_``)
            A zero row for a document with no known word.
        """
        from psif.explain.topics import document_shares

        return document_shares(self.words_, self.word_ids(texts), self.n_jobs)

    @property
    def n_features_out_(self) -> int:
        """Numbers in a document vector."""
        if self.table_ is not None:
            return int(self.table_.shape[1])
        return self.words_.n_features + (self.word_columns_.n_columns if self.word_columns_ else 0)

    # Keeping it

    def save(self, folder: str | Path) -> None:
        """Write the model to a folder, whole or not at all; see :mod:`psif.model.folder`."""
        from psif.model.storage import save

        self._check_fitted()
        save(self, folder)

    @classmethod
    def load(cls, folder: str | Path, *, mapped: bool = False) -> Self:
        """Read a model that :meth:`save` wrote; files are checked, nothing in them is run.

        ``mapped`` leaves the arrays in the file, for processes of one machine to share.
        """
        from psif.model.storage import load

        return load(cls, folder, mapped=mapped)

    def _check_fitted(self) -> None:
        if not hasattr(self, "words_"):
            name = type(self).__name__
            raise self._not_fitted(f"this {name} model is not fitted yet; call fit(texts) first.")
