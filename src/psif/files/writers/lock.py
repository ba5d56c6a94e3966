"""One run at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from psif.errors import InputError


@contextmanager
def locked(path: Path, message: str) -> Iterator[None]:
    """Hold a lock file; the system releases it however the process ends.

    Raises
    ------
    InputError
        Another process holds it.
    FileNotFoundError
        The file was removed by the process that held it.
    """
    with path.open("a") as file:
        try:
            import fcntl
        except ImportError:  # Windows: no protection, no harm.
            yield
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(message) from error
        if os.fstat(file.fileno()).st_ino != path.stat().st_ino:
            raise FileNotFoundError(path)
        yield
