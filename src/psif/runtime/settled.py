"""Read a folder that another process may replace meanwhile.

Folders are replaced in one step (:func:`psif.runtime.atomic.atomic_folder`), but reading one takes
several: a reader that finds another folder at the end than at the beginning has read a mixture.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from psif.errors import FormatError

T = TypeVar("T")

_ATTEMPTS = 20


def read_settled(folder: Path, read: Callable[[], T]) -> T:
    """Read a folder; read it again if another process replaced it in the meantime."""
    for _ in range(_ATTEMPTS):
        state = _state(folder)
        try:
            found = read()
        except (FormatError, FileNotFoundError) as error:
            if _state(folder) != state:
                continue
            if isinstance(error, FormatError):
                raise
            raise FormatError(f"{error.filename} is missing; {folder} is incomplete.") from error
        if _state(folder) == state:
            return found
    raise FormatError(f"{folder} is being replaced again and again; try again later.")


def _state(folder: Path) -> tuple[int, int] | None:
    """Tell one folder of this name from the next."""
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
