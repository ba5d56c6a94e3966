"""A score and its parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from psif.text.tokenizer import Tokenizer


@dataclass(frozen=True)
class TopicShare:
    """What one topic adds to a score.

    Attributes
    ----------
    topic : int
    share : float
    words : list of str
        The words of both documents that add most through this topic.
    name : str
        What the topic is called, from the whole corpus; see :mod:`psif.explain.naming`.
    """

    topic: int
    share: float
    words: list[str]
    name: str = ""

    @property
    def label(self) -> str:
        """The name, or the number of a topic without a name."""
        return self.name or f"topic {self.topic}"


@dataclass(frozen=True)
class PairShare:
    """What a pair of words, one of each document, adds to a score."""

    a: str
    b: str
    share: float


@dataclass(frozen=True)
class Explanation:
    """A cosine similarity and its parts.

    ``print`` shows a short text, ``rich.print`` tables, and a notebook both documents with their
    words coloured by topic.

    Attributes
    ----------
    score : float
        The cosine, as ``PSIF.similarity`` gives it.
    topics : list of TopicShare
        Every topic, strongest first. Their shares plus ``removed`` sum to ``score``.
    pairs : list of PairShare
        Word pairs, strongest first.
    other_pairs : float
        What the pairs that are not listed add. All pairs together sum to the same as all topics.
    shared_words : float
        The part of the score that comes from word columns (``word_columns``), through words that
        both documents have. It is contained in the shares of the topics of these words.
    removed : float
        What removing the common components adds; often negative. It is 0 for compact vectors
        (``n_dims``), where the parts of the words have no common components.
    words_a, words_b : dict of str to float
        What each word of one document adds, over all words of the other.
    word_topics_a, word_topics_b : dict of str to int
        The topic through which each word adds or subtracts most.
    text_a, text_b : str
        The documents, if they were given as text.
    tokenizer : Tokenizer or None
        Finds the words in the texts.
    """

    score: float
    topics: list[TopicShare]
    pairs: list[PairShare]
    other_pairs: float
    shared_words: float
    removed: float
    words_a: dict[str, float] = field(repr=False)
    words_b: dict[str, float] = field(repr=False)
    word_topics_a: dict[str, int] = field(repr=False)
    word_topics_b: dict[str, int] = field(repr=False)
    text_a: str = field(default="", repr=False)
    text_b: str = field(default="", repr=False)
    tokenizer: Tokenizer | None = field(default=None, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
        return {
            "score": self.score,
            "topics": [
                {"topic": t.topic, "name": t.name, "share": t.share, "words": t.words}
                for t in self.topics
            ],
            "shared_words": self.shared_words,
            "removed": self.removed,
            "pairs": [{"a": p.a, "b": p.b, "share": p.share} for p in self.pairs],
            "other_pairs": self.other_pairs,
            "words_a": self.words_a,
            "words_b": self.words_b,
        }

    def plot(self, n_topics: int = 10) -> Any:
        """Draw the strongest topics, the rest and the removed part as a matplotlib figure.

        Needs the extra ``plots``.
        """
        from psif.explain.figure import figure

        return figure(self, n_topics)

    def __str__(self) -> str:
        lines = [
            f"similarity {self.score:+.3f}",
            *(f"  {t.share:+.3f}  {t.label}: {' '.join(t.words)}" for t in self.topics[:5]),
        ]
        if self.removed:
            lines.append(f"  {self.removed:+.3f}  common part removed")
        lines += [f"  {pair.a} ~ {pair.b} {pair.share:+.3f}" for pair in self.pairs[:8]]
        return "\n".join(lines)

    def __rich__(self) -> Any:
        from psif.explain.terminal import tables

        return tables(self)

    def _repr_html_(self) -> str:
        from psif.explain.html import render

        return render(self)
