"""Stores of files that appear whole or not at all.

Everything is written to the folder ``OUT.part``. When the store is complete, what has to be renamed
is listed in a file there; from then on the export counts as finished, and the next one completes
whatever renames a kill prevented.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from psif.errors import FormatError, InputError
from psif.files.writers.working_folder import (
    BOOKKEEPING,
    empty_folder,
    open_part_folder,
    part_folder,
    remove_folder,
)
from psif.runtime.atomic import atomic_path, flush, replace_folder

_JOB, _COMMIT = "job.json", "appear.json"


class Appearing:
    """The working folder of a store.

    Parameters
    ----------
    out : Path
        The store.
    key : dict
        What is exported. A folder that an interrupted export of something else left is refused.
    keep : bool
        Whether to go on with what an interrupted export left; otherwise it is removed.
    """

    def __init__(self, out: Path, key: dict[str, Any], *, keep: bool) -> None:
        self.out = out
        if not out.absolute().parent.is_dir():
            raise FileNotFoundError(f"there is no folder {out.absolute().parent}")
        self._stack = ExitStack()
        self.folder = self._stack.enter_context(open_part_folder(out))
        try:
            if not keep:
                empty_folder(self.folder)
            self._check(key)
        except BaseException:
            self._stack.close()
            raise

    def _check(self, key: dict[str, Any]) -> None:
        path = self.folder / _JOB
        if not path.exists():
            empty_folder(self.folder)
            with atomic_path(path) as part:
                part.write_text(json.dumps(key) + "\n", encoding="utf-8")
        elif json.loads(path.read_bytes()) != key:
            raise InputError(
                f"{self.folder} holds an interrupted export of other vectors; --replace starts over"
            )

    def appear(self, names: Sequence[tuple[str, Path]]) -> None:
        """Rename complete files or folders into place.

        Of several, the first counts; a reader that comes in between finds it alone, never beside
        an earlier companion.
        """
        for name, _ in names:
            path = self.folder / name
            for inside in [*path.iterdir(), path] if path.is_dir() else [path]:
                flush(inside)
        content = [[name, target.name, _number(self.folder / name)] for name, target in names]
        with atomic_path(self.folder / _COMMIT) as part:
            part.write_text(json.dumps(content) + "\n", encoding="utf-8")
        _complete(self.out, self.folder)

    def close(self, *, keep: bool) -> None:
        """Let go; remove what is not worth keeping."""
        if not keep and self.folder.exists():
            remove_folder(self.folder)
        self._stack.close()


def complete_earlier(out: Path) -> None:
    """Put in place what a killed export had completed, and remove what it left."""
    folder = part_folder(out)
    if (folder / _COMMIT).is_file():
        with open_part_folder(out):
            if (folder / _COMMIT).is_file():
                _complete(out, folder)
    elif out.exists() and folder.is_dir() and not folder.is_symlink() and _is_spent(folder):
        with open_part_folder(out):
            remove_folder(folder)


def _complete(out: Path, folder: Path) -> None:
    try:
        content = json.loads((folder / _COMMIT).read_bytes())
        names = [(folder / name, out.with_name(target), number) for name, target, number in content]
    except (TypeError, ValueError) as error:
        raise FormatError(f"{folder / _COMMIT} is damaged; remove {folder}.") from error
    # Two folders are exchanged in one step: afterwards the old one is here, with another number.
    waiting = [(path, target) for path, target, number in names if _number(path) == number]
    if waiting and waiting[0][0] == names[0][0]:
        for _, target in waiting[1:]:
            target.unlink(missing_ok=True)
    for path, target in waiting:
        if path.is_dir():
            replace_folder(path, target)
        else:
            path.replace(target)
    flush(out.absolute().parent)
    remove_folder(folder)


def _is_spent(folder: Path) -> bool:
    """Whether a working folder of ours has nothing in it that could be continued."""
    return {path.name for path in folder.iterdir()} <= {_JOB, *BOOKKEEPING}


def _number(path: Path) -> int | None:
    """Return the number that a file or folder keeps when it is renamed."""
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return None
