"""A query as both parts of the score see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from psif.errors import InputError
from psif.model.embedder import Embedder
from psif.search.postings import idf
from psif.search.segment import Part
from psif.search.space import Space
from psif.search.stemming import stem_words
from psif.search.words import search_words
from psif.text.flat import FlatDocs
from psif.types import FloatVector, IdVector


@dataclass(frozen=True)
class Term:
    """A word of a query, or several with the same stem.

    Attributes
    ----------
    name : str
        The stem.
    words : list of str
        The words of the query that have it.
    count : int
        How often they occur in the query.
    places : list of int
        The term's number in each part of the index, -1 where it is unknown.
    idf : float
        0 for a term that no document has.
    """

    name: str
    words: list[str]
    count: int
    places: list[int]
    idf: float

    @property
    def weight(self) -> float:
        """What the term's count in a document is multiplied with."""
        return self.count * self.idf


@dataclass(frozen=True)
class Query:
    """Terms for the lexical part and a vector for the dense one.

    Attributes
    ----------
    text : str
    terms : list of Term
        Those that some document has.
    unknown : list of str
        Words that no document has.
    ids : ndarray of int32
        The model's words of the text, sorted.
    vector : ndarray of shape (n_dims,)
        Of length 1; zero where the model knows no word.
    coverage : float
        How much of the query the model knows, from 0 to 1: the idf of its known words over that
        of all words that some document has.
    """

    text: str
    terms: list[Term]
    unknown: list[str]
    ids: IdVector
    vector: FloatVector = field(repr=False)
    coverage: float = 0.0

    @property
    def is_known(self) -> bool:
        """Whether any word says anything about any document."""
        return bool(self.terms) or self.coverage > 0


def read_query(
    text: str, parts: Sequence[Part], n_docs: int, language: str, space: Space | None
) -> Query:
    """Find the terms and the vector of a text."""
    if not isinstance(text, str):
        raise InputError(f"the query is of type {type(text).__name__}, expected a text.")
    words = search_words(text)
    terms = _terms(words, parts, n_docs, language)
    known = [term for term in terms if term.idf > 0]
    unknown = [word for term in terms if not term.idf for word in term.words]
    if space is None:
        return Query(text, known, unknown, np.zeros(0, np.int32), np.zeros(0, np.float32))
    docs = _known_words(space.model, text)
    vector = space.embed(docs)[0]
    coverage = _coverage(known, space) if vector.any() else 0.0
    return Query(text, known, unknown, docs.ids, vector, coverage)


def _known_words(model: Embedder, text: str) -> FlatDocs:
    """Return the model's words of a query, without words that the model has only hashed.

    A hashed word has a random direction, and documents that lie there by chance would be hits;
    documents that do have the word are found by the lexical part.
    """
    docs = model.word_ids([text])
    if not model.vocabulary_.n_buckets:
        return docs
    known = docs.ids[docs.ids < model.vocabulary_.n_known]
    return FlatDocs(known, np.array([0, len(known)], dtype=np.int64), docs.n_tokens)


def _terms(words: list[str], parts: Sequence[Part], n_docs: int, language: str) -> list[Term]:
    counts = Counter(words)
    groups: dict[str, list[str]] = {}
    for word, stem in zip(counts, stem_words(list(counts), language), strict=True):
        groups.setdefault(stem, []).append(word)
    terms = []
    for name, members in groups.items():
        places = [part.segment.postings.find(name) for part in parts]
        doc_freq = sum(
            part.segment.postings.doc_freq(place, part.live)
            for part, place in zip(parts, places, strict=True)
            if place >= 0
        )
        value = idf(n_docs, doc_freq) if doc_freq else 0.0
        terms.append(Term(name, members, sum(counts[w] for w in members), places, value))
    return terms


def _coverage(terms: Sequence[Term], space: Space) -> float:
    """Return 1 for a query of words that no document has: nothing else speaks for it."""
    tokenizer, index = space.model.tokenizer_, space.model.vocabulary_.index
    known = total = 0.0
    for term in terms:
        for word in term.words:
            parts = tokenizer(word)
            total += term.idf
            if parts and all(part in index for part in parts):
                known += term.idf
    return known / total if total else 1.0
