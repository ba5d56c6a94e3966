"""Vectors as text, one word and its numbers per line: word2vec text, GloVe, fastText .vec."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from psif.errors import FormatError
from psif.types import FloatMatrix
from psif.vectors.readers.source import open_bytes
from psif.vectors.readers.word_filter import Wanted, decode

_CHUNK = 1 << 24
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def read_text(path: Path, wanted: Wanted) -> FloatMatrix:
    """Read the wanted rows; the first line may be a header of two counts."""
    with open_bytes(path) as stream:
        first = stream.readline()
        header = parse_header(first)
        if header is None:
            promised, dim = None, len(first.split()) - 1
            line, pending = 1, first
        else:
            promised, dim = header
            line, pending = 2, b""
        if dim < 1:
            raise FormatError(
                f"{path}, line 1: expected a word and its numbers, or a header of two counts; "
                f"got {first[:60]!r}."
            )
        blocks = []
        for chunk in _chunks(stream, pending):
            rows, n_lines = _read_chunk(chunk, dim, line, path, wanted)
            blocks.append(rows)
            line += n_lines
            if wanted.complete:
                break
    wanted.require(path)
    if promised is not None and not wanted.complete and wanted.n_seen != promised:
        raise FormatError(
            f"{path} is cut short or damaged: its header promises {promised} words, "
            f"{wanted.n_seen} are there."
        )
    return np.concatenate(blocks)


def parse_header(line: bytes) -> tuple[int, int] | None:
    """Return (words, dimensions) when the line holds just two whole numbers."""
    fields = line.split()
    if len(fields) == 2 and fields[0].isdigit() and fields[1].isdigit():
        return int(fields[0]), int(fields[1])
    return None


def _chunks(stream: BinaryIO, pending: bytes) -> Iterator[bytes]:
    """Pieces of the file that end with a line; a small one first, for a small ``top_n``."""
    size = 1 << 20
    while block := stream.read(size):
        cut = block.rfind(b"\n") + 1
        if cut:
            yield pending + block[:cut]
            pending = block[cut:]
        else:
            pending += block
        size = _CHUNK
    if pending:
        yield pending if pending.endswith(b"\n") else pending + b"\n"


def _read_chunk(
    chunk: bytes, dim: int, line: int, path: Path, wanted: Wanted
) -> tuple[FloatMatrix, int]:
    from psif.compiled.number_lines import find_words, read_numbers

    buffer = np.frombuffer(chunk, dtype=np.uint8)
    spans = find_words(buffer, dim)
    kept = []
    for i, (start, word_end, end) in enumerate(spans.tolist()):
        if wanted.complete:
            break
        if word_end < 0:
            if start == end and i == len(spans) - 1:
                continue  # A blank last line.
            _refuse(chunk[start:end], dim, line + i, path)
        word = decode(chunk[start:word_end], line + i, path)
        if " " in word:
            last = word.rsplit(" ", 1)[1]
            if _NUMBER.fullmatch(last):
                _refuse(chunk[start:end], dim, line + i, path)
        if wanted.take(word, line + i, path):
            kept.append(i)
    rows = np.empty((len(kept), dim), dtype=np.float32)
    bad = read_numbers(buffer, spans[kept], rows)
    if bad < 0 and not np.isfinite(rows).all():
        bad = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
    if bad >= 0:
        start, _, end = spans[kept[bad]].tolist()
        _refuse(chunk[start:end], dim, line + kept[bad], path)
    return rows, len(spans)


def _refuse(text: bytes, dim: int, line: int, path: Path) -> None:
    fields = text.split()
    wrong = next((f for f in fields[1:] if not _NUMBER.fullmatch(f.decode("latin-1"))), None)
    if len(fields) != dim + 1:
        reason = f"{max(len(fields) - 1, 0)} numbers after the word, expected {dim}"
    else:
        reason = f"{(wrong or b'a number').decode('utf-8', 'replace')!r} is no finite number"
    raise FormatError(f"{path}, line {line}: {reason}. The line begins {text[:40]!r}.")
