r"""Why a text gets a label: its score split exactly over its words and over its topics.

With the shares s of words in a text, its factors a and b (see :mod:`psif.classify.features`) and
the weights of a class, projected as documents are,

.. math:: \text{score} = \text{bias} + \sum_w s_w \big( a\, (\alpha_w \otimes v_w) \cdot W_t
          + b\, W_l[w] \big).

The terms of the sum are the shares of words; what a word means in its language adds to its term
(:mod:`psif.classify.language`), and a pair of words that has a column is one more term. The same
numbers, added over words for each block of :math:`W_t`, are the shares of topics; what comes
through the columns of words and of pairs is one more part, and so is the table of the language.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from psif.classify.feature_map import FeatureMap
from psif.classify.features import DocumentFeatures
from psif.classify.linear.losses import Array
from psif.errors import InputError
from psif.text.flat import FlatDocs
from psif.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from psif.classify.estimator import PSIFClassifier

# Words that name a topic.
_NAME_WORDS = 3
_SHOWN_WORDS, _SHOWN_TOPICS = 8, 3


class WordShare(NamedTuple):
    """A word and its part of a score."""

    word: str
    share: float


class TopicPart(NamedTuple):
    """A topic, its strongest words, and its part of a score."""

    topic: int
    name: str
    share: float


@dataclass(frozen=True)
class Reasons:
    """The parts of a score.

    ``bias`` plus the shares of all words is ``score``, and so is ``bias`` plus the shares of all
    topics plus ``exact_words`` plus ``language``. Printed it is a short text, in a notebook the
    text with its words tinted: green for the label, red against it.

    Attributes
    ----------
    label : label
    against : label or None
        The label whose score was subtracted.
    score, bias : float
    words : list of WordShare
        Largest first, by absolute value. A pair of words has a space in it.
    topics : list of TopicPart
        Largest first, by absolute value.
    exact_words : float
        The part of the columns of words and of pairs of words.
    language : float
        The part of the table of the language; 0 if the classifier has none.
    """

    label: Any
    against: Any
    score: float
    bias: float
    words: list[WordShare]
    topics: list[TopicPart]
    exact_words: float
    language: float = 0.0
    text: str = field(default="", repr=False)
    tokenizer: Tokenizer | None = field(default=None, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "label": self.label,
            "against": self.against,
            "score": self.score,
            "bias": self.bias,
            "words": [word._asdict() for word in self.words],
            "topics": [topic._asdict() for topic in self.topics],
            "exact_words": self.exact_words,
            "language": self.language,
        }

    def __str__(self) -> str:
        rest = sum(word.share for word in self.words[_SHOWN_WORDS:])
        than = "" if self.against is None else f" against {self.against}"
        lines = [f"{self.label}{than}: score {self.score:+.3f}", f"  {self.bias:+.3f}  bias"]
        lines += [f"  {word.share:+.3f}  {word.word}" for word in self.words[:_SHOWN_WORDS]]
        if len(self.words) > _SHOWN_WORDS:
            lines.append(f"  {rest:+.3f}  {len(self.words) - _SHOWN_WORDS} other words")
        named = [f"{topic.name} ({topic.share:+.3f})" for topic in self.topics[:_SHOWN_TOPICS]]
        if named:
            lines.append(f"  strongest topics: {'; '.join(named)}")
        if self.language:
            lines.append(f"  what words mean in their language: {self.language:+.3f} of the score")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from psif.classify.reasons_html import render

        return render(self)


def explain_label(clf: PSIFClassifier, text: str, label: Any, against: Any) -> Reasons:
    """Split the score of ``label`` for one text."""
    if not isinstance(text, str):
        raise InputError(f"explain takes one text, got {type(text).__name__}.")
    model = clf.model_
    found, vocabulary = clf._features(), clf._vocabulary
    docs = vocabulary.encode([text], model.tokenizer_)
    features = DocumentFeatures.of(found, docs)
    scales = features.scales()
    ids, shares = features.shares.indices, features.shares.data.astype(np.float64)
    if label is None:
        label = _winner(clf, docs)
    weights, bias = direction(clf, label, against)
    of = found.split(weights[:, None])
    blocks = found.project(of.topics).reshape(found.words.n_topics, found.words.dim)
    # Shares of each word through each topic, (n_words of the text, n_topics).
    by_topic = found.words.codes[ids] * (found.words.vectors[ids].astype(np.float64) @ blocks.T)
    by_topic *= (scales.topics[0] * shares)[:, None]
    by_column = scales.words[0] * shares * _column_weights(found, ids, of.words[:, 0])
    by_word = dict(zip(ids.tolist(), by_topic.sum(axis=1) + by_column, strict=True))
    by_meaning = _meanings(found, docs, of.language)
    for word, share in by_meaning.items():
        by_word[word] = by_word.get(word, 0.0) + share
    by_pair = np.zeros(0)
    words = [WordShare(vocabulary.words[word], float(share)) for word, share in by_word.items()]
    if features.pairs is not None:
        pairs = features.pairs.indices
        by_pair = scales.pairs[0] * features.pairs.data * of.pairs[pairs, 0].astype(np.float64)
        words += [
            WordShare(pair_name(clf, pair), float(share))
            for pair, share in zip(pairs.tolist(), by_pair, strict=True)
        ]
    names = topic_names(clf)
    parts = [TopicPart(j, names[j], float(share)) for j, share in enumerate(by_topic.sum(axis=0))]
    return Reasons(
        label=label,
        against=against,
        score=math.fsum([bias, *(word.share for word in words)]),
        bias=bias,
        words=sorted(words, key=lambda word: (-abs(word.share), word.word)),
        topics=sorted(parts, key=lambda part: (-abs(part.share), part.topic)),
        exact_words=float(by_column.sum() + by_pair.sum()),
        language=math.fsum(by_meaning.values()),
        text=text,
        tokenizer=model.tokenizer_,
    )


def _meanings(found: FeatureMap, docs: FlatDocs, weights: Array) -> dict[int, float]:
    """Shares of the words of one document through the table of the language, by id."""
    if found.language is None:
        return {}
    shares = found.language.word_shares(docs)
    rows = found.language.rows[shares.indices].astype(np.float64)
    values = math.sqrt(found.shares.language) * shares.data * (rows @ weights[:, 0])
    return dict(zip(shares.indices.tolist(), values.tolist(), strict=True))


def pair_name(clf: PSIFClassifier, pair: int) -> str:
    """Return the two words of a pair, with a space between."""
    return " ".join(clf.model_.vocabulary_.words[i] for i in clf.pairs_.words_of(pair))


def direction(clf: PSIFClassifier, label: Any, against: Any = None) -> tuple[Array, float]:
    """Weights and bias of a label's score, minus those of another label."""
    weights, bias = _column(clf, label)
    if against is None:
        return weights, bias
    if not clf.several_ and label == against:
        raise InputError(f"label and against are both {label!r}.")
    if len(clf.classes_) == 2 and not clf.several_:
        _column(clf, against)  # it must be a class
        return weights, bias  # the score already is that of one class against the other
    other, other_bias = _column(clf, against)
    return weights - other, bias - other_bias


