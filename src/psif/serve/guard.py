"""The door of the server: who may ask, what is counted, and how errors look."""

from __future__ import annotations

import hmac
import time
import traceback
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from psif.runtime.loopback import is_meant_for
from psif.serve.failures import RequestError
from psif.serve.metrics import Metrics

# Those who watch a server need no key to see that it lives.
_OPEN = "/health"


class Guard:
    """Check the key and the host of every request, count it, and turn errors into answers.

    Parameters
    ----------
    app : ASGI application
    paths : set of str
        The paths that exist; others are counted as one.
    metrics : Metrics
    key : str or None
        With a key, every request but ``/health`` needs it. Without one, only requests that name
        this machine are answered, none that a page of another site has sent.
    host : str
        Address that the server listens on.
    log : callable, optional
        Called with one line per request; no line holds a text or a query.
    report : callable, optional
        Called with one line per unexpected error.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        paths: set[str],
        metrics: Metrics,
        key: str | None,
        host: str,
        log: Callable[[str], None] | None = None,
        report: Callable[[str], None] | None = None,
    ) -> None:
        self._app, self._paths, self._metrics = app, paths, metrics
        self._key = None if key is None else key.encode("utf-8", "surrogateescape")
        self._host, self._log, self._report = host, log, report

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 499  # the client is gone before the answer

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self._metrics.in_progress.inc()
        try:
            await self._answer(scope, receive, sending)
        finally:
            self._metrics.in_progress.dec()
            seconds = time.perf_counter() - began
            path = scope["path"] if scope["path"] in self._paths else "other"
            self._metrics.answered(path, status, seconds)
            if self._log is not None:
                self._log(f"{scope['method']} {path} {status} {1000 * seconds:.1f} ms")

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        # With an application in the scope, the router raises errors instead of answering them.
        scope["app"] = self
        try:
            self._admit(scope)
            await self._app(scope, receive, send)
        except RequestError as error:
            await error.response()(scope, receive, send)
        except HTTPException as error:
            await self._unknown(error)(scope, receive, send)
        except ClientDisconnect:
            return
        except Exception as error:
            self._tell(error)
            failed = RequestError(500, "unexpected error of the server.", "server_error")
            await failed.response()(scope, receive, send)

    def _unknown(self, error: HTTPException) -> Response:
        """Unknown paths and methods, in the form of all other errors."""
        code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "invalid")
        message = f"{error.detail}. Paths: {', '.join(sorted(self._paths))}."
        response = RequestError(error.status_code, message, code).response()
        response.headers.update(error.headers or {})
        return response

    def _admit(self, scope: Scope) -> None:
        if scope["path"] == _OPEN:
            return
        headers = Headers(scope=scope)
        if self._key is not None:
            given = headers.get("authorization", "")
            kind, _, key = given.partition(" ")
            known = hmac.compare_digest(key.strip().encode("latin-1"), self._key)
            if kind.lower() != "bearer" or not known:
                message = "wrong or missing key; send the header Authorization: Bearer KEY."
                raise RequestError(401, message, "invalid_api_key")
            return
        if not is_meant_for(headers.get("host"), self._host):
            raise RequestError(421, "this server answers for another host.", "wrong_host")
        origin = headers.get("origin")
        if origin is not None and not self._is_own(origin, headers.get("host")):
            message = "pages of other sites may not ask without a key; start with --api-key."
            raise RequestError(403, message, "wrong_origin")

    def _is_own(self, origin: str, host: str | None) -> bool:
        try:
            return bool(host) and urlsplit(origin).netloc == host
        except ValueError:
            return False

    def _tell(self, error: Exception) -> None:
        """Say what failed and where in the code, but not the message: it may hold a text."""
        if self._report is not None:
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{place.filename}:{place.lineno}"
            self._report(f"unexpected {type(error).__name__} at {where}")
