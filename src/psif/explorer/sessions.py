"""Who may read the page: keys in addresses are exchanged for cookies.

The address that opens a browser is in the browser's command line, where every user of the machine
can read it. So it holds a key that works once and for a short time; the page itself needs a cookie.
Cookies ignore ports. This one belongs to a path that cannot be guessed, so that it is not sent to
other servers on the machine.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Iterable

COOKIE = "psif"
_ONCE_SECONDS = 120
_MOST_SESSIONS = 64


class Sessions:
    """Keys that open the page, and the cookies of browsers that have opened it."""

    def __init__(self) -> None:
        self.path = secrets.token_urlsafe(16)
        # The key of the address that the user is shown; it works as long as the server runs.
        self.key = secrets.token_urlsafe(16)
        self._once: dict[str, float] = {}
        # Maps a cookie to the key that it was given for.
        self._cookies: dict[str, str] = {}
        self._lock = threading.Lock()

    def one_time_key(self) -> str:
        """Return a new key that works once, within two minutes."""
        key = secrets.token_urlsafe(16)
        with self._lock:
            self._once[key] = time.monotonic() + _ONCE_SECONDS
        return key

    def open(self, key: str) -> str | None:
        """Exchange a key for a cookie; None if the key is wrong, used or too old.

        A one-time key that is used twice may have been read by somebody else, so its first cookie
        becomes invalid.
        """
        with self._lock:
            if not _same(key, self.key):
                known = next((once for once in self._once if _same(key, once)), None)
                if known is None or time.monotonic() > self._once[known]:
                    self._cookies = {c: k for c, k in self._cookies.items() if not _same(key, k)}
                    return None
                del self._once[known]
            cookie = secrets.token_urlsafe(24)
            self._cookies[cookie] = key
            while len(self._cookies) > _MOST_SESSIONS:
                del self._cookies[next(iter(self._cookies))]
            return cookie

    def knows(self, headers: Iterable[str]) -> bool:
        """Return whether a ``Cookie`` header of a request holds a cookie of this server."""
        pairs = (pair.strip().partition("=") for line in headers for pair in line.split(";"))
        given = [value for name, _, value in pairs if name == COOKIE][:8]
        with self._lock:
            return any(_same(value, cookie) for value in given for cookie in self._cookies)


def _same(given: str, expected: str) -> bool:
    """Compare in a time that does not depend on how much of the text is right."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode("ascii"))
