"""Search as its formulas say, one document and one word at a time."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from psif.search.stemming import stem_words
from psif.search.words import search_words


def terms_of(text, language="english"):
    return stem_words(search_words(text), language)


def bm25(texts, query, language="english", k1=1.2, b=0.75):
    """BM25 of every text, Lucene's variant."""
    docs = [Counter(terms_of(text, language)) for text in texts]
    lengths = [sum(doc.values()) for doc in docs]
    mean = max(1.0, sum(lengths) / max(1, len(docs)))
    scores = []
    for doc, length in zip(docs, lengths, strict=True):
        score = 0.0
        for term in terms_of(query, language):
            df = sum(term in other for other in docs)
            if doc[term]:
                idf = math.log(1 + (len(docs) - df + 0.5) / (df + 0.5))
                score += idf * doc[term] / (doc[term] + k1 * (1 - b + b * length / mean))
        scores.append(score)
    return np.array(scores)


def cosines(space, texts, query):
    """Cosines of the projected vectors, not rounded."""

    def vector(text):
        one = space.model.transform([text])[0].astype(np.float64)
        one /= np.linalg.norm(one) or 1.0
        if space.directions is not None:
            one = one @ space.directions
        return one / (np.linalg.norm(one) or 1.0)

    return np.array([vector(text) @ vector(query) for text in texts])


def coverage(space, texts, query, language="english"):
    docs = [set(terms_of(text, language)) for text in texts]
    known = total = 0.0
    for word in dict.fromkeys(search_words(query)):
        (term,) = stem_words([word], language)
        df = sum(term in doc for doc in docs)
        if df:
            idf = math.log(1 + (len(docs) - df + 0.5) / (df + 0.5))
            words = space.model.tokenizer_(word)
            total += idf
            known += idf * bool(words and all(w in space.model.vocabulary_.index for w in words))
    return known / total if total else 1.0


def hybrid(space, texts, query, vectors, language="english", weight=0.5):
    """Scores of all texts; ``vectors`` are the stored ones."""
    lexical = bm25(texts, query, language)
    dense = vectors @ _query(space, query)
    known = coverage(space, texts, query, language) if dense.any() else 0.0
    by_words = weight / lexical.std() if lexical.any() else 0.0
    by_vector = (1 - weight) * math.sqrt(known) / dense.std() if known else 0.0
    first = by_words * lexical + by_vector * dense
    best = [i for i in np.argsort(-first, kind="stable") if first[i] > 0 or lexical[i] > 0][:5]
    shares = np.exp(2 * (first[best] - first[best].max()))
    feedback = (shares / shares.sum()) @ vectors[best]
    scores = first + by_vector * (vectors @ feedback)
    return np.where((scores > 0) | (lexical > 0), scores, -np.inf)


def best(lexical, by_words, vectors, query, by_vector, allowed, k):
    """The documents with the largest sums, every one of them looked at: positions and sums."""
    found = []
    for doc, (by_lexical, vector) in enumerate(zip(lexical, vectors, strict=True)):
        score = by_words * by_lexical + by_vector * sum(
            a * b for a, b in zip(vector, query, strict=True)
        )
        if allowed[doc] and (score > 0 or by_words * by_lexical > 0):
            found.append((doc, score))
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:k]


def _query(space, query):
    docs = space.model.word_ids([query])
    return space.embed(docs)[0].astype(np.float64)
