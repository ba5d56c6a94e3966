"""A folder of partitions of vectors, on any storage; each appears whole or not at all.

Beside ``part-00000.parquet`` and so on stands a folder ``_psif`` (readers of Parquet skip names
with an underscore). In it, ``job.json`` says what all partitions are made from, ``model`` is the
model that workers load, ``done/part-00000.json`` has size and checksum of a finished partition, and
``tmp`` holds files that are being written.
"""

from __future__ import annotations

import atexit
import json
import re
import shutil
import tempfile
import uuid
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from psif.errors import InputError
from psif.files.writers.lock import locked

_READ = 1 << 20
_UNFINISHED = "_psif/tmp"
_LOCK = "lock"
# What the note of a finished partition must hold; a note that does not is not believed.
_NUMBERS = ("rows", "size", "checksum", "skipped", "empty", "replaced")


@dataclass(frozen=True)
class Output:
    """A folder of partitions, given as a path or an fsspec address.

    Attributes
    ----------
    url : str
    run : str
        Names the folder of unfinished files. A new run removes those of earlier runs, so that a
        task which outlives its run cannot put its file into place.
    """

    url: str
    run: str = field(default_factory=lambda: uuid.uuid4().hex)

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
    def locked(self) -> Iterator[None]:
        """Keep other runs away, where the storage is a local folder."""
        if not self.is_local:
            yield
            return
        folder = Path(self._storage[1]) / "_psif"
        if folder.parent.is_file():
            raise InputError(f"{self.url} is a file; give a folder.")
        self._refuse_foreign()
        folder.mkdir(parents=True, exist_ok=True)
        with locked(
            folder / _LOCK,
            f"{self.url} is being written by another run; wait for it, or give another folder.",
        ):
            yield

    @contextmanager
    def writing(self, name: str) -> Iterator[IO[bytes]]:
        """Open a file that appears under its name when it is complete."""
        fs, root = self._storage
        target = f"{root}/{name}"
        # A local file is written elsewhere and renamed; object stores show a file when it is whole.
        # Nobody but `begin` makes the folder of unfinished files: without it a run is over.
        path = f"{root}/{_UNFINISHED}/{self.run}/{uuid.uuid4().hex}" if self.is_local else target
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

    def read_json(self, name: str) -> dict[str, Any] | None:
        """Read a note; None if it is missing or damaged."""
        fs, root = self._storage
        try:
            value = json.loads(fs.cat_file(f"{root}/{name}"))
        except (FileNotFoundError, IsADirectoryError, ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None

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
        found = (re.fullmatch(r"part-(\d+)\.json", name) for name in names)
        return {int(match.group(1)) for match in found if match is not None}

    def verified(self, number: int, job: str, stamp: str) -> dict[str, Any] | None:
        """Return the note of a partition if its file is what the note says, byte by byte."""
        note = self.read_json(self.note_name(number))
        if note is None or not _is_complete(note):
            return None
        if note.get("job") != job or note.get("stamp") != stamp:
            return None
        fs, root = self._storage
        path = f"{root}/{self.part(number)}"
        if not fs.isfile(path) or fs.size(path) != note["size"]:
            return None
        checksum = 0
        with fs.open(path, "rb") as file:
            while data := file.read(_READ):
                checksum = zlib.crc32(data, checksum)
        return note if checksum == note["checksum"] else None

    def begin(self, job: dict[str, Any], model: Path, *, overwrite: bool) -> None:
        """Start an output, or continue one of the same job."""
        self.tidy()
        if self.is_local:
            Path(self._storage[1], _UNFINISHED, self.run).mkdir(parents=True)
        old = self.read_json("_psif/job.json")
        if overwrite and old not in (None, job):
            self._remove_all()
            old = None
        if old is not None and old != job:
            changed = sorted(k for k in {**old, **job} if old.get(k) != job.get(k))
            raise InputError(
                f"{self.url} was begun with another {' and '.join(changed)}; "
                "give another folder, or overwrite it."
            )
        if old is None:
            self._refuse_foreign()
        if old is None or not self._has_model(model):
            # All files, so that workers which have loaded a damaged model load this one.
            for path in sorted(model.iterdir()):
                with self.writing(f"_psif/model/{path.name}") as file, path.open("rb") as source:
                    while data := source.read(_READ):
                        file.write(data)
        if old is None:
            self.write_json("_psif/job.json", job)

    def _has_model(self, model: Path) -> bool:
        """Whether the copy of the model is what it should be, byte by byte."""
        fs, root = self._storage
        for path in model.iterdir():
            copy = f"{root}/_psif/model/{path.name}"
            if not fs.isfile(copy) or fs.size(copy) != path.stat().st_size:
                return False
            with path.open("rb") as ours, fs.open(copy, "rb") as theirs:
                while data := ours.read(_READ):
                    if data != theirs.read(len(data)):
                        return False
        return True

    def _refuse_foreign(self) -> None:
        """Refuse a folder of Parquet files that no note of ours explains."""
        fs, root = self._storage
        fs.invalidate_cache()
        if self.read_json("_psif/job.json") is None and fs.glob(f"{root}/*.parquet"):
            raise InputError(
                f"{self.url} holds Parquet files that psif did not write, or its note "
                "_psif/job.json is missing or damaged; give another folder."
            )

    def _remove_all(self) -> None:
        """Remove the partitions and notes of another job; the lock stays."""
        fs, root = self._storage
        # job.json last: as long as it is there, the folder is known to be ours.
        names = ["_psif/done", "_psif/model", "_psif/job.json"]
        paths = [*fs.glob(f"{root}/part-*.parquet"), *(f"{root}/{name}" for name in names)]
        for path in paths:
            if fs.exists(path):
                fs.rm(path, recursive=True)

    def tidy(self) -> None:
        """Remove unfinished files: those of workers that were killed, and of earlier runs."""
        if not self.is_local:
            return
        folder = Path(self._storage[1], _UNFINISHED)
        # Renamed first, at once: a task of an earlier run may still be writing in it.
        with suppress(FileNotFoundError):
            folder.rename(folder.with_name(f"{folder.name}-{uuid.uuid4().hex}"))
        for old in folder.parent.glob(f"{folder.name}-*"):
            shutil.rmtree(old, ignore_errors=True)

    def model_folder(self) -> Path:
        """Return the model as a local folder; copied once per process and run if it is not one."""
        if self.is_local:
            return Path(self._storage[1]) / "_psif" / "model"
        return _fetched(self)


def _is_complete(note: dict[str, Any]) -> bool:
    numbers = [note.get(name) for name in _NUMBERS]
    problems = note.get("problems")
    return (
        all(type(number) is int and number >= 0 for number in numbers)
        and isinstance(problems, list)
        and all(isinstance(problem, str) for problem in problems)
    )


@lru_cache(maxsize=2)
def _fetched(output: Output) -> Path:
    fs, root = output._storage
    folder = Path(tempfile.mkdtemp(prefix="psif-model-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for path in fs.ls(f"{root}/_psif/model", detail=False):
        fs.get_file(path, str(folder / str(path).rsplit("/", 1)[-1]))
    return folder
