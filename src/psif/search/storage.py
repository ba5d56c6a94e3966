"""An index as a folder."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from psif.errors import FormatError, InputError, PsifError
from psif.model.embedder import Embedder
from psif.runtime.atomic import flush
from psif.search.array_files import check_file, describe, plain_name, read_arrays, write_arrays
from psif.search.building import Record
from psif.search.manifest import (
    LOCK,
    MANIFEST,
    check_replaceable,
    generation_of,
    new_name,
    read_manifest,
    remove_unused,
    write_lock,
    write_manifest,
)
from psif.search.segment import Part, Segment
from psif.search.space import Space
from psif.search.stemming import check_language
from psif.version import __version__

# A reader that finds a file gone reads the manifest again: a writer was faster.
_TRIES = 5


@dataclass(frozen=True)
class Content:
    """All of an index.

    Attributes
    ----------
    parts : tuple of Part
    space : Space or None
    language : str
    next_number : int
        Id of the next document that comes without one.
    """

    parts: tuple[Part, ...]
    space: Space | None
    language: str
    next_number: int

    def records(self) -> Iterator[Record]:
        """Yield the documents again, without deleted ones."""
        for part in self.parts:
            for doc, (text, metadata) in enumerate(part.segment.texts):
                if part.is_live(doc):
                    yield Record(part.segment.id_of(doc), text, metadata)


@dataclass(frozen=True)
class Saved:
    """Where an index stands on disk, so that a further save writes only what is new.

    Attributes
    ----------
    folder : Path
    generation : int
        Count of the changes; another number on disk means another writer.
    segments : dict of Segment to dict
        What the manifest says of segments that are already there.
    space : (Space, dict) or None
        Likewise of the space.
    """

    folder: Path
    generation: int
    segments: dict[Segment, dict[str, Any]] = field(default_factory=dict)
    space: tuple[Space, dict[str, Any]] | None = None

    @property
    def n_bytes(self) -> int:
        """Bytes of the files, without the model."""
        entries = [*self.segments.values(), *([self.space[1]] if self.space else [])]
        files = [entry["file"] for entry in entries]
        files += [e["deleted"]["file"] for e in self.segments.values() if e["deleted"]]
        return sum(int(file["size"]) for file in files)


def save_content(content: Content, folder: str | Path, saved: Saved | None) -> Saved:
    """Bring an index to disk: whole, or not at all."""
    folder = Path(folder)
    check_replaceable(folder)
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    with write_lock(folder):
        try:
            return _save(content, folder, saved)
        except BaseException:  # a full disk, for example, or Ctrl-C
            with contextlib.suppress(Exception):  # the reason is known already
                _tidy(folder, is_new)
            raise


def _save(content: Content, folder: Path, saved: Saved | None) -> Saved:
    same = saved is not None and saved.folder == folder.resolve()
    generation = generation_of(folder)
    if same and saved is not None and generation != saved.generation:
        raise InputError(
            f"{folder} was changed by another process since it was loaded. Load it again and "
            "repeat the change."
        )
    known = saved if same and saved is not None else Saved(folder, 0)
    segments = {p.segment: _write_segment(folder, p, known) for p in content.parts}
    space = _write_space(folder, content.space, known)
    flush(folder)
    write_manifest(
        folder,
        {
            "psif": __version__,
            "generation": generation + 1,
            "language": content.language,
            "next_number": content.next_number,
            "space": space,
            "segments": [segments[part.segment] for part in content.parts],
        },
    )
    remove_unused(folder, _used(space, segments.values()))
    kept = None if content.space is None or space is None else (content.space, space)
    return Saved(folder.resolve(), generation + 1, segments, kept)


def _tidy(folder: Path, is_new: bool) -> None:
    """Remove what a failed writer leaves, and the folder if it made that."""
    if (folder / MANIFEST).exists():
        manifest = read_manifest(folder)
        remove_unused(folder, _used(manifest["space"], manifest["segments"]))
    else:
        remove_unused(folder, set())
        (folder / LOCK).unlink()
        if is_new:
            folder.rmdir()


def load_content(folder: str | Path, *, mapped: bool) -> tuple[Content, Saved]:
    """Read an index; everything is checked before it is used."""
    folder = Path(folder)
    for number in range(_TRIES):
        manifest = read_manifest(folder)
        try:
            return _read(folder, manifest, mapped=mapped)
        except FileNotFoundError as error:
            unchanged = generation_of(folder) == manifest["generation"]
            if unchanged or number + 1 == _TRIES:
                raise FormatError(str(error)) from error
        except InputError as error:  # a forged manifest
            raise FormatError(f"{folder}: the index cannot be used: {error}") from error
        except (KeyError, TypeError, ValueError, AttributeError, OSError) as error:
            if isinstance(error, PsifError):
                raise
            raise FormatError(f"{folder}: the index cannot be used ({error!r}).") from error
    raise AssertionError("every round returns or raises")


def _write_segment(folder: Path, part: Part, known: Saved) -> dict[str, Any]:
    earlier = known.segments.get(part.segment)
    if earlier is None:
        facts, arrays = part.segment.to_arrays()
        file = write_arrays(folder / f"{new_name('segment')}.safetensors", arrays)
        earlier = {**facts, "file": file, "deleted": None}
    deleted = np.zeros(0, np.int32)
    if part.live is not None:
        deleted = np.flatnonzero(~part.live).astype(np.int32)
    before = earlier["deleted"]
    if len(deleted) == (before["n_docs"] if before else 0):
        return earlier  # documents never come back, so these are the same ones
    file = write_arrays(folder / f"{new_name('deleted')}.safetensors", {"deleted": deleted})
    return {**earlier, "deleted": {"n_docs": len(deleted), "file": file}}


def _write_space(folder: Path, space: Space | None, known: Saved) -> dict[str, Any] | None:
    if space is None:
        return None
    if known.space is not None and known.space[0] is space:
        return known.space[1]
    model = folder / new_name("model")
    space.model.save(model)
    arrays = {
        name: array
        for name, array in (("directions", space.directions), ("table", space.table))
        if array is not None
    }
    file = write_arrays(folder / f"{new_name('space')}.safetensors", arrays)
    return {"model": model.name, "config": describe(model / "config.json"), "file": file}


def _used(space: dict[str, Any] | None, segments: Any) -> set[str]:
    names = {entry["file"]["name"] for entry in segments}
    names |= {entry["deleted"]["file"]["name"] for entry in segments if entry["deleted"]}
    return names | ({space["model"], space["file"]["name"]} if space else set())


def _read(folder: Path, manifest: dict[str, Any], *, mapped: bool) -> tuple[Content, Saved]:
    space = _read_space(folder, manifest["space"], mapped=mapped)
    parts = [_read_part(folder, entry, mapped=mapped) for entry in manifest["segments"]]
    _check_vectors(folder, parts, space)
    language, number = manifest["language"], manifest["next_number"]
    content = Content(tuple(parts), space, check_language(language), int(number))
    segments = {
        part.segment: entry for part, entry in zip(parts, manifest["segments"], strict=True)
    }
    kept = None if space is None else (space, manifest["space"])
    return content, Saved(folder.resolve(), int(manifest["generation"]), segments, kept)


def _read_part(folder: Path, entry: dict[str, Any], *, mapped: bool) -> Part:
    path = folder / str(entry["file"]["name"])
    arrays = read_arrays(folder, entry["file"], mapped=mapped)
    try:
        segment = Segment.from_arrays(entry, arrays)
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from error
    if entry["deleted"] is None:
        return Part(segment)
    deleted = read_arrays(folder, entry["deleted"]["file"], mapped=False)["deleted"]
    if deleted.dtype != np.int32 or ((deleted < 0) | (deleted >= len(segment))).any():
        raise FormatError(f"{path}: its list of deleted documents is damaged.")
    return Part(segment).without(deleted)


def _read_space(folder: Path, entry: dict[str, Any] | None, *, mapped: bool) -> Space | None:
    if entry is None:
        return None
    model_folder = folder / plain_name(entry["model"])
    check_file(model_folder / "config.json", entry["config"])
    model = Embedder.load(model_folder, mapped=mapped)
    arrays = read_arrays(folder, entry["file"], mapped=mapped)
    directions, table = arrays.get("directions"), arrays.get("table")
    width = model.n_features_out_ if directions is None else directions.shape[-1]
    expected = {
        "directions": (model.n_features_out_, width),
        "table": (len(model.words_.weights), width),
    }
    for name, array in arrays.items():
        if array.dtype != np.float32 or array.shape != expected.get(name):
            raise FormatError(
                f"{folder / str(entry['file']['name'])}: {name!r} does not fit the model."
            )
        if not np.isfinite(array).all():
            raise FormatError(f"{folder}: {name!r} holds NaN or infinity.")
    return Space(model, directions, table)


def _check_vectors(folder: Path, parts: Sequence[Part], space: Space | None) -> None:
    widths = {
        0 if part.segment.rows is None else int(part.segment.rows.vectors.shape[1])
        for part in parts
    }
    if widths - {space.n_dims if space else 0}:
        raise FormatError(f"{folder}: the vectors of the documents do not fit the model.")
