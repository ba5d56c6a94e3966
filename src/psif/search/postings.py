r"""The lexical part: which documents have which words, and the BM25 score that follows.

.. math:: \mathrm{BM25}(q, d) = \sum_{t \in q} n_t \,
          \ln \Big( 1 + \frac{N - \mathrm{df}_t + 0.5}{\mathrm{df}_t + 0.5} \Big) \,
          \frac{c_{t,d}}{c_{t,d} + k_1 (1 - b + b \, l_d / \bar l)}

This is the form that Lucene uses (without its constant factor :math:`k_1 + 1`, which changes no
order), with n the count of a term in the query, c in the document, l the length of a document, N
documents and df of them with the term.

References
----------
.. [1] Robertson, Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond".
.. [2] Kamphuis et al. (2020), "Which BM25 Do You Mean?", for the variants.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from psif.errors import FormatError
from psif.search.strings import Strings, to_bytes
from psif.text.flat import FlatDocs, offsets_of
from psif.types import CountVector, DoubleVector, IdVector

# Lucene's; docs/research.md has what other values do.
K1, B = 1.2, 0.75


@dataclass(frozen=True)
class Postings:
    """The terms of some documents, sorted, each with the documents that have it.

    Attributes
    ----------
    terms : Strings
        Stems and identifiers, in the order of their bytes.
    doc_freqs : ndarray of int32, shape (n_terms,)
    ends : ndarray of int64, shape (n_terms,)
        Where the postings of each term end in ``stream``.
    stream : ndarray of uint8
        See :mod:`psif.compiled.postings`.
    lengths : ndarray of int32, shape (n_docs,)
        Words of each document.
    """

    terms: Strings
    doc_freqs: IdVector
    ends: CountVector
    stream: NDArray[np.uint8]
    lengths: IdVector

    @classmethod
    def build(cls, docs: FlatDocs, stems: list[str]) -> Postings:
        """Turn documents, as ids of words, into postings; ``stems`` has the term of each word."""
        from psif.compiled.postings import measure_documents, write_documents

        names = sorted({to_bytes(stem) for stem in stems})
        number = {name: i for i, name in enumerate(names)}
        term_of = np.fromiter((number[to_bytes(s)] for s in stems), np.int32, len(stems))
        n_terms, lengths = len(names), docs.lengths
        longest = int(lengths.max(initial=0))

        def room() -> tuple[IdVector, ...]:
            """Return last_doc, slot, terms, counts and steps."""
            last_doc, slot = np.full(n_terms, -1, dtype=np.int32), np.zeros(n_terms, dtype=np.int32)
            return last_doc, slot, *(np.empty(longest, dtype=np.int32) for _ in range(3))

        sizes, doc_freqs = np.zeros(n_terms, dtype=np.int64), np.zeros(n_terms, dtype=np.int32)
        measure_documents(docs.ids, docs.offsets, term_of, *room(), sizes, doc_freqs)
        places = offsets_of(sizes)
        stream = np.empty(int(places[-1]), dtype=np.uint8)
        write_documents(docs.ids, docs.offsets, term_of, *room(), places[:-1].copy(), stream)
        return cls(Strings.of(names), doc_freqs, places[1:], stream, lengths.astype(np.int32))

    @classmethod
    def pack(
        cls,
        terms: Strings,
        starts: CountVector,
        docs: IdVector,
        counts: IdVector,
        lengths: IdVector,
    ) -> Postings:
        """Write postings that are sorted by term and document as bytes."""
        from psif.compiled.postings import measure_postings, write_postings

        sizes = np.zeros(len(terms), dtype=np.int64)
        measure_postings(starts, docs, counts, sizes)
        places = offsets_of(sizes)
        stream = np.empty(int(places[-1]), dtype=np.uint8)
        write_postings(starts, docs, counts, places, stream)
        return cls(terms, np.diff(starts).astype(np.int32), places[1:], stream, lengths)

    def __len__(self) -> int:
        return len(self.lengths)

    def find(self, term: str) -> int:
        """Return the number of a term, or -1."""
        return self.terms.find(to_bytes(term))

    def doc_freq(self, term: int, live: NDArray[np.bool_] | None) -> int:
        """Documents with a term, deleted ones left out."""
        if live is None:
            return int(self.doc_freqs[term])
        from psif.compiled.postings import count_live

        return _fine(int(count_live(self.stream, *self._range(term), live)))

    def add_scores(
        self, term: int, weight: float, mean_length: float, scores: DoubleVector
    ) -> None:
        """Add what a term brings to the score of every document that has it."""
        from psif.compiled.postings import add_bm25

        fine = add_bm25(
            self.stream, *self._range(term), weight, K1, B, mean_length, self.lengths, scores
        )
        _fine(0 if fine else -1)

    def unpack(self, term: int) -> tuple[IdVector, IdVector]:
        """Documents that have a term, and how often."""
        from psif.compiled.postings import read_postings

        n = int(self.doc_freqs[term])
        docs, counts = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
        found = read_postings(self.stream, *self._range(term), len(self), docs, counts)
        if found != n:
            _fine(-1)
        return docs, counts

    def count(self, term: int, doc: int) -> int:
        """How often a term occurs in a document."""
        docs, counts = self.unpack(term)
        place = int(np.searchsorted(docs, doc))
        return int(counts[place]) if place < len(docs) and docs[place] == doc else 0

    def _range(self, term: int) -> tuple[int, int]:
        return int(self.ends[term - 1]) if term else 0, int(self.ends[term])

    def check(self) -> None:
        """Raise if the arrays do not fit one another; the stream is checked when it is read."""
        self.terms.check("terms")
        n_terms = len(self.terms)
        fits = len(self.doc_freqs) == len(self.ends) == n_terms
        if not fits or (np.diff(self.ends, prepend=0) <= 0).any():
            raise FormatError("the postings are damaged: their lengths do not fit.")
        if (int(self.ends[-1]) if n_terms else 0) != len(self.stream):
            raise FormatError("the postings are damaged: bytes are missing or too many.")
        if ((self.doc_freqs < 1) | (self.doc_freqs > len(self))).any() or (self.lengths < 0).any():
            raise FormatError("the postings are damaged: counts do not fit the documents.")


def _fine(number: int) -> int:
    if number < 0:
        raise FormatError("the postings of a word are damaged; build the index again.")
    return number


def idf(n_docs: int, doc_freq: int) -> float:
    """Inverse document frequency as Lucene's BM25 has it: never negative.

    >>> round(idf(10, 2), 4)
    1.4816
    """
    return float(np.log1p((n_docs - doc_freq + 0.5) / (doc_freq + 0.5)))


def bm25_part(weight: float, count: int, length: int, mean_length: float) -> float:
    """Return what one term brings to one document, by the formula of the compiled loop."""
    return weight * count / (count + K1 * (1.0 - B) + K1 * B / mean_length * length)
