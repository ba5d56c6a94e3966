"""The process: listen, answer, and stop without losing a request."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import signal
import socket
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any, cast

import uvicorn

from psif.errors import InputError, PsifWarning
from psif.runtime.loopback import is_loopback
from psif.serve.application import Application
from psif.serve.connections import LimitedConnection, protocol_class

_BACKLOG = 1_024
# While the server stops: how long it still accepts, and how long silent connections may wait.
_LAST_ACCEPT, _LAST_REQUEST = 0.2, 3.0


def check_exposure(host: str, key: str | None) -> None:
    """Refuse to listen for others without a key."""
    if key is not None and not key.strip():
        raise InputError("the API key is empty; give a long random text.")
    if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
        raise InputError("the API key may have printable ASCII characters only, and no spaces.")
    if not is_loopback(host) and key is None:
        raise InputError(
            f"others can reach {host}: set the environment variable PSIF_API_KEY (or --api-key) "
            "to a long random text, or listen on 127.0.0.1."
        )


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise InputError(
                f"port {port} of {host} is in use; --port 0 takes a free one"
            ) from error
        raise InputError(f"cannot listen on {host}, port {port}: {error}") from error


def serve(
    application: Application,
    listener: socket.socket,
    *,
    key: str | None = None,
    log: Callable[[str], None] | None = None,
    report: Callable[[str], None] | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Answer requests until SIGTERM or SIGINT.

    Parameters
    ----------
    application : Application
    listener : socket
        As :func:`listen` returns it.
    key, log, report
        See :class:`psif.serve.guard.Guard`.
    ready : callable, optional
        Called with the address when requests are answered.
    """
    # Warnings could show words of a request, and belong to nobody here.
    warnings.simplefilter("ignore", PsifWarning)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    host, port = listener.getsockname()[:2]
    limits = application.limits
    config = uvicorn.Config(
        cast(Any, application.asgi(key=key, host=host, log=log, report=report)),
        http=cast(Any, protocol_class(limits, lambda: application.stopping)),
        ws="none",
        loop="auto",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=int(limits.idle_seconds),
        timeout_graceful_shutdown=int(limits.stop_seconds),
        backlog=_BACKLOG,
    )
    server = _Server(config, application, ready, f"http://{_shown(host)}:{port}")
    # What is loaded now stays: without this the garbage collector walks through all words of all
    # models again and again, and requests wait for it.
    gc.collect()
    gc.freeze()
    try:
        server.run(sockets=[listener])
    finally:
        gc.unfreeze()


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


class _Server(uvicorn.Server):
    """Uvicorn, with a stop that loses no request."""

    def __init__(
        self,
        config: uvicorn.Config,
        application: Application,
        ready: Callable[[str], None] | None,
        address: str,
    ) -> None:
        super().__init__(config)
        self._application, self._ready, self._address = application, ready, address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        if self.started and self._ready is not None:
            self._ready(self._address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: answer all that was asked, and let clients know that they should ask elsewhere.

        From now on every answer ends its connection, so that clients reconnect. Connections that
        were made are accepted: closing a listening socket would reset those that wait in it. Then
        connections without a request get a moment to send one. Only silent ones are closed.
        """
        self._application.stopping = True
        for connection in self._connections():
            if connection.cycle is not None and not connection.cycle.response_started:
                connection.cycle.keep_alive = False
        await asyncio.sleep(_LAST_ACCEPT)
        for listener in sockets or []:
            await self._stop_listening(listener)
        for server in self.servers:
            server.close()
        deadline = time.monotonic() + _LAST_REQUEST
        while self._connections() and time.monotonic() < deadline and not self.force_exit:
            await asyncio.sleep(0.02)
        await super().shutdown([])

    async def _stop_listening(self, listener: socket.socket) -> None:
        """Accept what waits, then let nobody queue up."""
        loop = asyncio.get_running_loop()
        accepted = []
        with contextlib.suppress(OSError):
            listener.listen(0)
            listener.setblocking(False)
            while True:
                connection, _ = listener.accept()
                connection.setblocking(False)
                accepted.append(connection)
        # At once after the last accept: whoever comes now is refused, not forgotten.
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        for connection in accepted:
            await loop.connect_accepted_socket(self._make_connection, connection)

    def _make_connection(self) -> asyncio.Protocol:
        kind = cast(Any, self.config.http_protocol_class)
        return cast(
            asyncio.Protocol,
            kind(
                config=self.config,
                server_state=self.server_state,
                app_state=self.lifespan.state,
            ),
        )

    def _connections(self) -> list[LimitedConnection]:
        return [cast(LimitedConnection, one) for one in self.server_state.connections]

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on SIGINT and SIGTERM. That is what was asked for: the process ends with code 0."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        signals = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in signals}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
