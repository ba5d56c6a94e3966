"""Partitions of vectors on any storage: each whole or not there, each with a note to check it by.

Beside ``part-00000.parquet`` and so on stands a folder ``_psif`` (readers of Parquet pass over
names with an underscore): ``job.json`` says what all partitions come from, ``model`` is the model
that workers load, ``done/part-00000.json`` holds size and checksum of a finished partition.
"""

from __future__ import annotations

import json
import tempfile
import uuid
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from psif.errors import InputError
from psif.model.folder import check_replaceable

_READ = 1 << 20
_ASIDE = "_psif/tmp"


@dataclass(frozen=True)
class Output:
    """A folder of partitions, given as a path or an fsspec address."""

    url: str

    @property
    def _storage(self) -> tuple[Any, str]:
        from fsspec.core import url_to_fs

        fs, root = url_to_fs(self.url)
        return fs, root.rstrip("/")

    @property
    def is_local(self) -> bool:
        """Whether it is a folder of this machine (or one that looks like it)."""
        from fsspec.implementations.local import LocalFileSystem

        return isinstance(self._storage[0], LocalFileSystem)

    def part(self, number: int) -> str:
        """Name of a partition."""
        return f"part-{number:05}.parquet"

    @contextmanager
    def writing(self, name: str) -> Iterator[IO[bytes]]:
        """Open a file that appears under its name when it is complete."""
        fs, root = self._storage
        target = f"{root}/{name}"
        # A local file is written aside and renamed. Object stores show a file when it is closed.
        path = f"{root}/{_ASIDE}/{uuid.uuid4().hex}" if self.is_local else target
        fs.makedirs(path.rsplit("/", 1)[0], exist_ok=True)
        fs.makedirs(target.rsplit("/", 1)[0], exist_ok=True)
        try:
            with fs.open(path, "wb") as file:
                yield file
        except BaseException:
            if fs.exists(path):
                fs.rm(path)
            raise
        if path != target:
            Path(path).replace(target)

    def write_json(self, name: str, value: Any) -> None:
        """Write a note."""
        with self.writing(name) as file:
            file.write(json.dumps(value, indent=1).encode())

    def read_json(self, name: str) -> Any:
        """Read a note; None if it is missing or broken."""
        fs, root = self._storage
        try:
            return json.loads(fs.cat_file(f"{root}/{name}"))
        except (FileNotFoundError, ValueError):
            return None

    def note_name(self, number: int) -> str:
        """Name of the note of a finished partition."""
        return f"_psif/done/part-{number:05}.json"

    def finished(self) -> set[int]:
        """Partitions that have a note; it is not checked yet."""
        fs, root = self._storage
        fs.invalidate_cache()
        folder = f"{root}/_psif/done"
        if not fs.exists(folder):
            return set()
        names = (str(path).rsplit("/", 1)[-1] for path in fs.ls(folder, detail=False))
        return {int(name[5:-5]) for name in names if name.endswith(".json")}

    def verified(self, number: int, job: str, stamp: str) -> dict[str, Any] | None:
        """Return the note of a partition if its file is what the note says, byte by byte."""
        note = self.read_json(self.note_name(number))
        if not isinstance(note, dict) or note.get("job") != job or note.get("stamp") != stamp:
            return None
        fs, root = self._storage
        path = f"{root}/{self.part(number)}"
        if not fs.exists(path) or fs.size(path) != note["size"]:
            return None
        checksum = 0
        with fs.open(path, "rb") as file:
            while data := file.read(_READ):
                checksum = zlib.crc32(data, checksum)
        return note if checksum == note["checksum"] else None

    def begin(self, job: dict[str, Any], model: Path, *, overwrite: bool) -> None:
        """Start an output, or go on with one of the same job."""
        fs, root = self._storage
        old = self.read_json("_psif/job.json")
        if overwrite and old not in (None, job):
            for path in [*fs.glob(f"{root}/part-*.parquet"), f"{root}/_psif"]:
                fs.rm(path, recursive=True)
            old = None
        if old is not None and old != job:
            changed = sorted(k for k in {**old, **job} if old.get(k) != job.get(k))
            raise InputError(
                f"{self.url} was begun with another {' and '.join(changed)}; "
                "give another folder, or overwrite it."
            )
        if old is None:
            fs.invalidate_cache()
            if fs.exists(root) and fs.glob(f"{root}/*.parquet"):
                raise InputError(
                    f"{self.url} holds Parquet files of something else; give another folder."
                )
            for path in sorted(model.iterdir()):
                with self.writing(f"_psif/model/{path.name}") as file, path.open("rb") as source:
                    while data := source.read(_READ):
                        file.write(data)
            self.write_json("_psif/job.json", job)

    def tidy(self) -> None:
        """Remove what a worker was writing when it was killed; for when all is finished."""
        fs, root = self._storage
        if fs.exists(f"{root}/{_ASIDE}"):
            fs.rm(f"{root}/{_ASIDE}", recursive=True)

    def model_folder(self) -> Path:
        """Return the model as a local folder; copied once a process from other storage."""
        if self.is_local:
            return Path(self._storage[1]) / "_psif" / "model"
        return _fetched(self.url)


@lru_cache(maxsize=2)
def _fetched(url: str) -> Path:
    fs, root = Output(url)._storage
    folder = Path(tempfile.mkdtemp(prefix="psif-model-"))
    for path in fs.ls(f"{root}/_psif/model", detail=False):
        fs.get_file(path, str(folder / str(path).rsplit("/", 1)[-1]))
    check_replaceable(folder)
    return folder
