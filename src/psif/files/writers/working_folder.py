"""The folder ``OUT.part`` in which an output grows until it is complete.

It carries a marker, so that only a folder that psif made is ever emptied or removed.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from psif.errors import InputError
from psif.files.writers.lock import locked
from psif.runtime.atomic import atomic_path, refuse_special

_MARKER = "psif-run.json"
_LOCK = "lock"
BOOKKEEPING = (_MARKER, _LOCK)
_ATTEMPTS = 10
_CONTENT = {"format": "psif-embed-run"}


def part_folder(out: str | Path) -> Path:
    """Return the working folder of an output file."""
    return Path(f"{out}.part")


@contextlib.contextmanager
def open_part_folder(out: str | Path) -> Iterator[Path]:
    """Make the working folder, or take one that an interrupted run left; lock it meanwhile."""
    refuse_special(Path(out))
    folder = part_folder(out)
    check_part_folder(folder)
    busy = f"{out} is being written by another run"
    with contextlib.ExitStack() as stack:
        for _ in range(_ATTEMPTS):
            folder.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):  # a run that ends removes its folder
                stack.enter_context(locked(folder / _LOCK, busy))
                break
        else:
            raise InputError(busy)
        if not (folder / _MARKER).exists():
            with atomic_path(folder / _MARKER) as part:
                part.write_text(json.dumps(_CONTENT) + "\n", encoding="utf-8")
        yield folder


def check_part_folder(folder: Path) -> None:
    """Refuse a folder of this name that psif did not make."""
    if folder.is_symlink():
        raise InputError(f"{folder} is a symbolic link; remove it or give another output.")
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{folder} is a file; psif needs this name for its working folder.")
    if _is_ours(folder):
        return
    # A run that was killed at its very beginning leaves an empty folder, or one with a lock.
    names = [name for name in os.listdir(folder) if name != _LOCK and _MARKER not in name]
    if names:
        raise InputError(
            f"{folder} holds files that psif did not write ({', '.join(sorted(names)[:3])}); "
            "move them away or give another output."
        )


def empty_folder(folder: Path) -> None:
    """Remove everything but marker and lock; links are removed, not followed."""
    for path in folder.iterdir():
        if path.name not in BOOKKEEPING:
            _remove(path)


def remove_folder(folder: Path) -> None:
    """Remove the working folder; whatever a kill leaves of it, the next run takes over."""
    empty_folder(folder)
    with contextlib.suppress(OSError):  # Windows keeps open files; another run may have begun
        (folder / _MARKER).unlink(missing_ok=True)
        (folder / _LOCK).unlink(missing_ok=True)
        folder.rmdir()


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _is_ours(folder: Path) -> bool:
    try:
        content = json.loads((folder / _MARKER).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return bool(content == _CONTENT)
