"""The words of a corpus and how often they occur."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from psif.errors import InputError
from psif.text.flat import FlatDocs
from psif.text.tokenizer import Tokenizer
from psif.types import CountVector, IdVector


@dataclass(frozen=True)
class Vocabulary:
    """Words in order of falling count (ties: alphabetical), so that no shard order shows.

    Attributes
    ----------
    words : list of str
    counts : ndarray of int64
        Occurrences of each word in the corpus.
    doc_counts : ndarray of int64
        Documents in which each word occurs.
    n_docs : int
        Documents in the corpus.
    """

    words: list[str]
    counts: CountVector
    doc_counts: CountVector
    n_docs: int

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def index(self) -> dict[str, int]:
        """Word to id."""
        return {word: i for i, word in enumerate(self.words)}

    def encode(self, texts: Iterable[str], tokenizer: Tokenizer) -> FlatDocs:
        """Texts to ids; words outside this vocabulary are skipped but counted."""
        index = self.index
        docs, n_tokens = [], []
        for text in texts:
            words = tokenizer(text)
            docs.append([i for i in map(index.get, words) if i is not None])
            n_tokens.append(len(words))
        flat = FlatDocs.from_lists(docs)
        return FlatDocs(flat.ids, flat.offsets, np.array(n_tokens, dtype=np.int64))

    def keep(self, mask: np.ndarray) -> tuple[Vocabulary, IdVector]:
        """Drop words where ``mask`` is false; also return old id to new id (-1: dropped)."""
        new_ids = np.where(mask, np.cumsum(mask) - 1, -1).astype(np.int32)
        words = [word for word, kept in zip(self.words, mask, strict=True) if kept]
        kept = Vocabulary(words, self.counts[mask], self.doc_counts[mask], self.n_docs)
        return kept, new_ids


def check_text(text: object, position: int) -> str:
    """Return ``text`` if it is a string, else say what and where it is."""
    if isinstance(text, str):
        return text
    hint = " Decode it first, e.g. data.decode('utf-8')." if isinstance(text, bytes) else ""
    raise InputError(
        f"document {position} is of type {type(text).__name__}, expected a string.{hint}"
    )


def count_words(texts: Sequence[str], tokenizer: Tokenizer) -> tuple[Vocabulary, FlatDocs]:
    """Read a corpus once: its whole vocabulary, and its documents as ids into it."""
    seen: dict[str, int] = {}
    docs = [[seen.setdefault(w, len(seen)) for w in tokenizer(text)] for text in texts]
    flat = FlatDocs.from_lists(docs)
    counts = np.bincount(flat.ids, minlength=len(seen)).astype(np.int64)
    doc_counts = np.zeros(len(seen), dtype=np.int64)
    for doc in docs:
        doc_counts[list(set(doc))] += 1
    words = list(seen)
    order = sorted(range(len(words)), key=lambda i: (-counts[i], words[i]))
    new_ids = np.empty(len(words), dtype=np.int32)
    new_ids[order] = np.arange(len(words), dtype=np.int32)
    vocabulary = Vocabulary([words[i] for i in order], counts[order], doc_counts[order], len(flat))
    return vocabulary, flat.remap(new_ids)
