"""The words of a stream of texts, as the search for copies needs them."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from psif.documents.averaging import sorted_documents
from psif.documents.weights import sif_weights
from psif.text.checks import check_text
from psif.text.flat import FlatDocs, IdCollector
from psif.text.tokenizer import Tokenizer
from psif.text.word_index import WordIndex, text_blocks
from psif.types import FloatVector


@dataclass(frozen=True)
class Words:
    """Texts as sorted word ids, which large collections keep in a temporary file.

    Attributes
    ----------
    docs : FlatDocs
        Sorted within each document.
    fingerprints : ndarray of uint64, shape (n_docs, 2)
        Checksums of the words in their order; equal ones mean identical texts.
    counts : ndarray of int64
        Occurrences of each word.
    """

    docs: FlatDocs
    fingerprints: NDArray[np.uint64]
    counts: NDArray[np.int64]

    def weights(self, a: float, least: float = 0.0) -> FloatVector:
        """SIF weight of each word, or ``least`` if that is more."""
        total = max(1, int(self.counts.sum()))
        return np.maximum(sif_weights(self.counts / total, a), least).astype(np.float32)


def read_words(texts: Iterable[str]) -> Words:
    """Read texts once; only their words and a checksum stay."""
    from psif.compiled.minhash import fingerprints

    index = WordIndex(Tokenizer("unicode"))
    collected = IdCollector()
    found: list[NDArray[np.uint64]] = [np.zeros((0, 2), np.uint64)]
    n_docs = 0
    for block in text_blocks(_checked(texts)):
        docs = index.learn([normalised(text) for text in block])
        marks = np.empty((len(docs), 2), dtype=np.uint64)
        fingerprints(docs.ids, docs.offsets, marks)
        for i in np.flatnonzero(docs.lengths == 0).tolist():
            marks[i] = _mark_of_characters(block[i])
        found.append(marks)
        collected.add(sorted_documents(docs))
        n_docs += len(block)
    return Words(collected.docs(), np.concatenate(found), index.counts()[0])


def normalised(text: str) -> str:
    """Return the text in Unicode's compatibility form (NFKC); words are lower-cased later."""
    if text.isascii() or unicodedata.is_normalized("NFKC", text):
        return text
    return unicodedata.normalize("NFKC", text)


def _checked(texts: Iterable[str]) -> Iterable[str]:
    return (check_text(text, position) for position, text in enumerate(texts))


def _mark_of_characters(text: str) -> NDArray[np.uint64]:
    """Return a checksum of a text without words, blanks aside."""
    characters = "".join(normalised(text).split()).encode("utf-8", "surrogatepass")
    return np.frombuffer(hashlib.blake2b(characters, digest_size=16).digest(), dtype=np.uint64)
