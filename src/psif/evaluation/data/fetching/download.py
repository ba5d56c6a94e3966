"""Download a file: over https only, whole or not at all, no larger than a limit."""

from __future__ import annotations

import hashlib
import http.client
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from psif.errors import FormatError, InputError, PsifError
from psif.runtime.atomic import atomic_path

# Schemes that are followed. Tests serve files over http from this machine.
SCHEMES = {"https"}
# Larger than any archive that we know a set in.
MOST_BYTES = 1 << 30
_BLOCK = 1 << 16
_SECONDS = 30


class DownloadError(PsifError):
    """A file could not be downloaded."""


def download(
    url: str,
    path: Path,
    *,
    sha256: str | None = None,
    tell: Callable[[str], None] = lambda text: None,
) -> Path:
    """Download a file.

    A download that breaks off leaves nothing behind and starts from the beginning next time, so
    that a file is never put together from two versions.

    Parameters
    ----------
    url : str
        An https address; one that leads elsewhere by plain http is refused.
    path : Path
        Where the file appears when it is complete and checked.
    sha256 : str, optional
        The digest that it must have.
    tell : callable
    """
    _check_scheme(url)
    tell(f"{url} …")
    with atomic_path(path) as part:
        try:
            found = _receive(url, part)
        except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
            reason = getattr(error, "reason", None) or error or type(error).__name__
            raise DownloadError(f"could not download {url} ({reason})") from error
        if sha256 not in (None, found):
            raise FormatError(
                f"{url}: the sha256 of the file is {found}, expected {sha256}. It is damaged or "
                "was changed at its source; try again later."
            )
    return path


def _receive(url: str, part: Path) -> str:
    """Write what an address serves; return its sha256."""
    digest = hashlib.sha256()
    request = urllib.request.Request(url, headers={"User-Agent": "psif"})
    opener = urllib.request.build_opener(_OnlyHttps)
    with opener.open(request, timeout=_SECONDS) as answer, part.open("wb") as file:
        announced = answer.headers.get("Content-Length")
        received = 0
        while block := answer.read(_BLOCK):
            received += file.write(block)
            digest.update(block)
            if received > MOST_BYTES:
                raise FormatError(
                    f"{url} serves more than {MOST_BYTES >> 20} MB, which no evaluation set has."
                )
    if announced is not None and announced.isdigit() and received != int(announced):
        raise http.client.IncompleteRead(b"", int(announced) - received)
    return digest.hexdigest()


class _OnlyHttps(urllib.request.HTTPRedirectHandler):
    """Follows no redirect away from https."""

    def redirect_request(
        self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: str
    ) -> Any:
        """Check where a redirect leads before it is followed."""
        _check_scheme(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _check_scheme(url: str) -> None:
    if urlsplit(url).scheme not in SCHEMES:
        raise InputError(f"{url}: only https addresses are fetched.")
