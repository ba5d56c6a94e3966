"""The body of a request: read within limits of size, time and memory, and parsed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson
from starlette.requests import ClientDisconnect, Request

from psif.serve.failures import RequestError, busy
from psif.serve.limits import Limits

# What is read and thrown away after a refusal: a client that sends without listening would not
# see an answer that comes in the middle of its request.
_DISCARDED_BYTES, _DISCARDED_SECONDS = 64 << 20, 5.0


class Bodies:
    """Read bodies; all of them together are limited."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held = 0

    @contextmanager
    def _holding(self) -> Iterator[_Held]:
        held = _Held()
        try:
            yield held
        finally:
            self._held -= held.size

    async def json(self, request: Request) -> dict[str, Any]:
        """Return the object that the body holds."""
        with self._holding() as held:
            body = await self._read(request, held)
            return parse_object(body)

    async def _read(self, request: Request, held: _Held) -> bytes:
        size = request.headers.get("content-length", "0")
        if size.isdecimal() and int(size[:20]) > self._limits.body:
            await self._refuse(request)
        parts: list[bytes] = []
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                more = True
                while more:
                    message = await request.receive()
                    if message["type"] == "http.disconnect":
                        raise ClientDisconnect
                    part, more = message.get("body", b""), message.get("more_body", False)
                    parts.append(part)
                    held.size += len(part)
                    self._held += len(part)
                    if held.size > self._limits.body:
                        await self._refuse(request)
                    if self._held > self._limits.memory:
                        raise busy()
        except TimeoutError as error:
            reason = f"the body did not arrive within {self._limits.body_seconds:g} seconds."
            raise RequestError(408, reason, "request_timeout") from error
        return parts[0] if len(parts) == 1 else b"".join(parts)

    async def _refuse(self, request: Request) -> None:
        n_bytes = 0
        try:
            async with asyncio.timeout(_DISCARDED_SECONDS):
                more = True
                while more and n_bytes < _DISCARDED_BYTES:
                    message = await request.receive()
                    n_bytes += len(message.get("body", b""))
                    more = message.get("more_body", False)
        except TimeoutError:
            pass
        raise RequestError(
            413,
            f"the request is larger than {self._limits.body:,} bytes; send fewer or shorter texts.",
            "request_too_large",
        )


class _Held:
    """Bytes that one request holds."""

    size = 0


def parse_object(body: bytes) -> dict[str, Any]:
    """Parse a JSON object; what is wrong is told without the content."""
    try:
        content = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}" if body else "it is empty"
        raise RequestError(
            400, f"the body is not valid JSON in UTF-8 ({place}).", "invalid_json"
        ) from None
    if not isinstance(content, dict):
        raise RequestError(400, "the body must be a JSON object, as {...}.", "invalid_json")
    return content
