"""From a query, its scale and a document to the explanation of the document's score."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from psif.search.dense_split import DenseScore, DenseSplit, Source, split_dense
from psif.search.explanation import HitShare, SearchExplanation, WordShare
from psif.search.postings import bm25_part
from psif.search.query import Query, Term
from psif.search.scoring import Scale, Scorer
from psif.search.space import Space

N_PAIRS = 100


class Explainer:
    """Explains documents of one query."""

    def __init__(
        self, scorer: Scorer, space: Space | None, language: str, query: Query, scale: Scale
    ) -> None:
        self._scorer = scorer
        self._space = space
        self._language = language
        self._query = query
        self._scale = scale

    def explain(self, doc: int, n_pairs: int = N_PAIRS) -> SearchExplanation:
        """Split the score of a document."""
        number, row = self._scorer.place(doc)
        segment = self._scorer.parts[number].segment
        text = segment.texts[row].text
        shares = [(term, self._lexical_share(term, number, row)) for term in self._query.terms]
        found = sorted((pair for pair in shares if pair[1]), key=lambda pair: -pair[1])
        dense, score = DenseSplit(), 0.0
        if self._space is not None and self._scale.dense:
            vector = self._scorer.selector.vectors(np.array([doc]))[0]
            direction = self._query.vector.astype(np.float64) + self._scale.feedback
            score = self._scale.dense * float(vector @ direction)
            ids = self._space.model.word_ids([text]).ids
            asked = DenseScore(
                self._space, self._scale.dense, score, self._query.ids, ids, self._sources, n_pairs
            )
            dense = split_dense(asked)
        feedback = [
            HitShare(self._id_of(source), share)
            for (source, _), share in zip(self._scale.sources, dense.feedback, strict=False)
        ]
        return SearchExplanation(
            id=segment.id_of(row),
            score=sum(share for _, share in found) + score,
            lexical=[WordShare("/".join(term.words), share) for term, share in found],
            topics=dense.topics,
            same_words=dense.same_words,
            removed=dense.removed,
            residual=dense.residual,
            pairs=dense.pairs,
            other_pairs=dense.other_pairs,
            feedback=feedback,
            words=dense.words,
            terms={term.name: share for term, share in found},
            text=text,
            language=self._language,
        )

    def _lexical_share(self, term: Term, number: int, row: int) -> float:
        place = term.places[number]
        if place < 0:
            return 0.0
        postings = self._scorer.parts[number].segment.postings
        count = postings.count(place, row)
        if not count:
            return 0.0
        length = int(postings.lengths[row])
        part = bm25_part(term.weight, count, length, self._scorer.mean_length)
        return self._scale.lexical * part

    @cached_property
    def _sources(self) -> list[Source]:
        if self._space is None or not self._scale.sources:
            return []
        docs = np.array([doc for doc, _ in self._scale.sources])
        vectors = self._scorer.selector.vectors(docs)
        texts = []
        for doc in docs.tolist():
            number, row = self._scorer.place(doc)
            texts.append(self._scorer.parts[number].segment.texts[row].text)
        found = self._space.model.word_ids(texts)
        return [
            Source(np.asarray(ids), vector, share)
            for ids, vector, (_, share) in zip(found, vectors, self._scale.sources, strict=True)
        ]

    def _id_of(self, doc: int) -> str:
        number, row = self._scorer.place(doc)
        return self._scorer.parts[number].segment.id_of(row)
