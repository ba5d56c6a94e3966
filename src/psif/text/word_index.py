"""A growing index of words over the compiled scan."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from psif.text.flat import FlatDocs
from psif.text.tokenizer import Tokenizer
from psif.types import CountVector

if TYPE_CHECKING:
    from psif.compiled.word_scan import WordTable

# Enough text to make a call cheap, little enough that many threads share a short corpus.
BLOCK_CHARACTERS = 1 << 20


def text_blocks(texts: Iterable[str], size: int = BLOCK_CHARACTERS) -> Iterator[list[str]]:
    """Group texts so that each group has about ``size`` characters; long ones stand alone."""
    block: list[str] = []
    length = 0
    for text in texts:
        block.append(text)
        length += len(text) + 1
        if length >= size:
            yield block
            block, length = [], 0
    if block:
        yield block


class WordIndex:
    """Words with their ids; learns new ones with :meth:`learn`, only looks up with :meth:`encode`.

    Parameters
    ----------
    tokenizer : Tokenizer
        One of the presets, those with a table of character classes.
    words : sequence of str
        Known from the start, with ids in this order.
    n_buckets : int, default=0
        The last so many words are buckets that :meth:`encode` puts unknown words into.
    """

    def __init__(self, tokenizer: Tokenizer, words: Sequence[str] = (), n_buckets: int = 0) -> None:
        assert tokenizer.classes is not None
        self._tokenizer = tokenizer
        self._classes = tokenizer.classes
        # Stop words come first in the table. One that is also a known word is never found as one.
        stop_words = sorted(tokenizer.stop_words)
        self._n_stop = len(stop_words)
        self._n_docs = 0
        self._n_buckets, self._first_bucket = n_buckets, len(words) - n_buckets
        text, offsets = _join([_utf8(word) for word in (*stop_words, *words)])
        self._table = _table_of(text, offsets)

    def encode(self, texts: Sequence[str]) -> FlatDocs:
        """Texts to ids; unknown words go to buckets or are skipped. Safe in several threads."""
        return self._scan(texts, learn=False)

    def learn(self, texts: Sequence[str]) -> FlatDocs:
        """Texts to ids; unknown words get new ids. For one thread at a time."""
        docs = self._scan(texts, learn=True)
        self._n_docs += len(texts)
        return docs

    def words(self) -> list[str]:
        """All words but stop words, by id."""
        n_words, n_bytes = (int(n) for n in self._table.size)
        arena = self._table.arena[:n_bytes].tobytes()
        starts = self._table.starts[self._n_stop : n_words + 1].tolist()
        return [str(arena[a:b], "utf-8") for a, b in itertools.pairwise(starts)]

    def counts(self) -> tuple[CountVector, CountVector]:
        """Occurrences of each word, and documents with it, by id."""
        mine = slice(self._n_stop, int(self._table.size[0]))
        return self._table.counts[mine].copy(), self._table.doc_counts[mine].copy()

    def _scan(self, texts: Sequence[str], *, learn: bool) -> FlatDocs:
        from psif.compiled.word_scan import N_IDS, NEEDED, scan_words

        prepare = self._tokenizer.prepare
        text, offsets = _join([_utf8(prepare(text)) for text in texts])
        # A word needs a byte and, but for the last one of a document, a separator (what needs none
        # has two bytes or more: "#1", kana, Chinese characters, emoji).
        ids = np.empty(len(text) // 2 + len(texts) + 1, dtype=np.int32)
        ends = np.zeros(len(texts) + 1, dtype=np.int64)
        n_tokens = np.zeros(len(texts), dtype=np.int64)
        state = np.zeros(4, dtype=np.int64)
        first_doc = self._n_docs if learn else -1
        while not scan_words(
            text,
            offsets,
            self._classes,
            self._tokenizer.min_length,
            self._n_stop,
            first_doc,
            0 if learn else self._n_buckets,
            self._first_bucket,
            self._table,
            ids,
            ends[1:],
            n_tokens,
            state,
        ):
            self._table = _grown(self._table, int(state[NEEDED]))
        return FlatDocs(ids[: state[N_IDS]].copy(), ends, n_tokens)


def _utf8(text: str) -> bytes:
    # Lone surrogates are no word characters, but must not stop the reading.
    return text.encode("utf-8", "surrogatepass")


def _join(parts: list[bytes]) -> tuple[NDArray[np.uint8], CountVector]:
    offsets = np.zeros(len(parts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)), out=offsets[1:])
    return np.frombuffer(b"".join(parts), dtype=np.uint8), offsets


def _table_of(text: NDArray[np.uint8], offsets: CountVector, needed: int = 0) -> WordTable:
    """Build a table of given words, with room for as many again and for ``needed`` more bytes."""
    from psif.compiled.word_scan import WordTable, add_words

    n_words = len(offsets) - 1
    capacity = 1 << max(12, (2 * n_words - 1).bit_length())
    starts = np.zeros(capacity + 1, dtype=np.int64)
    table = WordTable(
        slot_hashes=np.zeros(2 * capacity, dtype=np.uint64),
        slot_ids=np.full(2 * capacity, -1, dtype=np.int32),
        starts=starts,
        arena=np.empty(max(1 << 16, 2 * len(text) + needed), dtype=np.uint8),
        counts=np.zeros(capacity, dtype=np.int64),
        doc_counts=np.zeros(capacity, dtype=np.int64),
        last_docs=np.full(capacity, -1, dtype=np.int64),
        size=np.zeros(2, dtype=np.int64),
    )
    add_words(text, offsets, table)
    return table


def _grown(old: WordTable, needed: int) -> WordTable:
    """Return the same words and counts, with room for as many again and for ``needed`` bytes."""
    n_words, n_bytes = (int(n) for n in old.size)
    new = _table_of(old.arena[:n_bytes], old.starts[: n_words + 1], needed)
    for name in ("counts", "doc_counts", "last_docs"):
        getattr(new, name)[:n_words] = getattr(old, name)[:n_words]
    return new
