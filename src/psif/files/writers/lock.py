"""One run at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from psif.errors import InputError


@contextmanager
def locked(path: Path, message: str) -> Iterator[None]:
    """Hold a lock file; the system lets go of it however the process ends."""
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
        yield