def _column(clf: PSIFClassifier, label: Any) -> tuple[Array, float]:
    label = label.item() if isinstance(label, np.generic) else label
    names = clf.classes_.tolist()
    if label not in names:
        shown = ", ".join(repr(name) for name in names[:8])
        raise InputError(
            f"no class is called {label!r}; the classes are {shown}"
            f"{', ...' if len(names) > 8 else ''}."
        )
    place, sign = names.index(label), 1.0
    if clf.weights_.shape[1] == 1:
        place, sign = 0, 1.0 if place == 1 else -1.0
    column = sign * clf.weights_[:, place].astype(np.float64)
    return column, sign * float(clf.intercepts_[place])


def _winner(clf: PSIFClassifier, docs: Any) -> Any:
    values = clf._decide(docs)[0]
    place = int(values[0] > 0) if len(values) == 1 else int(values.argmax())
    return clf.classes_.tolist()[place]


def _column_weights(found: FeatureMap, ids: Array, weights: Array) -> Array:
    if found.word_columns is None:
        return np.zeros(len(ids))
    columns = found.word_columns.columns[ids]
    return np.where(columns >= 0, weights[columns], 0.0)


def topic_names(clf: PSIFClassifier) -> list[str]:
    """Name each topic by its strongest words."""
    names: list[str] | None = getattr(clf, "_topic_names", None)
    if names is None:
        names = [
            " ".join(topic.words) or f"topic {topic.index}"
            for topic in clf.model_.topics(_NAME_WORDS)
        ]
        clf._topic_names = names
    return names
