"""Texts to the ids of their search words, block after block."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from psif.text.flat import FlatDocs, IdCollector
from psif.text.tokenizer import Tokenizer
from psif.text.word_index import WordIndex, _grown, _join, _utf8


class WordCollector(WordIndex):
    """Search words in order of first sight, and documents as their ids.

    The words are those of :func:`psif.search.words.search_words`.
    """

    def __init__(self) -> None:
        super().__init__(Tokenizer())
        self._collected = IdCollector()

    def add(self, texts: Sequence[str]) -> None:
        """Read some documents; new words get new ids."""
        self._collected.add(self._scan(texts, learn=True))

    def docs(self) -> FlatDocs:
        """All documents in order; the collector must not be used afterwards."""
        return self._collected.docs()

    def _scan(self, texts: Sequence[str], *, learn: bool) -> FlatDocs:
        from psif.compiled.term_scan import N_IDS, NEEDED, scan_terms

        text, offsets = _join([_utf8(self._tokenizer.prepare(text)) for text in texts])
        # A word needs a byte and a separator; an identifier needs a word.
        ids = np.empty(len(text) + len(texts) + 1, dtype=np.int32)
        ends = np.zeros(len(texts) + 1, dtype=np.int64)
        state = np.zeros(4, dtype=np.int64)
        while not scan_terms(text, offsets, self._classes, self._table, ids, ends[1:], state):
            self._table = _grown(self._table, int(state[NEEDED]))
        return FlatDocs(ids[: state[N_IDS]].copy(), ends, np.diff(ends))
