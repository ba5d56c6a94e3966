"""Our own format, a folder that opens at once: ``vectors.npy`` mapped, ``vocab.txt``, a manifest.

The manifest ``vectors.json`` holds sizes and checksums. When a folder is opened, the manifest, the
sizes of all files, the header of ``vectors.npy`` and the words are checked; the numbers are
checked when they are first used (:mod:`psif.vectors.row_checks`). ``vectors.npy`` and
``vocab.txt`` alone can be read too, since other programs write them easily: then every number is
checked when the folder is opened.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from psif.errors import FormatError, InputError
from psif.runtime.atomic import atomic_folder
from psif.runtime.settled import read_settled
from psif.types import FloatMatrix
from psif.vectors.readers.damage import damage_named
from psif.vectors.readers.npy_map import map_rows
from psif.vectors.readers.word_filter import Wanted
from psif.vectors.row_checks import RowChecks, block_checksums
from psif.vectors.subwords import SUBWORD_ROWS, TOKENIZER, Subwords, load_subwords

MATRIX, WORDS, MANIFEST = "vectors.npy", "vocab.txt", "vectors.json"
_OUR_FILES = {MATRIX, WORDS, MANIFEST, SUBWORD_ROWS, TOKENIZER}
_KIND, _VERSION = "psif-word-vectors", 1
# A manifest is some text and 67 bytes per megabyte of numbers.
_LARGEST_MANIFEST = 64 * 2**20


class FolderContent(NamedTuple):
    """What a folder holds; ``checks`` is None when every number has been looked at already."""

    words: list[str]
    matrix: FloatMatrix
    subwords: Subwords | None
    checks: RowChecks | None


def is_folder_format(folder: Path) -> bool:
    """Whether the two files are there."""
    return (folder / MATRIX).is_file() and (folder / WORDS).is_file()


def read_folder(folder: Path, wanted: Wanted) -> FolderContent:
    """Read words and subwords; map the matrix, or copy the wanted rows of it."""
    content = read_settled(folder, lambda: _read_all(folder))
    if not wanted.limited:
        return content
    chosen = []
    for row, word in enumerate(content.words):
        if wanted.complete:
            break
        if wanted.take(word, row + 1, folder / WORDS):
            chosen.append(row)
    wanted.require(folder)
    if content.checks is not None:
        content.checks.check_rows(chosen)
    return FolderContent(wanted.words, np.asarray(content.matrix[chosen]), content.subwords, None)


def _read_all(folder: Path) -> FolderContent:
    manifest = _read_manifest(folder)
    files = manifest.get("files", {})
    for name in files:
        _check_size(folder / name, files[name])
    for name in sorted({WORDS, TOKENIZER} & set(files)):
        _check_whole(folder / name, files[name])
    matrix = map_rows(folder / MATRIX)
    words = _read_words(folder / WORDS, strict=not files)
    if len(words) != len(matrix):
        raise FormatError(
            f"{folder}: {WORDS} has {len(words)} lines, {MATRIX} is of shape {matrix.shape}; "
            "expected one word per row."
        )
    checks = _row_checks(folder / MATRIX, matrix, files)
    subwords = None
    if manifest.get("subwords"):
        rows = map_rows(folder / SUBWORD_ROWS)
        if not len(rows) or rows.shape[1] != matrix.shape[1]:
            raise FormatError(
                f"{folder}: {SUBWORD_ROWS} is of shape {rows.shape}, but words have "
                f"{matrix.shape[1]} numbers; they do not belong together."
            )
        subwords = load_subwords(
            folder, manifest["subwords"], rows, _row_checks(folder / SUBWORD_ROWS, rows, files)
        )
    return FolderContent(words, matrix, subwords, checks)


def write_folder(
    folder: Path, words: list[str], matrix: FloatMatrix, subwords: Subwords | None
) -> None:
    """Write all files, or none: an interrupted save leaves what was there before."""
    check_replaceable(folder)
    for row, word in enumerate(words):
        if "\n" in word:
            raise InputError(
                f"the word {word!r} (row {row}) holds a line break and cannot be saved."
            )
    with atomic_folder(folder) as part:
        np.save(part / MATRIX, np.ascontiguousarray(matrix))
        (part / WORDS).write_bytes(("\n".join(words) + "\n").encode("utf-8", "surrogatepass"))
        described = subwords.save(part) if subwords is not None else None
        manifest: dict[str, Any] = {
            "kind": _KIND,
            "version": _VERSION,
            "n_words": len(words),
            "dim": int(matrix.shape[1]),
            "subwords": described,
            "files": {path.name: _described(path) for path in sorted(part.iterdir())},
        }
        manifest["checksum"] = _checksum_of(manifest)
        text = json.dumps(manifest, indent=1)
        (part / MANIFEST).write_text(text + "\n", encoding="utf-8")


def check_replaceable(folder: Path) -> None:
    """Refuse to save over anything but an earlier table of ours; nothing else is ever deleted."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(
            f"{folder} is a file; word vectors are saved as a folder. Give another name."
        )
    if folder.is_symlink():
        raise InputError(f"{folder} is a symbolic link; give the folder that it points to.")
    present = {path.name for path in folder.iterdir()}
    if not present:
        return
    foreign = sorted(present - _OUR_FILES)
    if not foreign and not _has_our_manifest(folder):
        foreign = sorted(present)
    if foreign:
        raise InputError(
            f"{folder} is not a folder of word vectors that psif wrote: it holds "
            f"{', '.join(foreign[:3])}, which would be lost. "
            "Give another folder, or move it away first."
        )


