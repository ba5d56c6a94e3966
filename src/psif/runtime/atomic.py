"""Files and folders that appear whole or not at all.

New content is written beside its target under a temporary name and renamed into place when it is
complete and on disk. Temporary names contain the host and the process, so that a later write to
the same target can remove what a killed process left behind, and nothing else.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import secrets
import shutil
import socket
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from psif.errors import InputError

_RENAME_EXCHANGE = 2  # of renameat2, linux/fs.h
_RENAME_SWAP = 2  # of renamex_np, macOS
_AT_FDCWD = -100


@contextmanager
def atomic_path(target: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside ``target``; rename it into place only on success.

    An existing ``target`` stays untouched until the new content is complete and on disk.
    """
    target = Path(target)
    refuse_special(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(target)
    part = _temporary(target)
    # Opened with the mode of any new file, so that the user's umask decides who may read it.
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        yield part
        flush(part)
        part.replace(target)
        flush(target.parent)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def atomic_folder(target: str | Path) -> Iterator[Path]:
    """Yield a temporary folder beside ``target``; swap it into place only on success.

    Linux and macOS exchange two folders in one step, so a reader always finds a complete one.
    On other systems the old folder is renamed first: a crash between the two renames leaves it,
    complete, under a name that ends in ``.old``, and the next write puts it back.
    """
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(target)
    part = _temporary(target)
    part.mkdir()
    try:
        yield part
        _same_modes(part)
        for path in part.iterdir():
            flush(path)
        flush(part)
        replace_folder(part, target)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def refuse_special(target: Path) -> None:
    """Refuse a device, a pipe or a socket: a file renamed there would replace it for everybody."""
    if target.exists() and not target.is_file() and not target.is_dir():
        raise InputError(f"{target} is a device, a pipe or a socket; give the name of a file.")


def replace_folder(part: Path, target: Path) -> None:
    """Replace ``target`` by a complete folder and remove the old one."""
    if target.is_symlink():
        raise NotADirectoryError(
            errno.ENOTDIR, "is a symbolic link; refusing to replace it", str(target)
        )
    if _appears(part, target):
        pass
    elif _exchange(part, target):
        shutil.rmtree(part, ignore_errors=True)
    else:
        old = part.with_suffix(".old")
        target.rename(old)
        try:
            part.rename(target)
        except OSError:
            old.rename(target)
            raise
        shutil.rmtree(old, ignore_errors=True)
    flush(target.parent)


def _appears(part: Path, target: Path) -> bool:
    """Rename to a target that does not exist; False if it does, even if it just appeared."""
    if target.exists():
        return False
    try:
        part.rename(target)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            return False
        raise
    return True


def remove_leftovers(target: Path) -> None:
    """Remove the temporary files that killed processes of this machine left beside ``target``.

    A folder that was moved aside and not replaced is put back.
    """
    prefix = _prefix(target)
    with contextlib.suppress(OSError):
        for path in target.parent.iterdir():
            if not path.name.startswith(prefix) or path.suffix not in (".part", ".old"):
                continue
            process = path.name[len(prefix) :].partition("-")[0]
            if not process.isdigit() or _runs(int(process)):
                continue
            if path.suffix == ".old" and not target.exists():
                path.rename(target)
            elif path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def flush(path: Path) -> None:
    """Force a file or folder to disk, where the platform lets us open it."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:  # Windows cannot open folders.
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):
            raise  # a full disk shows up here
    finally:
        os.close(handle)


def _temporary(target: Path) -> Path:
    return target.with_name(f"{_prefix(target)}{os.getpid()}-{secrets.token_hex(4)}.part")


def _prefix(target: Path) -> str:
    """Return the start of the temporary names of a target; process and random number follow."""
    name = target.name
    if len(os.fsencode(name)) > 150:  # file systems allow 255 bytes
        name = f"{zlib.crc32(os.fsencode(name)):08x}"
    host = zlib.crc32(socket.gethostname().encode())
    return f".{name}.{host:08x}-"


def _runs(process: int) -> bool:
    """Whether a process of this machine is alive; on Windows always yes, to be safe."""
    if process == os.getpid() or os.name == "nt":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _same_modes(folder: Path) -> None:
    """Give all files of a new folder the mode that the user's umask gives to new files.

    Some libraries write files that only the owner can read.
    """
    probe = folder / ".mode"
    os.close(os.open(probe, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    mode = probe.stat().st_mode & 0o777
    probe.unlink()
    for path in folder.iterdir():
        if path.is_file() and not path.is_symlink():
            path.chmod(mode)


def _exchange(first: Path, second: Path) -> bool:
    """Exchange two paths in one step; False where the system cannot."""
    a, b = os.fsencode(first), os.fsencode(second)
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            done = libc.renamex_np(a, b, _RENAME_SWAP)
        else:
            done = libc.renameat2(_AT_FDCWD, a, _AT_FDCWD, b, _RENAME_EXCHANGE)
    except (AttributeError, OSError, TypeError):
        return False
    return bool(done == 0)
