"""Vectors for words outside the table, built from parts of the word."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np

from psif.errors import FormatError
from psif.types import FloatMatrix, FloatVector
from psif.vectors.readers.damage import damage_named
from psif.vectors.row_checks import RowChecks

# Files that subwords add to a folder.
SUBWORD_ROWS, TOKENIZER = "subwords.npy", "tokenizer.json"
# FastText's own limit is far lower; n-grams of a word grow with the square of it.
_LONGEST_NGRAM = 64


class Subwords(Protocol):
    """Something that can build a vector for any word."""

    def vectors(self, words: list[str]) -> tuple[FloatMatrix, np.ndarray]:
        """Return one row per word, and for which words it could be built."""
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
    checks : RowChecks or None
        Checks of a mapped table, made before its first use.
    source : Path or str
        Where the table comes from, for errors.

    References
    ----------
    .. [1] Bojanowski et al. (2017), Enriching word vectors with subword information, section 3.2.
    """

    def __init__(
        self,
        table: FloatMatrix,
        shortest: int,
        longest: int,
        checks: RowChecks | None = None,
        source: object = "the table",
    ) -> None:
        self.table = table
        self._source = source
        self.shortest = shortest
        self.longest = longest
        self._checks = checks

    def vectors(self, words: list[str]) -> tuple[FloatMatrix, np.ndarray]:
        """Mean of each word's n-gram rows; none for a word with no n-gram."""
        if self._checks is not None:
            self._checks.check_all()
        out = self.sum_up(words, np.full(len(words), -1, dtype=np.int64), self.table, 0)
        return out, np.asarray(out.any(axis=1))

    def sum_up(
        self, words: list[str], own_rows: np.ndarray, table: FloatMatrix, n_words: int
    ) -> FloatMatrix:
        """Mean of own row and n-gram rows, in a table whose n-grams begin at row ``n_words``."""
        from psif.compiled.subwords import word_vectors

        raw = [f"<{word}>".encode("utf-8", "surrogatepass") for word in words]
        offsets = np.concatenate([[0], np.cumsum([len(r) for r in raw])]).astype(np.int64)
        out = np.zeros((len(words), table.shape[1]), dtype=np.float32)
        word_vectors(
            np.frombuffer(b"".join(raw), dtype=np.uint8), offsets, own_rows,
            table.view(np.ndarray), n_words, self.shortest, self.longest,
            len(table) - n_words, out,
        )  # fmt: skip
        # Looked at here: a table of millions of n-grams is not read as a whole.
        if not np.isfinite(out).all():
            raise FormatError(f"{self._source}: rows of character n-grams hold NaN or infinity.")
        return out

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the bucket rows."""
        if self._checks is not None:
            self._checks.check_all()
        np.save(folder / SUBWORD_ROWS, np.ascontiguousarray(self.table))
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
    checks : RowChecks or None
        Checks of a mapped table, made before its first use.
    source : Path or str
        Where the tokenizer comes from, for errors.
    """

    def __init__(
        self,
        table: FloatMatrix,
        tokenizer_json: str,
        unknown: int | None,
        checks: RowChecks | None = None,
        source: object = "the tokenizer",
    ) -> None:
        self.table = table
        self.tokenizer_json = tokenizer_json
        self.unknown = unknown
        self._checks = checks
        self._source = source
        self._tokenizer = open_tokenizer(tokenizer_json, source)

    def vectors(self, words: list[str]) -> tuple[FloatMatrix, np.ndarray]:
        """Mean of each word's token rows; none where a token is unknown."""
        if self._checks is not None:
            self._checks.check_all()
        out = np.zeros((len(words), self.table.shape[1]), dtype=np.float32)
        # Lone surrogates are no text to the tokenizer.
        texts = [word.encode("utf-8", "replace").decode() for word in words]
        try:
            encoded = self._tokenizer.encode_batch(texts, add_special_tokens=False)
        except Exception as error:  # The package raises nothing more specific.
            raise FormatError(f"{self._source} cannot cut words: {error}") from error
        for row, tokens in enumerate(encoded):
            ids = [i for i in tokens.ids if i < len(self.table)]
            if ids and self.unknown not in ids:
                out[row] = self.table[ids].astype(np.float32).mean(axis=0)
        return out, np.asarray(out.any(axis=1))

    def save(self, folder: Path) -> dict[str, Any]:
        """Write token rows and tokenizer."""
        if self._checks is not None:
            self._checks.check_all()
        np.save(folder / SUBWORD_ROWS, np.ascontiguousarray(self.table))
        (folder / TOKENIZER).write_bytes(self.tokenizer_json.encode("utf-8"))
        return {"kind": "tokens", "unknown": self.unknown}


def load_subwords(
    folder: Path, settings: Any, table: FloatMatrix, checks: RowChecks | None
) -> Subwords:
    """Inverse of ``save``, with the mapped table."""
    if not isinstance(settings, dict):
        raise FormatError(f"{folder}: the settings of the subwords are {settings!r}.")
    if settings.get("kind") == "ngrams":
        lengths = check_ngram_lengths(settings.get("shortest"), settings.get("longest"), folder)
        return CharacterNgrams(table, *lengths, checks, folder)
    if settings.get("kind") != "tokens" or not isinstance(settings.get("unknown"), int | None):
        raise FormatError(f"{folder}: unknown settings of subwords, {settings!r}.")
    with damage_named(folder / TOKENIZER):
        text = (folder / TOKENIZER).read_bytes().decode("utf-8")
        return TokenPieces(table, text, settings["unknown"], checks, folder / TOKENIZER)


def check_ngram_lengths(shortest: Any, longest: Any, path: object) -> tuple[int, int]:
    """Return the lengths; refuse those that no trainer writes, since loops rely on them."""
    if not isinstance(shortest, int) or not isinstance(longest, int):
        raise FormatError(f"{path}: n-grams of {shortest!r} to {longest!r} characters.")
    if not 0 <= shortest <= longest <= _LONGEST_NGRAM:
        raise FormatError(
            f"{path}: n-grams of {shortest} to {longest} characters; expected lengths up to "
            f"{_LONGEST_NGRAM}, the shorter first. The file is damaged."
        )
    return shortest, longest


def open_tokenizer(tokenizer_json: str, source: object) -> Any:
    """Make a tokenizer of the package ``tokenizers`` from its JSON text; errors name its source."""
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_str(tokenizer_json)
    except Exception as error:  # The package raises nothing more specific.
        raise FormatError(f"{source} cannot be used as a tokenizer: {error}") from error


def vector_of(subwords: Subwords, word: str) -> FloatVector | None:
    """Build one word's vector, or None."""
    rows, built = subwords.vectors([word])
    vector: FloatVector = rows[0]
    return vector if built[0] else None
