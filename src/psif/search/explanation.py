"""Why a document was found: its score and all parts of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from psif.explain.explanation import PairShare, TopicShare
from psif.search.snippets import MARK, snippet

_SHOWN = 5


@dataclass(frozen=True)
class WordShare:
    """What one word of the query adds to a score, by standing in the document itself."""

    word: str
    share: float


@dataclass(frozen=True)
class HitShare:
    """What being like another hit adds to a score."""

    id: str
    share: float


@dataclass(frozen=True)
class SearchExplanation:
    """The score of a hit, split exactly.

    The shares of ``lexical`` and ``topics``, ``same_words``, ``removed`` and ``residual`` sum to
    ``score``. What ``lexical`` leaves of it can be read in a second way: as ``pairs`` of a word of
    the query and one of the document, ``other_pairs``, ``feedback`` and ``residual``.

    Attributes
    ----------
    id : str
        The document.
    score : float
        As :meth:`psif.Index.search` gives it.
    lexical : list of WordShare
        Words of the query that stand in the document, strongest first.
    topics : list of TopicShare
        Topics that the document shares with the query and with the best hits, strongest first.
    same_words : float
        What words of their own columns add, in models that have such; 0 in others.
    removed : float
        What removing the common components adds.
    residual : float
        What rounding the stored vectors changes, and what compact models change.
    pairs : list of PairShare
        Words of the query (a) and of the document (b), strongest first.
    other_pairs : float
        What the pairs not listed add.
    feedback : list of HitShare
        What being like the best hits adds.
    words : dict of str to float
        What each word of the document adds to the dense part.
    """

    id: str
    score: float
    lexical: list[WordShare]
    topics: list[TopicShare]
    same_words: float
    removed: float
    residual: float
    pairs: list[PairShare]
    other_pairs: float
    feedback: list[HitShare]
    words: dict[str, float] = field(repr=False)
    terms: dict[str, float] = field(repr=False)
    text: str = field(repr=False)
    language: str = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON; the shares of words, topics and ``removed`` sum to the score.

        ``same_words`` and ``residual``, where they are not zero, are rows of the topics without a
        number.
        """
        rest = [("same words", self.same_words), ("rounding of stored vectors", self.residual)]
        return {
            "id": self.id,
            "score": self.score,
            "lexical": [{"word": w.word, "share": w.share} for w in self.lexical],
            "topics": [
                {"topic": t.topic, "name": t.name, "share": t.share, "words": t.words}
                for t in self.topics
            ]
            + [
                {"topic": None, "name": name, "share": share, "words": []}
                for name, share in rest
                if share
            ],
            "removed": self.removed,
            "pairs": [{"a": p.a, "b": p.b, "share": p.share} for p in self.pairs],
            "other_pairs": self.other_pairs,
            "feedback": [{"id": f.id, "share": f.share} for f in self.feedback],
        }

    def snippet(self, mark: str = MARK) -> str:
        """Return the piece of the document that says most about the query."""
        return snippet(self.text, self.terms, self.words, self.language, mark)

    def reason(self, n_words: int = 4) -> str:
        """One line: the words that decided, and what the topics and other hits added.

        For example ``boundary +2.1, layer +1.4; topics +1.9 (viscous, flow)``.
        """
        pieces = []
        if self.lexical:
            exact = [f"{w.word} {w.share:+.2f}" for w in self.lexical[:n_words]]
            rest = sum(w.share for w in self.lexical[n_words:])
            pieces.append(", ".join(exact) + (f", others {rest:+.2f}" if rest else ""))
        dense = self.score - sum(w.share for w in self.lexical)
        if self.topics and dense:
            strongest = sorted(self.words, key=lambda word: -self.words[word])[:n_words]
            pieces.append(f"topics {dense:+.2f} ({', '.join(strongest)})")
        return "; ".join(pieces)

    def parts(self, n_topics: int) -> list[tuple[str, float, list[str]]]:
        """Name, share and words of each part; the shares sum to the score."""
        rows: list[tuple[str, float, list[str]]] = [
            (f"word {w.word}", w.share, []) for w in self.lexical
        ]
        shown, rest = self.topics[:n_topics], self.topics[n_topics:]
        rows += [(f"topic {topic.topic}", topic.share, topic.words) for topic in shown]
        if rest:
            rows.append((f"{len(rest)} other topics", sum(topic.share for topic in rest), []))
        for name, share in (
            ("same words", self.same_words),
            ("common part removed", self.removed),
            ("rounding", self.residual),
        ):
            if share:
                rows.append((name, share, []))
        return rows

    def __str__(self) -> str:
        lines = [f"{self.id}  score {self.score:+.3f}"]
        lines += [f"  {n:<24} {s:+.3f}  {' '.join(w)}" for n, s, w in self.parts(_SHOWN)]
        lines += [f"  {pair.a} ~ {pair.b} {pair.share:+.3f}" for pair in self.pairs[:_SHOWN]]
        lines += [f"  like {hit.id} {hit.share:+.3f}" for hit in self.feedback]
        return "\n".join(lines)

    def __rich__(self) -> Any:
        from psif.search.showing import tables

        return tables(self)

    def _repr_html_(self) -> str:
        from psif.search.showing import render

        return render(self)
