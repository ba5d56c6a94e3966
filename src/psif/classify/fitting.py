"""Features and linear classifier of labelled documents, chosen by folds.

The folds choose loss and C, whether pairs of words get columns, and whether the table of the
language of the documents gives them one more part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from psif.classify.choosing import fit_classes, fit_labels
from psif.classify.feature_map import FeatureMap, PartShares
from psif.classify.features import DocumentFeatures
from psif.classify.folds import N_FOLDS, sample_of_classes
from psif.classify.labels import CodedLabels
from psif.classify.language import LanguageTable
from psif.classify.linear.losses import Array
from psif.classify.linear.selection import LinearModel
from psif.classify.pairs import PairColumns
from psif.classify.rules import BY_ACCURACY, ClassifierRules
from psif.errors import InputError
from psif.model.embedder import Embedder
from psif.text.flat import FlatDocs

# The share of pairs in a document; topics and words keep their ratio. docs/research.md, "Pairs of
# words".
_PAIRS = 0.25
# Shares of the table of a language, and those that are tried with few documents, where it is worth
# more. The errors on the folds have to fall by so much: a table that changes little is left out.
# docs/research.md, "The table of the language".
_LANGUAGE, _LANGUAGE_OF_FEW = (0.25,), (0.25, 0.6)
_FEW_DOCS = 1_000
_LEAST_GAIN = 0.03
# At most so many documents decide on pairs and the table, and near which C the rest is looked for.
_MOST_DOCS = 5_000
# Folds of all documents that are held out to choose between few values of C: two tell them apart,
# as each has many documents, and take less than half the time of five.
_LAST_FOLDS = 2


class LabelledDocuments(NamedTuple):
    """Documents in reading order, their texts and labels.

    The ids of words may go beyond the model's, to those of the table of a language. ``weights`` are
    what the documents count, or None.
    """

    docs: FlatDocs
    texts: Sequence[str]
    coded: CodedLabels
    weights: Array | None

    def sample(self, most: int, seed: int) -> LabelledDocuments:
        """Return a random part of at most ``most`` documents with every class; all if possible."""
        if len(self.texts) <= most:
            return self
        rows = sample_of_classes(self.coded.targets.argmax(axis=1), most, seed)
        return LabelledDocuments(
            self.docs.take(rows),
            [self.texts[i] for i in rows],
            self.coded._replace(targets=self.coded.targets[rows]),
            None if self.weights is None else self.weights[rows],
        )


class Fitted(NamedTuple):
    """Features of the training documents, and their classifier."""

    features: DocumentFeatures
    linear: LinearModel

    @property
    def held_out(self) -> float:
        """Mean score of the chosen loss and C on the folds; 0 where nothing was chosen."""
        scores = self.linear.held_out.get(self.linear.C)
        return float(np.mean(scores)) if scores else 0.0


def fit_documents(
    model: Embedder,
    documents: LabelledDocuments,
    pairs: bool | str,
    seed: int,
    language: LanguageTable | None = None,
) -> Fitted:
    """Fit a classifier on the vectors of a fitted model.

    ``pairs`` is True, False, or "auto": the folds decide. They also decide whether documents get
    a part from ``language``.
    """
    if pairs not in (True, False, "auto"):
        raise InputError(f"pairs must be True, False or 'auto'; got {pairs!r}.")
    own = FeatureMap.of(model).own(documents.docs)
    columns = PairColumns.none() if pairs is False else PairColumns.choose(own)
    some = documents.sample(_MOST_DOCS, seed)
    best = _choose(model, columns, some, pairs, seed)
    if language is not None:
        best = _with_language(best, language, some, seed, model.n_jobs)
    if some is documents:
        return best
    feature_map, rules = best.features.map, _near(best.linear, _LAST_FOLDS)
    del best  # its features take room
    return _fit(feature_map, documents, seed, rules, model.n_jobs)


def _choose(
    model: Embedder,
    columns: PairColumns,
    documents: LabelledDocuments,
    pairs: bool | str,
    seed: int,
) -> Fitted:
    """Fit with or without pairs, whichever does better on the folds if ``pairs`` is "auto"."""
    plain = FeatureMap.of(model)
    with_pairs = FeatureMap.of(model, columns, PartShares.of(model).with_pairs(_PAIRS))
    first = with_pairs if pairs is True and len(columns) else plain
    best = _fit(first, documents, seed, BY_ACCURACY, model.n_jobs)
    if pairs == "auto" and len(columns):
        other = _fit(with_pairs, documents, seed, _near(best.linear), model.n_jobs)
        best = other if other.held_out > best.held_out else best
    return best


def _with_language(
    best: Fitted,
    language: LanguageTable,
    documents: LabelledDocuments,
    seed: int,
    n_jobs: int | None,
) -> Fitted:
    """Fit with the table of a language; keep what did best on the folds."""
    without, perfect = best.features.map, 1.0 if documents.coded.several else 100.0
    few = len(documents.texts) <= _FEW_DOCS
    # Dense directions that many documents share ask for the same C or a smaller one. Folds compare
    # at least two values, so the smallest C has a larger one beside it.
    most = 2.0 if BY_ACCURACY.grid[0] == best.linear.C else 1.0
    rules = BY_ACCURACY if few else _near(best.linear, least=0.25, most=most)
    to_beat = best.held_out + _LEAST_GAIN * (perfect - best.held_out)
    for share in _LANGUAGE_OF_FEW if few else _LANGUAGE:
        other = _fit(without.with_language(language, share), documents, seed, rules, n_jobs)
        if other.held_out > to_beat:
            best, to_beat = other, other.held_out
    return best


def _near(
    linear: LinearModel, n_held_out: int = N_FOLDS, *, least: float = 0.5, most: float = 4.0
) -> ClassifierRules:
    """Rules with the loss that did best, and the values of C around the one that did best.

    More documents, and more columns, ask for the same C or a larger one.
    """

    def around(grid: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(C for C in grid if least * linear.C <= C <= most * linear.C)

    return replace(
        BY_ACCURACY,
        losses=(linear.loss,),
        grid=around(BY_ACCURACY.grid),
        label_grid=around(BY_ACCURACY.label_grid),
        n_held_out=n_held_out,
    )


def _fit(
    found: FeatureMap,
    documents: LabelledDocuments,
    seed: int,
    rules: ClassifierRules,
    n_jobs: int | None,
) -> Fitted:
    docs, texts, coded, weights = documents
    features = DocumentFeatures.of(found, docs, n_jobs)
    options: dict[str, Any] = {"doc_weights": weights, "rules": rules, "random_state": seed}
    if coded.several:
        return Fitted(features, fit_labels(features, coded.targets, **options))
    truth = coded.targets.argmax(axis=1)
    return Fitted(features, fit_classes(features, truth, texts, **options))
