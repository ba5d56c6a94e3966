"""Static token tables: model2vec, sentence-transformers' StaticEmbedding, WordLlama."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from psif.errors import FormatError, PsifWarning
from psif.types import FloatMatrix
from psif.vectors.readers.safetensors_map import map_tensors
from psif.vectors.readers.word_filter import Wanted
from psif.vectors.row_checks import nonfinite_rows
from psif.vectors.subwords import TokenPieces

_TABLE_NAMES = ("embeddings", "embedding.weight")
# A word begins with one of these in SentencePiece-like and byte-level vocabularies.
_WORD_STARTS = ("▁", "Ġ")


def find_static(folder: Path) -> tuple[Path, Path] | None:
    """Return (table, tokenizer) of a folder laid out as one of the three packages does."""
    for place in (folder, *sorted(folder.glob("*_StaticEmbedding"))):
        table, tokenizer = place / "model.safetensors", place / "tokenizer.json"
        if table.is_file() and tokenizer.is_file() and _has_table(table):
            return table, tokenizer
    weights = sorted((folder / "weights").glob("*.safetensors"))
    tokenizers = sorted((folder / "tokenizers").glob("*_tokenizer_config.json"))
    for table in weights:
        for tokenizer in tokenizers:
            model = tokenizer.name.removesuffix("_tokenizer_config.json")
            if table.name.startswith(model):
                return table, tokenizer
    return None


def installed_wordllama() -> Path | None:
    """Return the folder of the installed package WordLlama, without importing it."""
    from importlib.util import find_spec

    spec = find_spec("wordllama")
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def read_static(
    table_path: Path, tokenizer_path: Path, wanted: Wanted
) -> tuple[FloatMatrix, TokenPieces | None]:
    """Tokens that are whole words become the table; all others serve to build further words."""
    tensors = map_tensors(table_path)
    name = next((n for n in _TABLE_NAMES if n in tensors), None)
    if name is None or tensors[name].ndim != 2:
        raise FormatError(
            f"{table_path} has no token table; expected a tensor called "
            f"{' or '.join(map(repr, _TABLE_NAMES))}, found {', '.join(tensors)}."
        )
    text = tokenizer_path.read_text(encoding="utf-8")
    try:
        tokenizer = json.loads(text)
        vocabulary = _vocabulary(tokenizer)
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{tokenizer_path} is no tokenizer.json: {error!r}") from error
    table = _row_per_token(tensors, tensors[name], table_path)
    if vocabulary and max(vocabulary.values()) >= len(table):
        raise FormatError(
            f"{tokenizer_path} has token ids up to {max(vocabulary.values())}, "
            f"{table_path} only {len(table)} rows; they do not belong together."
        )
    rows = []
    for word, row in _whole_words(vocabulary, tokenizer).items():
        if wanted.complete:
            break
        if wanted.take(word, row, table_path, "token"):
            rows.append(row)
    wanted.require(table_path)
    unknown = vocabulary.get(str(tokenizer["model"].get("unk_token")))
    return np.asarray(table[rows]), _pieces(table, text, unknown, tokenizer_path)


def _pieces(table: FloatMatrix, text: str, unknown: int | None, path: Path) -> TokenPieces | None:
    try:
        return TokenPieces(table, text, unknown, source=path)
    except ImportError:
        warnings.warn(
            "words that are not single tokens get no vector, because the package 'tokenizers' "
            "is not installed. Install it with: pip install 'psif[static]'",
            PsifWarning,
            stacklevel=4,
        )
        return None


def _has_table(path: Path) -> bool:
    return any(name in map_tensors(path) for name in _TABLE_NAMES)


def _row_per_token(tensors: dict[str, np.ndarray], table: np.ndarray, path: Path) -> FloatMatrix:
    """Apply model2vec's optional token-to-row mapping and token weights."""
    if table.dtype == np.float64:
        table = table.astype(np.float32)
    if "mapping" in tensors:
        mapping = np.asarray(tensors["mapping"])
        if mapping.size and not 0 <= int(mapping.min()) <= int(mapping.max()) < len(table):
            raise FormatError(f"{path}: the token mapping points outside the table.")
        table = np.asarray(table[mapping])
    if "weights" in tensors:
        weights = np.asarray(tensors["weights"]).astype(np.float32)
        if weights.shape != (len(table),):
            raise FormatError(f"{path}: {weights.shape} token weights for {len(table)} tokens.")
        with np.errstate(over="ignore", invalid="ignore"):  # looked for below
            table = table * weights[:, None]
    bad = nonfinite_rows(table)
    if len(bad):
        raise FormatError(f"{path}: the vector of token {bad[0]} holds NaN or infinity.")
    return table


def _vocabulary(tokenizer: dict[str, Any]) -> dict[str, int]:
    """Token to id, for word-piece, byte-pair and unigram tokenizers alike."""
    vocabulary = tokenizer["model"]["vocab"]
    if isinstance(vocabulary, list):  # Unigram: pairs of token and score.
        return {token: i for i, (token, _) in enumerate(vocabulary)}
    return dict(sorted(vocabulary.items(), key=lambda item: item[1]))


def _whole_words(vocabulary: dict[str, int], tokenizer: dict[str, Any]) -> dict[str, int]:
    special = {token["content"] for token in tokenizer.get("added_tokens", []) if token["special"]}
    starts = sum(token.startswith(_WORD_STARTS) for token in vocabulary)
    prefix = tokenizer["model"].get("continuing_subword_prefix") or "##"
    words: dict[str, int] = {}
    for token, row in vocabulary.items():
        if token in special:
            continue
        if starts > len(vocabulary) // 10:  # A vocabulary that marks where words begin.
            word = token[1:] if token.startswith(_WORD_STARTS) else ""
        else:
            word = "" if token.startswith(prefix) else token
        if word and not word.startswith(_WORD_STARTS):
            words.setdefault(word, row)
    return words
