"""Connections with limits: time and size of a head, time to take an answer, their number.

Uvicorn limits none of these. Without limits, clients that send a byte now and then, or never read,
would hold memory and connections for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from psif.serve.limits import Limits

# An answer has to shrink by so much between two looks.
_PROGRESS = 16 << 10


def protocol_class(limits: Limits, is_stopping: Callable[[], bool]) -> type[asyncio.Protocol]:
    """Return the class of connections of one server."""

    class Connection(LimitedConnection):
        pass

    Connection.limits, Connection.is_stopping = limits, staticmethod(is_stopping)
    return Connection


class LimitedConnection(HttpToolsProtocol):
    """A connection of a client."""

    limits: Limits = Limits()
    is_stopping: Callable[[], bool] = staticmethod(lambda: False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._in_head = False
        self._head_bytes = 0
        self._head_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None

    @property
    def has_no_request(self) -> bool:
        """Whether nothing was asked yet."""
        return self.cycle is None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to wait for a request."""
        super().connection_made(cast(Any, transport))
        if len(self.connections) > self.limits.connections:
            self._refuse(503, "too many connections", "retry-after: 1\r\n")
            return
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timers."""
        self._cancel_timers()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what has arrived."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > self.limits.head:
                self._refuse(431, "the head of the request is too large")

    def on_message_begin(self) -> None:
        """Begin to read a head."""
        super().on_message_begin()
        self._in_head, self._head_bytes = True, 0
        if self._head_timer is None:
            self._wait_for_head()

    def on_headers_complete(self) -> None:
        """Begin to answer; a server that stops asks for no further request."""
        self._in_head = False
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
        super().on_headers_complete()
        if self.is_stopping() and self.cycle is not None:
            self.cycle.keep_alive = False

    def pause_writing(self) -> None:
        """Watch an answer that its client does not take."""
        super().pause_writing()
        if self._write_timer is None:
            self._watch_writing(self._unsent())

    def resume_writing(self) -> None:
        """Stop to watch."""
        super().resume_writing()
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _unsent(self) -> int:
        return int(self.transport.get_write_buffer_size())

    def _watch_writing(self, before: int) -> None:
        self._write_timer = self.loop.call_later(
            self.limits.write_seconds, self._check_writing, before
        )

    def _check_writing(self, before: int) -> None:
        now = self._unsent()
        if now > before - _PROGRESS:
            self.transport.abort()
        else:
            self._watch_writing(now)

    def _wait_for_head(self) -> None:
        self._head_timer = self.loop.call_later(self.limits.head_seconds, self._end_of_waiting)

    def _end_of_waiting(self) -> None:
        self._head_timer = None
        self._refuse(408, "no request arrived in time")

    def _refuse(self, status: int, reason: str, more: str = "") -> None:
        """Answer without the application, and end the connection."""
        self._cancel_timers()
        if self.transport.is_closing():
            return
        body = f'{{"error": {{"message": "{reason}", "type": "invalid_request_error", '
        body += f'"param": null, "code": "{status}"}}}}'
        self.transport.write(
            f"HTTP/1.1 {status} {reason}\r\ncontent-type: application/json\r\n{more}"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n{body}".encode()
        )
        self.transport.close()

    def _cancel_timers(self) -> None:
        for timer in (self._head_timer, self._write_timer):
            if timer is not None:
                timer.cancel()
        self._head_timer = self._write_timer = None
