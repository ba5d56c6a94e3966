"""Texts that are cut into words once, however many models read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, overload

import numpy as np

from psif.text.buckets import buckets_of
from psif.text.flat import FlatDocs
from psif.text.tokenizer import Tokenizer
from psif.types import CountVector, IdVector

if TYPE_CHECKING:
    from psif.text.vocabulary import Vocabulary

# Tokenizers whose words are kept. Phrases found in training texts make a tokenizer of their own.
_MOST_TOKENIZERS = 4


class TokenisedTexts(Sequence[str]):
    """A list of texts that remembers its words.

    Counting words and encoding texts (:func:`psif.text.vocabulary.count_words`,
    :meth:`Vocabulary.encode`) tokenise such a list once per tokenizer and give exactly what they
    give for a plain list. Parts of it, see :meth:`take`, share its words: training and test texts
    of any number of splits are tokenised together.

    Parameters
    ----------
    texts : iterable of str
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = list(texts)
        # All texts as ids of all words, by tokenizer; for a part: those of the whole.
        self._whole = self
        self._rows: CountVector = np.arange(len(self._texts))
        self._words: dict[Tokenizer, tuple[Vocabulary, FlatDocs]] = {}
        self._counted: dict[Tokenizer, tuple[Vocabulary, FlatDocs]] = {}
        self._parts: dict[bytes, TokenisedTexts] = {}

    def take(self, rows: Iterable[int]) -> TokenisedTexts:
        """Return some of the texts, in the given order."""
        places = self._rows[np.fromiter(rows, dtype=np.int64)]
        # The same part is the same object, so that its words are counted once.
        parts = self._whole._parts
        key = places.tobytes()
        if key not in parts:
            part = TokenisedTexts(())
            part._whole, part._rows = self._whole, places
            part._texts = [self._whole._texts[place] for place in places.tolist()]
            parts[key] = part
        return parts[key]

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> TokenisedTexts: ...
    def __getitem__(self, place: int | slice) -> str | TokenisedTexts:
        if isinstance(place, slice):
            return self.take(range(*place.indices(len(self))))
        return self._texts[place]

    def __add__(self, other: object) -> TokenisedTexts:
        """Join parts of the same whole."""
        if not isinstance(other, TokenisedTexts) or other._whole is not self._whole:
            return NotImplemented
        return self._whole.take([*self._rows.tolist(), *other._rows.tolist()])

    def counted(self, tokenizer: Tokenizer) -> tuple[Vocabulary, FlatDocs]:
        """Return the vocabulary of these texts, and the texts as ids into it."""
        from psif.text.vocabulary import count_ids

        if self is self._whole:
            return self._encoded(tokenizer)
        if tokenizer not in self._counted:
            words, docs = self._encoded(tokenizer)
            _remember(self._counted, tokenizer, count_ids(docs, words.words))
        return self._counted[tokenizer]

    def encoded(self, vocabulary: Vocabulary, tokenizer: Tokenizer) -> FlatDocs:
        """Return these texts as ids into another vocabulary."""
        words, docs = self._encoded(tokenizer)
        known = vocabulary.index
        ids: IdVector = np.array([known.get(word, -1) for word in words.words], dtype=np.int32)
        if vocabulary.n_buckets:
            lost = np.flatnonzero(ids < 0)
            names = [words.words[i] for i in lost.tolist()]
            ids[lost] = vocabulary.n_known + buckets_of(names, vocabulary.n_buckets)
        return docs.remap(ids)

    def _encoded(self, tokenizer: Tokenizer) -> tuple[Vocabulary, FlatDocs]:
        """Return the words of the whole, and these texts as ids into them."""
        from psif.text.vocabulary import count_words

        whole = self._whole
        if tokenizer not in whole._words:
            # The plain list: a list that remembers its words would ask here again.
            _remember(whole._words, tokenizer, count_words(whole._texts, tokenizer))
        words, docs = whole._words[tokenizer]
        return words, docs if self is whole else docs.take(self._rows)


def _remember(
    kept: dict[Tokenizer, tuple[Vocabulary, FlatDocs]],
    tokenizer: Tokenizer,
    words: tuple[Vocabulary, FlatDocs],
) -> None:
    kept[tokenizer] = words
    if len(kept) > _MOST_TOKENIZERS:
        del kept[next(iter(kept))]
