"""The manifest of an index: the one file that says which others belong to it.

Files are written under new names and brought to disk; then the manifest is replaced in one step. So
an index is always in the state of its last complete manifest, whatever happens to a writer.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from psif.errors import FormatError, InputError
from psif.runtime.atomic import atomic_path

FORMAT, FORMAT_VERSION = "psif-index", 1
MANIFEST, LOCK = "manifest.json", "write.lock"
_LARGEST = 64 * 2**20
# Names that new_name gives; with a dot before and more behind, what is not complete yet.
_NAME = re.compile(
    r"(segment|deleted|space)-[0-9a-f]{12}\.safetensors|model-[0-9a-f]{12}"
    r"|\.(segment|deleted|space|model)-[0-9a-f]{12}\..*"
)
_PART = re.compile(re.escape(f".{MANIFEST}.") + ".*")
_WAIT = 10.0  # seconds


def new_name(kind: str) -> str:
    """Return a file name that was never used: "segment", "deleted", "space" or "model"."""
    return f"{kind}-{secrets.token_hex(6)}"


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read and check the manifest of an index."""
    path = folder / MANIFEST
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise InputError(f"{folder} {what}; expected an index, as `psif index` writes it.")
    if not path.is_file():
        raise FormatError(f"{folder} has no {MANIFEST}: it is not a psif index, or is incomplete.")
    if path.stat().st_size > _LARGEST:
        raise FormatError(f"{path} is larger than {_LARGEST} bytes: not one of ours.")
    try:
        manifest = json.loads(path.read_bytes().decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is not valid JSON ({error}); the index is damaged.") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise FormatError(f"{path} does not describe a psif index (no 'format': '{FORMAT}').")
    version = manifest.get("format_version")
    if not isinstance(version, int) or version < 1:
        raise FormatError(f"{path}: format_version is {version!r}, expected a whole number.")
    if version > FORMAT_VERSION:
        raise FormatError(
            f"{folder} was written by a newer psif (index format {version}, this one reads up to "
            f"{FORMAT_VERSION}). Upgrade: pip install --upgrade psif."
        )
    if manifest.pop("check", None) != _check(manifest):
        raise FormatError(f"{path} does not match its checksum: damaged or changed.")
    return manifest


def write_manifest(folder: Path, content: Mapping[str, Any]) -> None:
    """Replace the manifest: from now on the index has this content."""
    manifest = {"format": FORMAT, "format_version": FORMAT_VERSION, **content}
    manifest["check"] = _check(manifest)
    with atomic_path(folder / MANIFEST) as part:
        part.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def _check(manifest: Mapping[str, Any]) -> int:
    return zlib.crc32(json.dumps(manifest, sort_keys=True).encode())


def generation_of(folder: Path) -> int:
    """Count of the changes of the index in a folder; 0 where there is none."""
    return int(read_manifest(folder)["generation"]) if (folder / MANIFEST).exists() else 0


def check_replaceable(folder: Path) -> None:
    """Refuse to write over anything but an index, told by its content and not by names alone."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{folder} is a file; an index is a folder. Give another name.")
    present = {path.name for path in folder.iterdir()}
    other = sorted(name for name in present if not _is_ours(name))
    # A writer that was killed before its first manifest leaves its lock, and no manifest.
    begun = MANIFEST not in present and LOCK in present
    if other or (present and not begun and not _says_index(folder)):
        raise InputError(
            f"{folder} holds other things than a psif index "
            f"({', '.join((other or sorted(present))[:3])}). "
            "Give another folder, or move them away."
        )


def remove_unused(folder: Path, used: set[str]) -> None:
    """Remove files of earlier states, and what killed writers left."""
    for path in folder.iterdir():
        if _NAME.fullmatch(path.name) and path.name not in used:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _is_ours(name: str) -> bool:
    return name in (MANIFEST, LOCK) or bool(_NAME.fullmatch(name) or _PART.fullmatch(name))


def _says_index(folder: Path) -> bool:
    """Whether the manifest says that this is an index; it may be damaged, or of a newer psif."""
    try:
        start = (folder / MANIFEST).read_bytes()[:_LARGEST]
        manifest = json.loads(start)
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(manifest, dict) and manifest.get("format") == FORMAT


@contextmanager
def write_lock(folder: Path, wait: float = _WAIT) -> Iterator[None]:
    """Keep other writers out; wait for one that is at work.

    The system releases the lock however the process ends.
    """
    with (folder / LOCK).open("a") as file:
        try:
            import fcntl
        except ImportError:  # Windows: the check of the generation remains
            yield
            return
        until = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if time.monotonic() >= until:
                    raise InputError(
                        f"another process is writing to {folder}; waited {wait:g} seconds for it. "
                        "Try again when it has finished."
                    ) from error
                time.sleep(0.05)
        if not _same_file(file.fileno(), folder / LOCK):
            raise InputError(
                f"another process began {folder} and removed it when it failed. Try again."
            )
        yield


def _same_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
