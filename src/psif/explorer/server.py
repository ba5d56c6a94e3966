"""A small web server for one person on this machine."""

from __future__ import annotations

import errno
import hmac
import ipaddress
import json
import secrets
import sys
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from psif.errors import InputError, PsifError
from psif.explorer.answers import Answers
from psif.explorer.assets import SCRIPTS, STYLE, TYPES, asset, served_page

_MOST_BODY = 2 << 20
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class ExplorerServer(ThreadingHTTPServer):
    """Serves the page and its answers to those who know the address with its token."""

    daemon_threads = True

    def __init__(self, answers: Answers, host: str = "127.0.0.1", port: int = 0) -> None:
        self.answers = answers
        # Made once, before anybody waits for it: the map takes its time.
        self.overview = json.dumps(answers.overview())
        self.token = secrets.token_urlsafe(16)
        try:
            super().__init__((host, port), _Handler)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise InputError(
                    f"port {port} of {host} is in use; --port 0 takes a free one"
                ) from error
            raise InputError(f"cannot serve on {host}, port {port}: {error}") from error

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print what went wrong; a browser that left before it had its answer is nothing wrong."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        """Address of the page."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}/{self.token}/"

    def knows_host(self, header: str | None) -> bool:
        """Whether a request was meant for this server.

        A foreign page can point its own name at this machine (DNS rebinding), but not an address.
        """
        try:
            name = urlsplit(f"//{header or ''}").hostname or ""
        except ValueError:
            return False
        if name == "localhost" or name == self.server_address[0]:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not is_loopback(str(self.server_address[0]))


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Handler(BaseHTTPRequestHandler):
    server: ExplorerServer
    server_version = "psif"
    sys_version = ""
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self) -> None:
        """Send the page or one of its files."""
        path = self._allowed_path()
        if path is None:
            return
        if path == "":
            self._send(HTTPStatus.OK, served_page(), "text/html")
        elif path in (*SCRIPTS, STYLE):
            self._send(HTTPStatus.OK, asset(path), TYPES[PurePosixPath(path).suffix])
        elif path == "api/overview":
            self._send(HTTPStatus.OK, self.server.overview, "application/json")
        else:
            self._fail(HTTPStatus.NOT_FOUND, "there is nothing here")

    def do_POST(self) -> None:
        """Answer a question."""
        path = self._allowed_path()
        if path is None:
            return
        answers = self.server.answers
        body = self._body()
        if body is None:
            return
        questions: dict[str, Callable[[], Any]] = {
            "api/document": lambda: answers.document(body.get("number")),  # type: ignore[arg-type]
            "api/search": lambda: answers.search(_text(body, "text")),
            "api/compare": lambda: answers.compare(_side(body, "a"), _side(body, "b")),
        }
        if path not in questions:
            self._fail(HTTPStatus.NOT_FOUND, "there is nothing here")
            return
        self._answer(questions[path])

    def _allowed_path(self) -> str | None:
        """Path after the token, when host and token are right."""
        if not self.server.knows_host(self.headers.get("Host")):
            self._fail(HTTPStatus.MISDIRECTED_REQUEST, "this server does not go by that name")
            return None
        token, _, rest = urlsplit(self.path).path.lstrip("/").partition("/")
        given, expected = token.encode("utf-8", "replace"), self.server.token.encode()
        if not hmac.compare_digest(given, expected):
            self._fail(HTTPStatus.NOT_FOUND, "open the whole address that psif explore printed")
            return None
        return rest

    def _body(self) -> dict[str, Any] | None:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > _MOST_BODY:
            self.close_connection = True
            self._fail(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the question is too long")
            return None
        try:
            body = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            body = None
        if isinstance(body, dict):
            return body
        self._fail(HTTPStatus.BAD_REQUEST, "the question is not a JSON object")
        return None

    def _answer(self, ask: Callable[[], Any]) -> None:
        try:
            content = json.dumps(ask())
        except PsifError as error:
            self._fail(HTTPStatus.BAD_REQUEST, str(error))
        except Exception as error:
            self._fail(HTTPStatus.INTERNAL_SERVER_ERROR, f"unexpected {type(error).__name__}")
        else:
            self._send(HTTPStatus.OK, content, "application/json")

    def _fail(self, status: HTTPStatus, reason: str) -> None:
        self._send(status, json.dumps({"error": reason}), "application/json")

    def _send(self, status: HTTPStatus, content: str, kind: str) -> None:
        data = content.encode("utf-8")
        self.send_response(status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: addresses hold the token."""


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str):
        raise InputError(f"{name} should be a text")
    return value


def _side(body: dict[str, Any], name: str) -> int | str:
    value = body.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InputError(f"{name} should be the number of a document, or a text")
    return value
