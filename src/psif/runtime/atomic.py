"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_path(target: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside ``target``; rename it into place only on success.

    Whatever stood at ``target`` stays untouched until the new content is complete and on disk.
    """
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.chmod(0o666 & ~_umask())
        _flush(part)
        part.replace(target)
        _flush(target.parent)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def atomic_folder(target: str | Path) -> Iterator[Path]:
    """Yield a temporary folder beside ``target``; swap it into place only on success.

    An existing folder is moved aside first and removed last. The swap is two renames, so a crash
    between them leaves the old folder, complete, under a ``.old`` name beside the target.
    """
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    try:
        yield part
        part.chmod(0o777 & ~_umask())
        for path in part.iterdir():
            _flush(path)
        _flush(part)
        _swap_folder(part, target)
        _flush(target.parent)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _swap_folder(part: Path, target: Path) -> None:
    if not target.exists():
        part.rename(target)
        return
    old = part.with_suffix(".old")
    target.rename(old)
    try:
        part.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _flush(path: Path) -> None:
    """Force a file or folder to disk, where the platform lets us open it."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:  # Windows cannot open folders.
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
