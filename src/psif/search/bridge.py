"""From the words of search to the words of a model, without reading a text twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from psif.documents.averaging import sorted_documents
from psif.model.embedder import Embedder
from psif.search.words import is_identifier
from psif.text.flat import FlatDocs, IdCollector
from psif.text.tokenizer import Tokenizer
from psif.types import CountVector, IdVector


@dataclass(frozen=True)
class ModelWords:
    """The model's words in each search word.

    Most search words are one word of the model or none. A model that keeps only letters cuts
    ``4wd`` to ``wd``.

    Attributes
    ----------
    ids : ndarray of int32
        Known words, one search word after another.
    ends : ndarray of int64, shape (n_search_words,)
    n_words : ndarray of int64, shape (n_search_words,)
        Words that the model's tokenizer finds, known or not.
    """

    ids: IdVector
    ends: CountVector
    n_words: CountVector

    @classmethod
    def of(cls, words: Sequence[str], model: Embedder) -> ModelWords:
        """Look up each search word; identifiers stand beside their parts and are left out."""
        ids: list[int] = []
        ends, n_words = [], []
        index, tokenizer = model.vocabulary_.index, model.tokenizer_
        for word in words:
            parts = [] if is_identifier(word) else tokenizer(word)
            ids += [index[part] for part in parts if part in index]
            ends.append(len(ids))
            n_words.append(len(parts))
        return cls(
            np.array(ids, dtype=np.int32),
            np.array(ends, dtype=np.int64),
            np.array(n_words, dtype=np.int64),
        )

    @staticmethod
    def is_enough_for(model: Embedder) -> bool:
        """Whether a model's words of a text are those of its search words.

        So it is for the presets "unicode" and "paper", whose words lie within search words. All
        else needs the text: the preset "words", which leaves out the parts of an address, regular
        expressions, functions, phrases, upper case and buckets for unknown words.
        """
        tokenizer: Tokenizer = model.tokenizer_
        return (
            tokenizer.classes is not None
            and not tokenizer.normalises
            and tokenizer.lowercase
            and not model.vocabulary_.n_buckets
        )

    def translate(self, docs: FlatDocs) -> FlatDocs:
        """Documents as ids of search words to sorted ids of the model's words."""
        starts = self.ends - np.diff(self.ends, prepend=0)
        n_each = self.ends - starts
        collected = IdCollector()
        for first, last in docs.blocks():
            part = docs.part(first, last)
            repeats = n_each[part.ids]
            before = np.concatenate([[0], np.cumsum(repeats)])
            places = np.repeat(starts[part.ids] - before[:-1], repeats) + np.arange(before[-1])
            tokens = np.concatenate([[0], np.cumsum(self.n_words[part.ids])])
            collected.add(
                FlatDocs(self.ids[places], before[part.offsets], np.diff(tokens[part.offsets]))
            )
        return sorted_documents(collected.docs())
