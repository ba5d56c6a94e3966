"""Download a file: whole or not at all, and on from where it broke off."""

from __future__ import annotations

import hashlib
import http.client
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from psif.errors import FormatError, PsifError

_BLOCK = 1 << 16
_SECONDS = 30
_PARTIAL_CONTENT = 206
_RANGE_NOT_SATISFIABLE = 416


class DownloadError(PsifError):
    """A file could not be had from its home."""


def download(
    url: str,
    path: Path,
    *,
    sha256: str | None = None,
    tell: Callable[[str], None] = lambda text: None,
) -> Path:
    """Fetch a file unless it is there; a part of it, left by a broken download, is gone on from.

    Parameters
    ----------
    url : str
    path : Path
        Where it appears, when all of it is there. Until then it is ``path`` + ``.part``.
    sha256 : str, optional
        What the whole must have; else it is deleted and an error raised.
    tell : callable
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(path.name + ".part")
        tell(f"{url} …")
        try:
            _fetch(url, part)
        except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
            reason = getattr(error, "reason", None) or error
            raise DownloadError(f"could not download {url} ({reason})") from error
        part.replace(path)
    if sha256 is not None and _sha256(path) != sha256:
        found = _sha256(path)
        path.unlink()
        raise FormatError(
            f"{url}: sha256 is {found}, expected {sha256}; it is damaged or was changed. Try again."
        )
    return path


def _fetch(url: str, part: Path) -> None:
    begin = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"User-Agent": "psif"})
    if begin:
        request.add_header("Range", f"bytes={begin}-")
    try:
        answer = urllib.request.urlopen(request, timeout=_SECONDS)
    except urllib.error.HTTPError as error:
        if error.code != _RANGE_NOT_SATISFIABLE:
            raise
        # Nothing beyond what we have, or another file than we had begun: begin anew.
        part.unlink()
        _fetch(url, part)
        return
    with answer:
        # A server that knows no ranges sends all of it.
        mode = "ab" if answer.status == _PARTIAL_CONTENT else "wb"
        expected = answer.headers.get("Content-Length")
        written = 0
        with part.open(mode) as file:
            while block := answer.read(_BLOCK):
                written += file.write(block)
    if expected is not None and written != int(expected):
        raise http.client.IncompleteRead(b"", int(expected) - written)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
