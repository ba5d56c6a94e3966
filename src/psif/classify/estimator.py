"""PSIFClassifier: labels of raw texts, with exact reasons."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from psif.classify.calibration import fit_temperature, probabilities
from psif.classify.choosing import winners
from psif.classify.feature_map import FeatureMap, PartShares
from psif.classify.fitting import LabelledDocuments, fit_documents
from psif.classify.folded import Decisions
from psif.classify.labels import class_weights, code_labels, is_several, label_matrix, list_labels
from psif.classify.language import MOST_DOCS, LanguageTable
from psif.classify.linear.losses import Array
from psif.classify.pairs import PairColumns
from psif.errors import EmptyDocumentsWarning, InputError
from psif.files.sampling import sample_texts
from psif.model.estimator import PSIF, NotFittedError
from psif.runtime.blas import single_threaded_blas
from psif.runtime.seeds import draw_seed
from psif.text.checks import check_text, check_texts
from psif.text.flat import FlatDocs
from psif.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from psif.classify.describing import ClassDescription
    from psif.classify.mistakes import Mistake
    from psif.classify.reasons import Reasons


# Characters that words and topics are learned from; more would change little and take much memory.
_MOST_CHARACTERS = 50_000_000


class PSIFClassifier(ClassifierMixin, BaseEstimator):
    r"""Labels of raw texts by a linear classifier of P-SIF vectors.

    The vectors have columns of topics, of single words and, where that helps, of pairs of words.
    English texts may also get columns from the table of English words inside psif, which knows
    what words mean that few training texts have, or none. Pairs, table, loss and C are chosen on
    five folds of the training documents, with all copies of a text in the same fold. Of more than
    5,000 documents 5,000 are used for that, and two folds of all documents then settle C. Features
    and classifier are linear in the words of a text, so every decision can be split exactly over
    its words and topics: see :meth:`explain`.

    Parameters
    ----------
    model : PSIF or None
        Settings of the document vectors; it is cloned and fitted. ``None`` is
        ``PSIF.from_preset("classification")``. A classifier needs the full vectors, so ``n_dims``
        is ignored. With ``vectors="ppmi"`` all is learned from the texts alone; "auto", the
        default, may use the table of English words.
    pairs : bool or "auto"
        Whether pairs of neighbouring words ("not good") get columns beside single words. "auto"
        lets the folds decide.
    class_weight : "balanced", dict of label to weight, or None
        What the documents of a class count while learning. "balanced" lets all classes count
        alike.
    random_state : int, RandomState or None
        Of the folds, and of a model that has none of its own.
    n_jobs : int or None
        Threads of our own loops; ``None`` is all cores.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    several_ : bool
        Whether documents have lists of labels.
    model_ : PSIF
        The fitted model of documents.
    shares_ : PartShares
        Shares of topics, words and pairs in a document, and of the table of a language; 0 where
        the folds chose none.
    language_ : str or None
        Name of the table that gives documents a part: "english", or None.
    weights_ : ndarray of shape (n_features, m)
        One column per class; one column for two classes.
    intercepts_ : ndarray of shape (m,)
    loss_, C_ : str, float
        The chosen ones.
    temperature_ : float
        Decision values times this give probabilities.
    held_out_score_ : float or None
        Score of the chosen loss and C on the folds: accuracy, or micro-averaged F1 for several
        labels, × 100. The choice was made by it, so it is slightly too high.

    Examples
    --------
    >>> from psif import PSIF, PSIFClassifier
    >>> texts = ["cats purr", "a cat sleeps", "cats eat", "stocks fall", "a stock rises", "stocks"]
    >>> y = ["animal", "animal", "animal", "money", "money", "money"]
    >>> model = PSIF.from_preset("classification", n_topics=2, dim=2, min_count=1)
    >>> clf = PSIFClassifier(model, random_state=0).fit(texts, y)
    >>> clf.predict(["stocks rise"])
    array(['money'], dtype='<U6')
    """

    classes_: Array
    several_: bool
    model_: PSIF
    weights_: Array
    intercepts_: Array
    loss_: str
    C_: float
    temperature_: float
    held_out_score_: float | None
    pairs_: PairColumns
    shares_: PartShares
    mean_shares_: Array
    mean_pair_shares_: Array
    mean_language_shares_: Array
    _language: LanguageTable | None
    _topic_names: list[str]
    _decisions: Decisions

    def __init__(
        self,
        model: PSIF | None = None,
        *,
        pairs: bool | str = "auto",
        class_weight: str | Mapping[Any, float] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.model = model
        self.pairs = pairs
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    # Learning

    def fit(self, texts: Iterable[str], y: Any, *, unlabelled: Iterable[str] | None = None) -> Self:
        """Learn words, topics and classes.

        Parameters
        ----------
        texts : iterable of str
        y : sequence of labels, or of lists of labels
            Labels are strings, numbers or booleans. With lists a document may have any number of
            labels, or none.
        unlabelled : iterable of str, optional
            More texts, from which words and topics are learned. Useful where labels are few.

        Notes
        -----
        Words and topics are learned from at most 50 million characters, a random sample of more.
        """
        texts = list(map(check_text, check_texts(texts), itertools.count()))
        more = [] if unlabelled is None else list(check_texts(unlabelled))
        coded = code_labels(y, len(texts))
        doc_weights = class_weights(self.class_weight, coded)
        seed = draw_seed(self.random_state)
        model = self._new_model(seed)
        docs = _learn(model, texts, more, seed)
        language = None
        if model.vectors == "auto" and len(texts) <= MOST_DOCS:
            language = LanguageTable.speaking(model.vocabulary_)
        if docs is None or self.pairs is not False or language is not None:
            # Pairs need the words in reading order, which learning does not keep.
            docs = None  # it takes as much room as what comes now
            known = model.vocabulary_ if language is None else language.vocabulary
            docs = known.encode(texts, model.tokenizer_, n_jobs=self.n_jobs)
        documents = LabelledDocuments(docs, texts, coded, doc_weights)
        # Threads of BLAS add up in another order than one does, and the last bits would differ.
        with single_threaded_blas():
            features, linear = fit_documents(model, documents, self.pairs, seed, language)
            temperature = fit_temperature(linear.decided, coded.targets, coded.several)
        found, held_out = features.map, linear.held_out.get(linear.C)
        # Learned attributes are set together, last: a fit that fails changes nothing.
        self.__dict__.pop("_topic_names", None)
        self.pairs_, self.shares_, self._language = found.pairs, found.shares, found.language
        self.model_, self.classes_, self.several_ = model, coded.classes, coded.several
        self.weights_ = np.asarray(linear.weights, dtype=np.float32)
        self.intercepts_ = np.asarray(linear.intercepts, dtype=np.float32)
        self.loss_, self.C_ = linear.loss, linear.C
        self.temperature_ = temperature
        self.held_out_score_ = None if held_out is None else float(np.mean(held_out))
        if coded.several and self.held_out_score_ is not None:
            self.held_out_score_ *= 100
        self.mean_shares_ = np.stack(
            [features.shares.T @ scale / len(texts) for scale in features.scales()[:2]]
        ).astype(np.float32)
        self.mean_pair_shares_ = np.zeros(0, dtype=np.float32)
        if features.pairs is not None:
            means = features.pairs.T @ features.scales().pairs / len(texts)
            self.mean_pair_shares_ = means.astype(np.float32)
        self.mean_language_shares_ = np.zeros(0, dtype=np.float32)
        if found.language is not None:
            scale = np.sqrt(found.shares.language) / len(texts)
            means = scale * np.asarray(found.language.word_shares(docs).sum(axis=0)).ravel()
            self.mean_language_shares_ = means.astype(np.float32)
        self._decisions = Decisions(found, self.weights_, self.intercepts_)
        return self

    def _new_model(self, seed: int) -> PSIF:
        if self.model is None:
            return PSIF.from_preset("classification", random_state=seed, n_jobs=self.n_jobs)
        if not isinstance(self.model, PSIF):
            raise InputError(f"model must be a PSIF or None; got {type(self.model).__name__}.")
        model: PSIF = clone(self.model).set_params(n_dims=None)
        if model.random_state is None:
            model.set_params(random_state=seed)
        if model.n_jobs is None:
            model.set_params(n_jobs=self.n_jobs)
        return model

    # Predicting

    def decision_function(self, texts: Iterable[str]) -> Array:
        """Scores of classes: (n_docs, n_classes), or (n_docs,) for two classes.

        A class with a positive score is more likely than not. A text without a known word has the
        bias of each class as its score, and a warning says how many there are.
        """
        values = self._decide(self._word_ids(texts))
        return values[:, 0] if self._has_one_column else values

    def predict(self, texts: Iterable[str]) -> Any:
        """Labels of texts: an array, or a list of lists where documents have several labels."""
        values = self._decide(self._word_ids(texts))
        if self.several_:
            names = self.classes_.tolist()
            return [[names[c] for c in np.flatnonzero(row > 0)] for row in values]
        return self.classes_[winners(values)]

    def predict_proba(self, texts: Iterable[str]) -> Array:
        """Probabilities of classes, (n_docs, n_classes), calibrated on held-out documents.

        Rows sum to 1, except where documents have several labels.
        """
        values = self._decide(self._word_ids(texts))
        return probabilities(values, self.temperature_, self.several_)

    def score(self, texts: Iterable[str], y: Any, sample_weight: Any = None) -> float:
        """Accuracy: the share of documents whose label, or whole list of labels, is right.

        A document with a label that no training document had counts as wrong.
        """
        from sklearn.metrics import accuracy_score

        texts = list(check_texts(texts))
        rows = list_labels(y, len(texts))
        if is_several(rows) != self.several_:
            wanted = "lists of labels" if self.several_ else "one label per document"
            raise InputError(f"this classifier was fitted with {wanted}; y has something else.")
        found = self.predict(texts)
        right = (
            [set(a) == set(b) for a, b in zip(rows, found, strict=True)]
            if self.several_
            else [a == b for a, b in zip(rows, found.tolist(), strict=True)]
        )
        return float(
            accuracy_score(np.ones(len(right), dtype=bool), right, sample_weight=sample_weight)
        )

    # Reasons

    def explain(self, text: str, label: Any = None, against: Any = None) -> Reasons:
        """Split the score of a label over the words and over the topics of a text.

        Parameters
        ----------
        text : str
        label : label, optional
            By default the one with the highest score.
        against : label, optional
            Explain by how much ``label`` scores higher than this one.
        """
        from psif.classify.reasons import explain_label

        self._check_fitted()
        return explain_label(self, text, label, against)

    def describe(self, n_words: int = 10, n_topics: int = 5) -> list[ClassDescription]:
        """Words and topics that speak for and against each class."""
        from psif.classify.describing import describe_classes

        self._check_fitted()
        return describe_classes(self, n_words, n_topics)

    def errors(self, texts: Iterable[str], y: Any, n: int = 20) -> list[Mistake]:
        """Wrong predictions, the surest first, each with its reasons; some are wrong labels."""
        from psif.classify.mistakes import surest_mistakes

        self._check_fitted()
        texts = list(check_texts(texts))
        return surest_mistakes(self, texts, list_labels(y, len(texts)), n)

    # Keeping it

    def save(self, folder: str | Path, *, dtype: str = "float32") -> None:
        """Write the classifier to a folder, whole or not at all.

        Parameters
        ----------
        folder : str or path
        dtype : {"float32", "float16", "int8"}
            Of word vectors, codes and weights of classes in the files. With the smaller ones the
            scores of a loaded classifier differ slightly.
        """
        from psif.classify.storage import save

        self._check_fitted()
        save(self, folder, dtype)

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read a classifier that :meth:`save` wrote; files are checked, nothing in them is run."""
        from psif.classify.storage import load

        return load(cls, folder)

    # Inside

    @property
    def _has_one_column(self) -> bool:
        return not self.several_ and len(self.classes_) == 2

    @property
    def language_(self) -> str | None:
        """Name of the table that gives documents a part."""
        return None if self._language is None else self._language.name

    @property
    def _vocabulary(self) -> Vocabulary:
        """Words of the model and, after them, those of the table of a language."""
        return self.model_.vocabulary_ if self._language is None else self._language.vocabulary

    def _word_ids(self, texts: Iterable[str]) -> FlatDocs:
        self._check_fitted()
        tokenizer = self.model_.tokenizer_
        docs = self._vocabulary.encode(check_texts(texts), tokenizer, n_jobs=self.n_jobs)
        n_empty = len(docs) - int(np.count_nonzero(docs.lengths))
        if n_empty:
            warnings.warn(
                f"{n_empty} of {len(docs)} documents have no known word; "
                "their scores are those of an empty text.",
                EmptyDocumentsWarning,
                stacklevel=3,
            )
        return docs

    def _decide(self, docs: FlatDocs) -> Array:
        """Scores of documents in reading order: a column per class, or one for two classes."""
        return self._decisions(docs, self.n_jobs)

    def _features(self) -> FeatureMap:
        return FeatureMap.of(self.model_, self.pairs_, self.shares_, self._language)

    def _targets(self, rows: Sequence[Any]) -> Array:
        """Which classes documents have, (n_docs, n_classes)."""
        return label_matrix(rows if self.several_ else [[row] for row in rows], self.classes_)

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError("this PSIFClassifier is not fitted yet; call fit(texts, y) first.")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "weights_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def _learn(model: PSIF, texts: list[str], more: list[str], seed: int) -> FlatDocs | None:
    """Fit a model; return the documents of ``texts``, or None if it learned from a sample."""
    whole = [*texts, *map(check_text, more, itertools.count())]
    if sum(map(len, whole)) <= _MOST_CHARACTERS:
        return model.learn(whole).part(0, len(texts))
    model.learn(sample_texts(whole, _MOST_CHARACTERS, seed))
    return None
