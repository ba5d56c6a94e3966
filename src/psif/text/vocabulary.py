"""The words of a corpus and how often they occur."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from psif.runtime.threads import map_items, resolve_jobs
from psif.text.checks import check_text
from psif.text.flat import FlatDocs, IdCollector
from psif.text.python_words import count_slowly, encode_slowly
from psif.text.tokenised import TokenisedTexts
from psif.text.tokenizer import Tokenizer
from psif.text.word_index import WordIndex, text_blocks
from psif.types import CountVector, IdVector

# Characters below which Python cuts words sooner than the compiled scan is loaded.
_SMALL = 1 << 16


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
    n_buckets : int
        The last so many words are buckets for words outside the vocabulary (see
        :mod:`psif.text.buckets`); 0 skips such words.
    """

    words: list[str]
    counts: CountVector
    doc_counts: CountVector
    n_docs: int
    n_buckets: int = 0

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def index(self) -> dict[str, int]:
        """Word to id."""
        return {word: i for i, word in enumerate(self.words)}

    def encode(
        self, texts: Iterable[str], tokenizer: Tokenizer, n_jobs: int | None = None
    ) -> FlatDocs:
        """Texts to ids; words outside this vocabulary go to buckets, or are skipped but counted."""
        if isinstance(texts, TokenisedTexts):
            return texts.encoded(self, tokenizer)
        checked = map(check_text, texts, itertools.count())
        if tokenizer.classes is None:
            return encode_slowly(self.index, checked, tokenizer, self.n_buckets)
        blocks = text_blocks(checked)
        if tokenizer not in self._indexes:
            few, blocks = _few(blocks)
            if few is not None:
                return encode_slowly(self.index, few, tokenizer, self.n_buckets)
        index = self._word_index(tokenizer)
        parts: list[FlatDocs] = []
        # A few blocks at a time, so that a stream is never held as a whole.
        while wave := list(itertools.islice(blocks, 4 * resolve_jobs(n_jobs))):
            parts += map_items(index.encode, wave, n_jobs=n_jobs)
        return FlatDocs.concatenate(parts)

    def prepare(self, tokenizer: Tokenizer) -> None:
        """Load the compiled scan now, so that short texts are cut by it too: ten times as fast."""
        if tokenizer.classes is not None:
            self._word_index(tokenizer)

    def _word_index(self, tokenizer: Tokenizer) -> WordIndex:
        # One per tokenizer, kept: building it for a large vocabulary costs more than a short text.
        if tokenizer not in self._indexes:
            self._indexes.clear()
            self._indexes[tokenizer] = WordIndex(tokenizer, self.words, self.n_buckets)
        return self._indexes[tokenizer]

    @cached_property
    def _indexes(self) -> dict[Tokenizer, WordIndex]:
        return {}

    @property
    def n_known(self) -> int:
        """Words, without the buckets."""
        return len(self.words) - self.n_buckets

    def coverage(self, docs: FlatDocs) -> float:
        """Share of the words of encoded documents that are in the vocabulary (1.0: no words)."""
        if not self.n_buckets:
            return docs.coverage
        total = int(docs.n_tokens.sum())
        return int((docs.ids < self.n_known).sum()) / total if total else 1.0

    def keep(self, mask: np.ndarray) -> tuple[Vocabulary, IdVector]:
        """Drop words where ``mask`` is false; also return old id to new id (-1: dropped)."""
        new_ids = np.where(mask, np.cumsum(mask) - 1, -1).astype(np.int32)
        words = [word for word, kept in zip(self.words, mask, strict=True) if kept]
        kept = Vocabulary(words, self.counts[mask], self.doc_counts[mask], self.n_docs)
        return kept, new_ids


def count_words(
    texts: Iterable[str], tokenizer: Tokenizer, n_jobs: int | None = None
) -> tuple[Vocabulary, FlatDocs]:
    """Read a corpus once: its whole vocabulary, and its documents as ids into it.

    Parameters
    ----------
    texts : iterable of str
        Read once and not kept: in memory stay the vocabulary and the ids, four bytes per word;
        very many ids go to a temporary memory-mapped file.
    tokenizer : Tokenizer
    n_jobs : int or None
        Not used: one pass over one growing table is faster than merging tables.
    """
    if isinstance(texts, TokenisedTexts):
        return texts.counted(tokenizer)
    checked = map(check_text, texts, itertools.count())
    few: Iterable[str] | None = checked
    blocks: Iterator[list[str]] = iter(())
    if tokenizer.classes is not None:
        few, blocks = _few(text_blocks(checked))
    if few is not None:
        words, counts, doc_counts, flat = count_slowly(few, tokenizer)
    else:
        index = WordIndex(tokenizer)
        collected = IdCollector()
        for block in blocks:
            collected.add(index.learn(block))
        flat = collected.docs()
        words, (counts, doc_counts) = index.words(), index.counts()
    order = falling_order(words, counts)
    new_ids = np.empty(len(words), dtype=np.int32)
    new_ids[order] = np.arange(len(words), dtype=np.int32)
    flat.rename(new_ids)
    in_order = [words[i] for i in order.tolist()]
    return Vocabulary(in_order, counts[order], doc_counts[order], len(flat)), flat


def count_ids(docs: FlatDocs, words: list[str]) -> tuple[Vocabulary, FlatDocs]:
    """Count the words of documents that are ids into ``words`` already.

    Returns
    -------
    vocabulary : Vocabulary
        The words that occur in these documents.
    docs : FlatDocs
        Ids into it.
    """
    counts = np.bincount(docs.ids, minlength=len(words)).astype(np.int64)
    doc_of = np.repeat(np.arange(len(docs)), docs.lengths)
    seen = np.unique(doc_of * len(words) + docs.ids) % max(len(words), 1)
    doc_counts = np.bincount(seen, minlength=len(words)).astype(np.int64)
    used = np.flatnonzero(counts)
    order = used[falling_order([words[i] for i in used.tolist()], counts[used])]
    new_ids = np.full(len(words), -1, dtype=np.int32)
    new_ids[order] = np.arange(len(order), dtype=np.int32)
    in_order = [words[i] for i in order.tolist()]
    vocabulary = Vocabulary(in_order, counts[order], doc_counts[order], len(docs))
    return vocabulary, docs.remap(new_ids)


def _few(blocks: Iterator[list[str]]) -> tuple[list[str] | None, Iterator[list[str]]]:
    """Give all texts, if they are so short that compiled code is not worth its loading."""
    first, second = next(blocks, []), next(blocks, None)
    if second is None and sum(map(len, first)) < _SMALL:
        return first, iter(())
    return None, itertools.chain([first], [second] if second else [], blocks)


def falling_order(words: list[str], counts: CountVector) -> CountVector:
    """Order by falling count, ties alphabetical."""
    alphabetical = np.array(sorted(range(len(words)), key=words.__getitem__), dtype=np.int64)
    if not len(words):
        return alphabetical
    return alphabetical[np.argsort(-counts[alphabetical], kind="stable")]
