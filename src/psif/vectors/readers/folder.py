"""Our own format: a folder of ``vectors.npy`` and ``vocab.txt``, memory-mapped when read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from psif.errors import FormatError, InputError
from psif.runtime.atomic import atomic_folder
from psif.types import FloatMatrix
from psif.vectors.readers.word_filter import Wanted
from psif.vectors.subwords import Subwords, load_subwords

MATRIX, WORDS, CONFIG = "vectors.npy", "vocab.txt", "vectors.json"
_KIND, _VERSION = "psif-word-vectors", 1


def is_folder_format(folder: Path) -> bool:
    """Whether the two files are there."""
    return (folder / MATRIX).is_file() and (folder / WORDS).is_file()


def read_folder(
    folder: Path, wanted: Wanted
) -> tuple[list[str], FloatMatrix, Subwords | None, bool]:
    """Words, matrix, subwords, and whether :func:`write_folder` wrote (and so checked) them.

    ``vectors.npy`` and ``vocab.txt`` alone are enough; other programs write them easily.
    """
    try:
        matrix: FloatMatrix = np.load(folder / MATRIX, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise FormatError(f"{folder / MATRIX} is damaged or cut short: {error}") from error
    words = (folder / WORDS).read_bytes().decode("utf-8").split("\n")
    if words[-1] == "":
        words.pop()
    if matrix.ndim != 2 or len(words) != len(matrix):
        raise FormatError(
            f"{folder}: {WORDS} has {len(words)} lines, {MATRIX} is of shape {matrix.shape}; "
            "expected one line a row."
        )
    config = _read_config(folder)
    subwords = load_subwords(folder, config["subwords"]) if config.get("subwords") else None
    if wanted.limited:
        rows = []
        for row, word in enumerate(words):
            if wanted.complete:
                break
            if wanted.take(word, row + 1, folder / WORDS):
                rows.append(row)
        wanted.require(folder)
        words, matrix = wanted.words, np.asarray(matrix[rows])
    return words, matrix, subwords, bool(config)


def write_folder(
    folder: Path, words: list[str], matrix: FloatMatrix, subwords: Subwords | None
) -> None:
    """Write all files, or none: an interrupted save leaves what was there before."""
    for row, word in enumerate(words):
        if "\n" in word:
            raise InputError(
                f"the word {word!r} (row {row}) holds a line break and cannot be saved."
            )
    with atomic_folder(folder) as part:
        np.save(part / MATRIX, np.ascontiguousarray(matrix))
        (part / WORDS).write_bytes(("\n".join(words) + "\n").encode("utf-8"))
        config = {
            "kind": _KIND,
            "version": _VERSION,
            "n_words": len(words),
            "dim": int(matrix.shape[1]),
            "subwords": subwords.save(part) if subwords is not None else None,
        }
        (part / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def _read_config(folder: Path) -> dict[str, Any]:
    path = folder / CONFIG
    if not path.is_file():
        return {}
    try:
        config: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise FormatError(f"{path} is damaged: {error}") from error
    if config.get("kind") != _KIND or config.get("version") != _VERSION:
        raise FormatError(
            f"{path} says kind {config.get('kind')!r}, version {config.get('version')!r}; this "
            f"version of psif reads {_KIND!r}, version {_VERSION}."
        )
    return config
