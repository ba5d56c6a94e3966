"""Vectors for words outside the table, built from parts of the word."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np

from psif.types import FloatMatrix, FloatVector


class Subwords(Protocol):
    """Something that can build a vector for any word."""

    def vectors(self, words: list[str]) -> tuple[FloatMatrix, np.ndarray]:
        """Return one row a word, and for which words it could be built."""
        ...

    def save(self, folder: Path) -> dict[str, Any]:
        """Write what is needed into ``folder``; return the settings for :func:`load_subwords`."""
        ...


class CharacterNgrams:
    """FastText's subwords: a row for each bucket of hashed character n-grams.

    Parameters
    ----------
    table : ndarray of shape (n_buckets, dim)
        May be memory-mapped.
    shortest, longest : int
        Characters in an n-gram.

    References
    ----------
    .. [1] Bojanowski et al. (2017), Enriching word vectors with subword information, section 3.2.
    """

    def __init__(self, table: FloatMatrix, shortest: int, longest: int) -> None:
        self.table = table
        self.shortest = shortest
        self.longest = longest

    def vectors(self, words: list[str]) -> tuple[FloatMatrix, np.ndarray]:
        """Mean of each word's n-gram rows; none for a word with no n-gram."""
        out = self.sum_up(words, np.full(len(words), -1, dtype=np.int64), self.table, 0)
        return out, np.asarray(out.any(axis=1))

    def sum_up(
        self, words: list[str], own_rows: np.ndarray, table: FloatMatrix, n_words: int
    ) -> FloatMatrix:
        """Mean of own row and n-gram rows, in a table whose n-grams begin at row ``n_words``."""
        from psif.compiled.subwords import word_vectors

        raw = [f"<{word}>".encode() for word in words]
        offsets = np.concatenate([[0], np.cumsum([len(r) for r in raw])]).astype(np.int64)
        out = np.zeros((len(words), table.shape[1]), dtype=np.float32)
        word_vectors(
            np.frombuffer(b"".join(raw), dtype=np.uint8), offsets, own_rows,
            table.view(np.ndarray), n_words, self.shortest, self.longest,
            len(table) - n_words, out,
        )  # fmt: skip
        return out

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the bucket rows."""
        np.save(folder / "subwords.npy", self.table)
        return {"kind": "ngrams", "shortest": self.shortest, "longest": self.longest}


class TokenPieces:
    """The tokens of a static embedding: a word is the (weighted) mean of its tokens' rows.

    Parameters
    ----------
    table : ndarray of shape (n_tokens, dim)
    tokenizer_json : str
        The ``tokenizer.json`` of the model; cut with the package ``tokenizers``.
    unknown : int or None
        The id that stands for text the tokenizer cannot cut.
    """

    def __init__(self, table: FloatMatrix, tokenizer_json: str, unknown: int | None) -> None:
        from tokenizers import Tokenizer

        self.table = table
        self.tokenizer_json = tokenizer_json
        self.unknown = unknown
        self._tokenizer = Tokenizer.from_str(tokenizer_json)

    def vectors(self, words: list[str]) -> tuple[FloatMatrix, np.ndarray]:
        """Mean of each word's token rows; none where a token is unknown."""
        out = np.zeros((len(words), self.table.shape[1]), dtype=np.float32)
        encoded = self._tokenizer.encode_batch(words, add_special_tokens=False)
        for row, tokens in enumerate(encoded):
            ids = [i for i in tokens.ids if i < len(self.table)]
            if ids and self.unknown not in ids:
                out[row] = self.table[ids].astype(np.float32).mean(axis=0)
        return out, np.asarray(out.any(axis=1))

    def save(self, folder: Path) -> dict[str, Any]:
        """Write token rows and tokenizer."""
        np.save(folder / "subwords.npy", self.table)
        (folder / "tokenizer.json").write_text(self.tokenizer_json, encoding="utf-8")
        return {"kind": "tokens", "unknown": self.unknown}


def load_subwords(folder: Path, settings: dict[str, Any]) -> Subwords:
    """Inverse of ``save``; the table is memory-mapped."""
    table: FloatMatrix = np.load(folder / "subwords.npy", mmap_mode="r", allow_pickle=False)
    if settings["kind"] == "ngrams":
        return CharacterNgrams(table, settings["shortest"], settings["longest"])
    text = (folder / "tokenizer.json").read_text(encoding="utf-8")
    return TokenPieces(table, text, settings["unknown"])


def vector_of(subwords: Subwords, word: str) -> FloatVector | None:
    """Build one word's vector, or None."""
    rows, built = subwords.vectors([word])
    vector: FloatVector = rows[0]
    return vector if built[0] else None
