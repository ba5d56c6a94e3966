"""Texts to vectors with a sentence-transformer on disk."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from psif.errors import FormatError, MissingExtraError
from psif.runtime.threads import map_items
from psif.types import FloatMatrix
from psif.vectors.bert import Bert

# Texts of equal length that are encoded at a time.
_BATCH = 256
_MOST_TOKENS = 64


class SentenceEncoder:
    """The encoder and the tokenizer of a sentence-transformers folder.

    Parameters
    ----------
    folder : Path
        See :func:`psif.vectors.distill.distill`.
    most_tokens : int
        Longer texts are cut.
    bits : {32, 8}
        Of the weights; see :class:`psif.vectors.bert.Bert`.
    """

    def __init__(self, folder: Path, *, most_tokens: int = _MOST_TOKENS, bits: int = 32) -> None:
        self.folder = folder
        self.most_tokens = most_tokens
        self.bits = bits
        self.model = Bert(folder, bits)
        self._tokenizer = _load_tokenizer(folder, most_tokens)

    @property
    def dim(self) -> int:
        """Numbers in one vector."""
        return self.model.dim

    @property
    def identity(self) -> str:
        """A digest of the weights, the tokenizer and the settings: vectors depend on no more."""
        digest = hashlib.sha256(f"{self.most_tokens} {self.bits}".encode())
        for name in ("config.json", "model.safetensors", "tokenizer.json", "1_Pooling/config.json"):
            path = self.folder / name
            if path.is_file():
                with path.open("rb") as file:
                    digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()

    def encode(
        self, texts: Sequence[str], *, advance: Callable[[int], None] | None = None
    ) -> FloatMatrix:
        """Return one vector per text. ``advance(n)`` is called after each n texts."""
        tokens = [encoded.ids for encoded in self._tokenizer.encode_batch(list(texts))]
        matrix = np.empty((len(texts), self.dim), dtype=np.float32)

        def encode(rows: list[int]) -> None:
            matrix[rows] = self.model.encode(np.array([tokens[i] for i in rows], dtype=np.int32))
            if advance is not None:
                advance(len(rows))

        map_items(encode, _batches(tokens))
        return matrix


def _load_tokenizer(folder: Path, most_tokens: int):  # type: ignore[no-untyped-def]
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise MissingExtraError("tokenizers", "distill", "distilling a sentence encoder") from error
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise FormatError(f"{folder} has no tokenizer.json; save the model with a fast tokenizer.")
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # The package raises plain Exception.
        raise FormatError(f"{path} is not a tokenizer that can be read ({error}).") from error
    tokenizer.no_padding()  # Some folders pad every text to 128 tokens.
    tokenizer.enable_truncation(most_tokens)
    return tokenizer


def _batches(tokens: list[list[int]]) -> list[list[int]]:
    """Rows grouped by their number of tokens: no padding, no mask."""
    by_length: dict[int, list[int]] = defaultdict(list)
    for row, ids in enumerate(tokens):
        by_length[len(ids)].append(row)
    return [
        rows[start : start + _BATCH]
        for _, rows in sorted(by_length.items())
        for start in range(0, len(rows), _BATCH)
    ]
