"""An output file that appears whole or not at all, and can be continued after a break.

During the work there is a folder ``OUT.part`` beside ``OUT``: ``data``, the growing file;
``journal.jsonl``, whose first line describes the job and each further line records one complete
chunk, with its size and checksum; and a lock. After a break (even of power) the chunks whose bytes
still have their checksum are good, and the file is cut after them. Chunks depend on the input
alone, so that a continued file has the bytes of an unbroken one.

An output may have several files: the model that was fitted for it, the rows, the ids of a format
without room for them. When all are complete, ``commit.json`` is written; from then on the output
counts as finished, and the next run completes whatever renames a kill prevented.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from psif.errors import InputError
from psif.files.writers.chunk import Chunk
from psif.files.writers.formats import make_layout
from psif.files.writers.layout import Layout, Note
from psif.files.writers.npz import NpzLayout
from psif.files.writers.records import RecordChunk, RecordLayout
from psif.files.writers.sidecar import sidecar_path
from psif.files.writers.working_folder import part_folder, remove_folder
from psif.runtime.atomic import atomic_path, flush, replace_folder

JobKey = dict[str, Any]
_READ = 1 << 20
DATA, IDS, MODEL, COMMIT = "data", "ids.jsonl", "model", "commit.json"
_FIELDS = {"format": "the output format", "dtype": "--dtype", "dim": "the number of dimensions"}


def complete_commit(out: str | Path) -> bool:
    """Complete what a finished job has not put in place yet; False if there is no such job.

    The order matters to readers that come in between: no old ids beside new rows, and rows carry
    the checksum of their model.
    """
    folder = part_folder(out)
    if not (folder / COMMIT).is_file():
        return False
    commit = _parse((folder / COMMIT).read_bytes())
    if commit is None or "model" not in commit:  # damaged: then the journal says what is there
        (folder / COMMIT).unlink()
        return False
    # Two folders are exchanged in one step: afterwards the old model is here, to be removed.
    if commit["model"] is not None and _file_number(folder / MODEL) == commit["model"]:
        replace_folder(folder / MODEL, model_beside(out))
    for name, target in ((DATA, Path(out)), (IDS, sidecar_path(out))):
        if name == DATA and (folder / DATA).exists() and (folder / IDS).exists():
            sidecar_path(out).unlink(missing_ok=True)
        if (folder / name).exists():
            (folder / name).replace(target)
    flush(Path(out).absolute().parent)
    remove_folder(folder)
    return True


def model_beside(out: str | Path) -> Path:
    """``vectors.parquet`` has its model in ``vectors.model``."""
    return Path(out).with_suffix(".model")


class EmbedJob:
    """Chunks of vectors on their way to ``out``.

    Parameters
    ----------
    out : path
        Where the file appears in :meth:`finish`.
    dim, dtype : int, str
        Shape and type of the vectors.
    key : dict
        Whatever else decides the bytes (input, model, options); an interrupted job with another
        key is not continued.
    model : str
        Checksum of the model, which the file carries.
    layout : Layout, optional
        Of chunks that are not vectors.
    """

    def __init__(
        self,
        out: str | Path,
        *,
        dim: int,
        dtype: str,
        key: JobKey,
        model: str = "",
        layout: Layout | None = None,
    ) -> None:
        self.out = Path(out)
        self.dim = dim
        self._folder = part_folder(out)
        self._layout = make_layout(out, dim, dtype, model) if layout is None else layout
        self._key = {**key, "format": self.out.suffix.lower(), "dtype": dtype, "dim": dim}
        self._journal_path = self._folder / "journal.jsonl"
        self.done: list[tuple[int, int]] = []  # rows and input checksum of each whole chunk
        self._head = self._layout.blank_head()
        if self._journal_path.exists() and (self._folder / DATA).exists():
            self._continue()
        else:
            self._begin()

    def append(self, chunk: Chunk | RecordChunk, input_checksum: int) -> None:
        """Write one chunk; it counts once its line is in the journal."""
        parts, note = self._layout.body(chunk, self._position)
        checksum = 0
        for part in parts:
            _write_all(self._data, part)
            checksum = zlib.crc32(part, checksum)
            self._position += len(part)
        # Now, while the next chunk is computed, rather than all of it at the end.
        os.fsync(self._data.fileno())
        record = {
            "rows": len(chunk.ids),
            "end": self._position,
            "checksum": checksum,
            "input": input_checksum,
            "note": note,
        }
        record["line"] = _line_checksum(record)
        _write_all(self._journal, json.dumps(record).encode() + b"\n")
        self.done.append((len(chunk.ids), input_checksum))

    def finish(self) -> None:
        """Complete the file and put it in place, and with it the model of the working folder."""
        self._data.truncate(self._position)
        for part in self._layout.tail(self._notes, self._position):
            _write_all(self._data, part)
        self._data.seek(0)
        _write_all(self._data, self._layout.head(self._notes))
        os.fsync(self._data.fileno())
        lines = self._layout.sidecar(self._notes)
        if lines is not None:
            with atomic_path(self._folder / IDS) as path, path.open("wb") as file:
                file.writelines(lines)
        self.close()
        if isinstance(self._layout, RecordLayout | NpzLayout):
            self._layout.finish(self._folder / DATA, self._notes)
        # From here on the output is finished, whatever happens to this process.
        commit = {"model": _file_number(self._folder / MODEL)}
        with atomic_path(self._folder / COMMIT) as path:
            path.write_text(json.dumps(commit) + "\n", encoding="utf-8")
        complete_commit(self.out)

    def close(self) -> None:
        """Close the files, which stay for another run to continue."""
        self._data.close()
        self._journal.close()

    def _begin(self) -> None:
        self._data: IO[bytes] = (self._folder / DATA).open("wb", buffering=0)
        _write_all(self._data, self._head)
        self._position = len(self._head)
        self._journal: IO[bytes] = self._journal_path.open("wb", buffering=0)
        _write_all(self._journal, json.dumps(self._key).encode() + b"\n")

    def _continue(self) -> None:
        """Find the chunks that are whole and cut away the rest."""
        self._data = (self._folder / DATA).open("r+b", buffering=0)
        self._position = self._data.seek(len(self._head))
        self._journal = self._journal_path.open("r+b")
        kept = 0
        for i, line in enumerate(self._journal):
            record = _parse(line)
            if i == 0 and record is not None:
                self._check_same(record)
            elif record is None or not self._is_whole(record):
                break
            else:
                self._position = record["end"]
                self.done.append((record["rows"], record["input"]))
            kept += len(line)
        if kept == 0:
            self.close()
            self._begin()
            return
        self._journal.close()
        self._journal = self._journal_path.open("r+b", buffering=0)
        self._journal.truncate(kept)
        self._journal.seek(kept)
        self._data.truncate(self._position)
        self._data.seek(self._position)

    def _check_same(self, old: JobKey) -> None:
        names = [name for name in {**old, **self._key} if old.get(name) != self._key.get(name)]
        if names:
            self.close()
            raise InputError(
                f"cannot resume: {', '.join(_FIELDS.get(name, name) for name in names)} changed "
                "since the interrupted run; run without --resume to start over"
            )

    def _is_whole(self, record: dict[str, Any]) -> bool:
        if record.get("line") != _line_checksum(record):
            return False  # a damaged journal, which has the ids
        checksum, left = 0, record["end"] - self._position
        while left:
            data = self._data.read(min(left, _READ))
            if not data:
                return False
            checksum = zlib.crc32(data, checksum)
            left -= len(data)
        return bool(checksum == record["checksum"])

    def _notes(self) -> Iterator[Note]:
        with self._journal_path.open("rb") as file:
            next(file)
            for line in file:
                yield json.loads(line)["note"]


def _line_checksum(record: dict[str, Any]) -> int:
    """Return the checksum of a line of the journal, all but itself."""
    content = {name: value for name, value in record.items() if name != "line"}
    return zlib.crc32(json.dumps(content).encode())


def _file_number(path: Path) -> int | None:
    """Return the number that a file or folder keeps when it is renamed."""
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return None


def _parse(line: bytes) -> dict[str, Any] | None:
    """Read a line of the journal; None if it was cut off."""
    try:
        record = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _write_all(file: IO[bytes], data: bytes | bytearray | memoryview) -> None:
    """Write all of it: a raw file may take only a part at a time."""
    view = memoryview(data)
    while len(view):
        view = view[file.write(view) :]