def _read_words(path: Path, *, strict: bool) -> list[str]:
    """Read one word per line; ours may hold lone surrogates, which no other program writes."""
    with damage_named(path):
        text = path.read_bytes().decode("utf-8", "strict" if strict else "surrogatepass")
    words = text.split("\n")
    if words[-1] == "":
        words.pop()
    return words


def _read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest, or an empty one where another program wrote the folder."""
    path = folder / MANIFEST
    if not path.is_file():
        return {}
    if path.stat().st_size > _LARGEST_MANIFEST:
        raise FormatError(f"{path} is larger than {_LARGEST_MANIFEST} bytes: not one of ours.")
    with damage_named(path):
        manifest = json.loads(path.read_bytes())
    if not isinstance(manifest, dict):
        raise FormatError(f"{path} is damaged: it holds no JSON object.")
    if manifest.get("kind") != _KIND or manifest.get("version") != _VERSION:
        raise FormatError(
            f"{path} says kind {manifest.get('kind')!r}, version {manifest.get('version')!r}; "
            f"this version of psif reads {_KIND!r}, version {_VERSION}."
        )
    # Tables of version 0.1 have neither files nor a checksum.
    if "files" in manifest or "checksum" in manifest:
        _check_manifest(manifest, path)
    return manifest


def _check_manifest(manifest: dict[str, Any], path: Path) -> None:
    claimed = manifest.get("checksum")
    rest = {name: value for name, value in manifest.items() if name != "checksum"}
    if claimed != _checksum_of(rest):
        raise FormatError(f"{path} does not match its checksum: damaged or changed.")
    files = manifest.get("files")
    if (
        not isinstance(files, dict)
        or not {MATRIX, WORDS} <= set(files) <= _OUR_FILES - {MANIFEST}
        or not all(isinstance(file, dict) for file in files.values())
    ):
        raise FormatError(f"{path} does not describe the files of a table.")


def _has_our_manifest(folder: Path) -> bool:
    """Whether the content says that we wrote this folder, whatever the files are called."""
    try:
        return bool(_read_manifest(folder))
    except FormatError:
        return False


def _row_checks(path: Path, rows: FloatMatrix, files: Mapping[str, Any]) -> RowChecks | None:
    if path.name not in files:
        return None
    checksums = files[path.name].get("sha256")
    if not isinstance(checksums, list):
        raise FormatError(f"{path.parent / MANIFEST} has no checksums for {path.name}.")
    if _header_checksum(path, rows) != files[path.name].get("header"):
        raise FormatError(f"{path}: the header does not match its checksum: damaged or changed.")
    return RowChecks(rows, checksums, path)


def _header_checksum(path: Path, rows: FloatMatrix) -> str:
    with path.open("rb") as stream:
        header = stream.read(path.stat().st_size - rows.nbytes)
    return hashlib.sha256(header).hexdigest()


def _described(path: Path) -> dict[str, Any]:
    size = path.stat().st_size
    if path.suffix == ".npy":
        rows = map_rows(path)
        header = _header_checksum(path, rows)
        return {"size": size, "header": header, "sha256": block_checksums(rows)}
    return {"size": size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}


def _check_size(path: Path, described: Mapping[str, Any]) -> None:
    if not path.is_file():
        raise FormatError(f"{path} is missing; the table is incomplete.")
    size = path.stat().st_size
    if size != described.get("size"):
        raise FormatError(
            f"{path} has {size} bytes, expected {described.get('size')}: cut short or changed. "
            "Copy or convert the table again."
        )


def _check_whole(path: Path, described: Mapping[str, Any]) -> None:
    if _described(path)["sha256"] != described.get("sha256"):
        raise FormatError(f"{path} does not match its checksum: damaged or changed.")


def _checksum_of(manifest: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()
