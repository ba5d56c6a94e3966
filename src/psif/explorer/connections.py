"""Limits of a connection: how long a request may take to arrive, and how large it may be."""

from __future__ import annotations

import contextlib
import io
import socket
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

# Seconds for a request to arrive, for an answer to be sent, and for a connection as a whole.
REQUEST_SECONDS = 20.0
ANSWER_SECONDS = 60.0
CONNECTION_SECONDS = 300.0
_DRAIN_SECONDS = 1.0
_DRAIN_BYTES = 4 << 20


class TooLong(Exception):
    """A request has too many bytes."""


class TimedReader(io.RawIOBase):
    """Read what a client sends, up to a deadline and a number of bytes.

    The timeout of a socket starts again with every byte, so a client that sends one byte now and
    then would never be refused. This deadline holds for all bytes together.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._deadline = 0.0
        self._bytes = 0

    def allow(self, seconds: float, n_bytes: int) -> None:
        """Set how long and how much may be read from now on."""
        self._deadline = time.monotonic() + seconds
        self._bytes = n_bytes

    def readable(self) -> bool:
        """Return true."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read the bytes that have arrived."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("the request took too long")
        if self._bytes <= 0:
            raise TooLong
        self._connection.settimeout(left)
        view = memoryview(buffer)[: self._bytes]
        n_read = self._connection.recv_into(view)
        self._bytes -= n_read
        return n_read


class TimedWriter(io.BufferedIOBase):
    """Send bytes; each answer has one deadline."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def writable(self) -> bool:
        """Return true."""
        return True

    def write(self, data: ReadableBuffer) -> int:
        """Send all of the data."""
        self._connection.settimeout(ANSWER_SECONDS)
        # The timeout of sendall holds for the whole call.
        self._connection.sendall(data)
        return memoryview(data).nbytes


def drain(connection: socket.socket) -> None:
    """End a connection whose request was refused before it was read.

    Closing it with unread bytes would lose the answer: read some bytes, then close.
    """
    end, left = time.monotonic() + _DRAIN_SECONDS, _DRAIN_BYTES
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        while left > 0 and (seconds := end - time.monotonic()) > 0:
            connection.settimeout(seconds)
            n_read = len(connection.recv(1 << 16))
            if not n_read:
                break
            left -= n_read
