"""Word2vec's binary format: a text header, then each word and its raw float32 numbers."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import numpy as np

from psif.errors import FormatError
from psif.types import FloatMatrix
from psif.vectors.readers.source import open_bytes
from psif.vectors.readers.text import parse_header
from psif.vectors.readers.word_filter import Wanted, decode

_LONGEST_WORD = 2000


def read_word2vec_binary(path: Path, wanted: Wanted) -> FloatMatrix:
    """Read the wanted rows one by one; only they are kept in memory."""
    with open_bytes(path) as stream:
        header = parse_header(stream.readline())
        if header is None or not header[1]:
            raise FormatError(f"{path} does not begin with word2vec's header of two counts.")
        n_words, dim = header
        rows = []
        for entry in range(1, n_words + 1):
            if wanted.complete:
                break
            raw = _read_word(stream, entry, n_words, path)
            numbers = stream.read(4 * dim)
            if len(numbers) < 4 * dim:
                raise _cut_short(path, entry, n_words)
            if wanted.take(decode(raw, entry, path, "entry"), entry, path, "entry"):
                rows.append(np.frombuffer(numbers, dtype="<f4"))
    wanted.require(path)
    return np.stack(rows).astype(np.float32, copy=False)


def _read_word(stream: BinaryIO, entry: int, n_words: int, path: Path) -> bytes:
    """Read the bytes up to the next space; writers differ in whether a newline goes before."""
    word = bytearray()
    while (byte := stream.read(1)) != b" ":
        if not byte:
            raise _cut_short(path, entry, n_words)
        if byte != b"\n" or word:
            word += byte
        if len(word) > _LONGEST_WORD:
            raise FormatError(
                f"{path}, entry {entry}: no space within {_LONGEST_WORD} bytes after the word; "
                "this is not word2vec's binary format, or another dimension stands in its header."
            )
    return bytes(word)


def _cut_short(path: Path, entry: int, n_words: int) -> FormatError:
    return FormatError(
        f"{path} is cut short: it ends within entry {entry} of {n_words}. "
        "Copy or download it again."
    )
