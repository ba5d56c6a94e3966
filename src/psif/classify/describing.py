"""What speaks for and against each class, on average over the training documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from psif.classify.linear.losses import Array
from psif.classify.reasons import TopicPart, WordShare, direction, pair_name, topic_names

if TYPE_CHECKING:
    from psif.classify.estimator import PSIFClassifier


@dataclass(frozen=True)
class ClassDescription:
    """Mean shares of words and topics in the score of a class over the training documents.

    Attributes
    ----------
    label : label
    words_for, words_against : list of WordShare
    topics_for, topics_against : list of TopicPart
    """

    label: Any
    words_for: list[WordShare]
    words_against: list[WordShare]
    topics_for: list[TopicPart]
    topics_against: list[TopicPart]

    def __str__(self) -> str:
        lines = [str(self.label)]
        for name, words in (("for", self.words_for), ("against", self.words_against)):
            lines.append(f"  {name}: {' '.join(word.word for word in words)}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "label": self.label,
            "words_for": [word._asdict() for word in self.words_for],
            "words_against": [word._asdict() for word in self.words_against],
            "topics_for": [topic._asdict() for topic in self.topics_for],
            "topics_against": [topic._asdict() for topic in self.topics_against],
        }


def describe_classes(clf: PSIFClassifier, n_words: int, n_topics: int) -> list[ClassDescription]:
    """Describe every class."""
    found, names = clf._features(), topic_names(clf)
    of_topics, of_words = clf.mean_shares_.astype(np.float64)
    known = clf._vocabulary.words
    words = [*known, *(pair_name(clf, pair) for pair in range(len(clf.pairs_)))]
    described = []
    for label in clf.classes_.tolist():
        of = found.split(direction(clf, label)[0][:, None])
        blocks = found.project(of.topics).reshape(found.words.n_topics, found.words.dim)
        by_topic = found.words.codes * (found.words.vectors @ blocks.T) * of_topics[:, None]
        by_word = np.zeros(len(known))
        by_word[: len(by_topic)] = by_topic.sum(axis=1)
        by_word[: len(by_topic)] += of_words * found.column_scores(of.words)[:, 0]
        if found.language is not None:
            by_word += clf.mean_language_shares_ * found.language.scores(of.language)[:, 0]
        by_word = np.concatenate([by_word, clf.mean_pair_shares_ * of.pairs[:, 0]])
        totals = by_topic.sum(axis=0)
        described.append(
            ClassDescription(
                label,
                [WordShare(words[i], float(by_word[i])) for i in _most(by_word, n_words)],
                [WordShare(words[i], float(by_word[i])) for i in _most(-by_word, n_words)],
                [TopicPart(j, names[j], float(totals[j])) for j in _most(totals, n_topics)],
                [TopicPart(j, names[j], float(totals[j])) for j in _most(-totals, n_topics)],
            )
        )
    return described


def _most(values: Array, n: int) -> list[int]:
    """Places of the largest values that are positive."""
    order = np.argsort(-values, kind="stable")[:n]
    return [int(i) for i in order if values[i] > 0]
