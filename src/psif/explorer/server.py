"""A small web server for one person on this machine."""

from __future__ import annotations

import contextlib
import errno
import json
import socket
import sys
import threading
from http.server import ThreadingHTTPServer
from typing import Any

from psif.errors import InputError
from psif.explorer.answers import Answers
from psif.explorer.handler import Handler
from psif.explorer.sessions import Sessions
from psif.runtime.loopback import is_meant_for

MOST_CONNECTIONS = 64
_BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
    b"Content-Length: 0\r\n\r\n"
)


class ExplorerServer(ThreadingHTTPServer):
    """Serve the page and its answers to those who know its address."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, answers: Answers, host: str = "127.0.0.1", port: int = 0) -> None:
        self.answers = answers
        # Made once, before a browser asks: the map takes time.
        self.overview = json.dumps(answers.overview())
        self.sessions = Sessions()
        self._free = threading.BoundedSemaphore(MOST_CONNECTIONS)
        if ":" in host:
            self.address_family = socket.AF_INET6
        try:
            super().__init__((host, port), Handler)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise InputError(
                    f"port {port} of {host} is in use; --port 0 takes a free one"
                ) from error
            raise InputError(f"cannot serve on {host}, port {port}: {error}") from error

    def process_request(self, request: Any, client_address: Any) -> None:
        """Start a thread for a connection, unless there are too many."""
        if self._free.acquire(blocking=False):
            try:
                super().process_request(request, client_address)
            except RuntimeError:  # the machine has no thread left
                self._free.release()
                self.shutdown_request(request)
            return
        with contextlib.suppress(OSError):
            request.setblocking(False)
            request.send(_BUSY)
        self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve one connection."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an error; a browser that closes before its answer is no error."""
        error = sys.exception()
        if not isinstance(error, OSError):
            self.report(error)

    def report(self, error: BaseException | None) -> None:
        """Print an unexpected error in one line."""
        print(f"psif explore: unexpected {error!r}", file=sys.stderr)

    @property
    def url(self) -> str:
        """Address of the page to show to the user; it works while the server runs."""
        return self._address(self.sessions.key)

    def one_time_url(self) -> str:
        """Return an address that opens the page once, within minutes; others may read it."""
        return self._address(self.sessions.one_time_key())

    def _address(self, key: str) -> str:
        host, port = (str(part) for part in self.server_address[:2])
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/open/{key}"

    def knows_host(self, header: str | None) -> bool:
        """Whether a request was meant for this server."""
        return is_meant_for(header, str(self.server_address[0]))
