"""Write small files in other programs' formats, straight from their published layouts."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np


def word2vec_text(words: list[str], matrix: np.ndarray, *, header: bool = True) -> bytes:
    lines = [f"{len(words)} {matrix.shape[1]}"] if header else []
    lines += [" ".join([w, *map(repr, row.tolist())]) for w, row in zip(words, matrix, strict=True)]
    return ("\n".join(lines) + "\n").encode()


def word2vec_binary(words: list[str], matrix: np.ndarray, *, newline: bytes = b"\n") -> bytes:
    rows = [w.encode() + b" " + r.tobytes() + newline for w, r in zip(words, matrix, strict=True)]
    return f"{len(words)} {matrix.shape[1]}\n".encode() + b"".join(rows)


def fasttext_bin(
    words: list[str],
    table: np.ndarray,
    *,
    bucket: int,
    minn: int,
    maxn: int,
    quantised: bool = False,
) -> bytes:
    dim = table.shape[1]
    args = [dim, 5, 5, 1, 5, 1, 2, 2, bucket, minn, maxn, 100]
    out = struct.pack("<2i", 793712314, 12) + struct.pack("<12id", *args, 1e-4)
    out += struct.pack("<3i2q", len(words), len(words), 0, 1000, -1)
    for word in words:
        out += word.encode() + b"\0" + struct.pack("<qb", 7, 0)
    out += struct.pack("<?2q", quantised, *table.shape) + table.astype("<f4").tobytes()
    return out


def safetensors(path: Path, **tensors: np.ndarray) -> None:
    from safetensors.numpy import save_file

    save_file({name.replace("__", "."): array for name, array in tensors.items()}, path)


def wordpiece_json(tokens: list[str]) -> str:
    special = [
        {"id": i, "content": t, "special": True, "single_word": False, "lstrip": False,
         "rstrip": False, "normalized": False}
        for i, t in enumerate(tokens) if t.startswith("[")
    ]  # fmt: skip
    model = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {token: i for i, token in enumerate(tokens)},
    }
    return json.dumps(
        {"version": "1.0", "truncation": None, "padding": None, "added_tokens": special,
         "normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "Whitespace"},
         "post_processor": None, "decoder": None, "model": model}
    )  # fmt: skip
