"""FastText's ``.bin``: a whole model, of which the words and the input matrix are read."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from psif.errors import FormatError
from psif.types import FloatMatrix
from psif.vectors.readers.source import is_plain, open_bytes
from psif.vectors.readers.word_filter import Wanted, decode
from psif.vectors.subwords import CharacterNgrams

MAGIC = struct.pack("<i", 793712314)
_END_OF_SENTENCE = "</s>"
_VERSION = 12
# Words whose n-grams are summed at a time.
_BATCH = 20_000


class _Head(NamedTuple):
    words: list[str]
    shortest: int
    longest: int
    rows: int
    dim: int
    offset: int


def read_fasttext(path: Path, wanted: Wanted) -> tuple[FloatMatrix, CharacterNgrams | None]:
    """Vectors of the wanted words, and the n-gram rows for all others.

    The input matrix is memory-mapped when the file is not compressed.
    """
    with open_bytes(path) as stream:
        head = _read_head(stream, path)
        table = _input_matrix(stream, head, path)
    own_rows = []
    for row, word in enumerate(head.words):
        if wanted.complete:
            break
        if wanted.take(word, row + 1, path, "entry"):
            own_rows.append(row)
    wanted.require(path)
    n_words = len(head.words)
    if head.longest == 0 or len(table) == n_words:
        return np.array(table[own_rows], dtype=np.float32), None
    ngrams = CharacterNgrams(table[n_words:], head.shortest, head.longest, source=path)
    blocks = []
    for start in range(0, len(own_rows), _BATCH):
        batch = slice(start, start + _BATCH)
        rows = np.array(own_rows[batch], dtype=np.int64)
        blocks.append(ngrams.sum_up(wanted.words[batch], rows, table, n_words))
    matrix = np.concatenate(blocks)
    if _END_OF_SENTENCE in wanted.words:  # The one word that has no n-grams.
        place = wanted.words.index(_END_OF_SENTENCE)
        matrix[place] = table[own_rows[place]]
    return matrix, ngrams


def _read_head(stream: BinaryIO, path: Path) -> _Head:
    magic, version = stream.read(4), _unpack(stream, "<i", path)[0]
    if magic != MAGIC or version != _VERSION:
        raise FormatError(
            f"{path} is no fastText model of format {_VERSION} "
            f"(it begins with {magic!r}, version {version}); save it with a current fastText."
        )
    dim, *_, bucket, shortest, longest, _rate = _unpack(stream, "<12i", path)
    _unpack(stream, "<d", path)
    _size, n_words, n_labels = _unpack(stream, "<3i", path)
    _n_tokens, n_pruned = _unpack(stream, "<2q", path)
    words = []
    for entry in range(n_words + n_labels):
        word = decode(_read_until_zero(stream, path), entry + 1, path, "entry")
        _unpack(stream, "<qb", path)
        if entry < n_words:
            words.append(word)
    if n_pruned > 0 or _unpack(stream, "<?", path)[0]:
        raise FormatError(
            f"{path} is a quantised or pruned fastText model (.ftz); only full .bin models can be "
            "read. Export its words with: fasttext print-word-vectors"
        )
    rows, columns = _unpack(stream, "<2q", path)
    if columns != dim or rows not in (n_words, n_words + bucket):
        raise FormatError(
            f"{path}: the matrix is {rows} x {columns}, expected "
            f"{n_words} + {bucket} rows of {dim}; the file is damaged."
        )
    return _Head(words, shortest, longest, rows, dim, stream.tell())


def _input_matrix(stream: BinaryIO, head: _Head, path: Path) -> FloatMatrix:
    needed = 4 * head.rows * head.dim
    shape = (head.rows, head.dim)
    if is_plain(path):
        if path.stat().st_size - head.offset < needed:
            raise _cut_short(path)
        return np.memmap(path, dtype=np.dtype("<f4"), mode="r", offset=head.offset, shape=shape)
    raw = stream.read(needed)
    if len(raw) < needed:
        raise _cut_short(path)
    return np.frombuffer(raw, dtype="<f4").reshape(shape)


def _unpack(stream: BinaryIO, layout: str, path: Path) -> tuple[int, ...]:
    raw = stream.read(struct.calcsize(layout))
    if len(raw) < struct.calcsize(layout):
        raise _cut_short(path)
    return struct.unpack(layout, raw)


def _read_until_zero(stream: BinaryIO, path: Path) -> bytes:
    word = bytearray()
    while (byte := stream.read(1)) != b"\0":
        if not byte:
            raise _cut_short(path)
        word += byte
    return bytes(word)


def _cut_short(path: Path) -> FormatError:
    return FormatError(f"{path} is cut short. Copy or download it again.")
