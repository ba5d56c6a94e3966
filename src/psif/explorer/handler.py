"""One connection of a browser: requests in, answers out, nothing trusted."""

from __future__ import annotations

import io
import json
import re
import socket
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from psif.errors import InputError, PsifError
from psif.explorer import connections
from psif.explorer.assets import SCRIPTS, STYLE, TYPES, asset, served_page
from psif.explorer.connections import TimedReader, TimedWriter, TooLong, drain
from psif.explorer.sessions import COOKIE

if TYPE_CHECKING:
    from psif.explorer.server import ExplorerServer

_MOST_HEAD = 64 << 10
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
# A page with a link, not a redirect: browsers send strict cookies only with requests from a page
# of the same site.
_OPENED = (
    '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=/{path}/">'
    '<title>psif explorer</title><a href="/{path}/">Open the explorer</a>'
)
_LOST = "open the whole address that psif explore printed"


class Refused(Exception):
    """A request that is refused with a reason; its connection ends."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class Handler(BaseHTTPRequestHandler):
    """Answer the requests of one connection."""

    server: ExplorerServer
    server_version = "psif"
    sys_version = ""
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        """Set the deadlines of the connection."""
        self.connection = self.request
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        self.ends = time.monotonic() + connections.CONNECTION_SECONDS
        self.reader = TimedReader(self.connection)
        self.rfile = io.BufferedReader(self.reader)
        self.wfile = TimedWriter(self.connection)

    def handle_one_request(self) -> None:
        """Read a request and answer it."""
        self.request_version, self.requestline, self.command = "HTTP/1.1", "", ""
        try:
            if self._read_head():
                self._route()
        except Refused as refused:
            self._refuse(refused.status, refused.reason)
        except TooLong:
            status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            self._refuse(status, "the head of the request is too long")
        except TimeoutError:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "the request took too long to arrive")

    def _read_head(self) -> bool:
        """Read the request line and the headers; return False if there is no request."""
        self.reader.allow(connections.REQUEST_SECONDS, _MOST_HEAD)
        self.raw_requestline = self.rfile.readline(_MOST_HEAD)
        if not self.raw_requestline:
            self.close_connection = True
            return False
        try:
            parsed = self.parse_request()
        except (Refused, TooLong, OSError):
            raise
        except Exception as error:
            # The parser of the standard library raises this for bytes that no browser sends.
            raise Refused(HTTPStatus.BAD_REQUEST, "the request is not valid HTTP") from error
        if parsed and self.request_version == "HTTP/0.9":
            raise Refused(HTTPStatus.BAD_REQUEST, "the request is not valid HTTP")
        if time.monotonic() > self.ends:
            self.close_connection = True
        return parsed

    def _route(self) -> None:
        if not self.server.knows_host(self.headers.get("Host")):
            raise Refused(HTTPStatus.MISDIRECTED_REQUEST, "this server has another name")
        ways = {"GET": self._get, "POST": self._post}
        if self.command not in ways:
            raise Refused(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and POST are answered")
        top, _, rest = self.path.partition("?")[0].lstrip("/").partition("/")
        ways[self.command](top, rest)

    def _get(self, top: str, rest: str) -> None:
        if self.headers.get("Transfer-Encoding") or self.headers.get("Content-Length", "0") != "0":
            raise Refused(HTTPStatus.BAD_REQUEST, "a GET request has no body")
        if top == "open":
            self._open(rest)
            return
        self._check_session(top)
        if rest == "":
            self._send(HTTPStatus.OK, served_page(), "text/html")
        elif rest in (*SCRIPTS, STYLE):
            self._send(HTTPStatus.OK, asset(rest), TYPES[PurePosixPath(rest).suffix])
        elif rest == "api/overview":
            self._send(HTTPStatus.OK, self.server.overview, "application/json")
        else:
            self._fail(HTTPStatus.NOT_FOUND, "there is no such page")

    def _open(self, key: str) -> None:
        sessions = self.server.sessions
        cookie = sessions.open(key)
        if cookie is None:
            raise Refused(HTTPStatus.NOT_FOUND, f"this address was used or is wrong; {_LOST}")
        attributes = f"Path=/{sessions.path}/; HttpOnly; SameSite=Strict"
        self._send(
            HTTPStatus.OK,
            _OPENED.format(path=sessions.path),
            "text/html",
            {"Set-Cookie": f"{COOKIE}={cookie}; {attributes}"},
        )

    def _post(self, top: str, rest: str) -> None:
        self._check_session(top)
        answers = self.server.answers
        questions: dict[str, Callable[[dict[str, Any]], Any]] = {
            "api/document": lambda body: answers.document(body.get("number")),  # type: ignore[arg-type]
            "api/lines": lambda body: answers.lines_of(body.get("numbers")),
            "api/texts": lambda body: answers.texts(body.get("numbers")),
            "api/search": lambda body: answers.search(_text(body, "text")),
            "api/contrast": lambda body: answers.contrast(body.get("first"), body.get("second")),
            "api/compare": lambda body: answers.compare(_side(body, "a"), _side(body, "b")),
        }
        if rest not in questions:
            raise Refused(HTTPStatus.NOT_FOUND, "there is no such question")
        body = self._body()
        try:
            content = json.dumps(questions[rest](body))
        except PsifError as error:
            self._fail(HTTPStatus.BAD_REQUEST, str(error))
        except Exception as error:
            self.server.report(error)
            self._fail(HTTPStatus.INTERNAL_SERVER_ERROR, f"unexpected {type(error).__name__}")
        else:
            self._send(HTTPStatus.OK, content, "application/json")

    def _check_session(self, top: str) -> None:
        sessions = self.server.sessions
        if top != sessions.path or not sessions.knows(self.headers.get_all("Cookie", [])):
            raise Refused(HTTPStatus.NOT_FOUND, _LOST)
        origin = self.headers.get("Origin")
        if origin is not None and origin != f"http://{self.headers.get('Host')}":
            raise Refused(HTTPStatus.FORBIDDEN, "another site's page may not ask")

    def _body(self) -> dict[str, Any]:
        lengths = self.headers.get_all("Content-Length", [])
        if self.headers.get("Transfer-Encoding") or len(lengths) != 1:
            raise Refused(HTTPStatus.LENGTH_REQUIRED, "a question needs one Content-Length")
        if not re.fullmatch("[0-9]{1,12}", lengths[0]):
            raise Refused(HTTPStatus.BAD_REQUEST, "the Content-Length is not a number")
        length = int(lengths[0])
        if length > _MOST_BODY:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the question is too long")
        self.reader.allow(connections.REQUEST_SECONDS, length)
        content = self.rfile.read(length)
        try:
            body = json.loads(content) if len(content) == length else None
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            raise Refused(HTTPStatus.BAD_REQUEST, "the question is not a JSON object")
        return body

    def _refuse(self, status: HTTPStatus, reason: str) -> None:
        """Send a reason and end the connection; the rest of the request is not read."""
        self.close_connection = True
        self.request_version = "HTTP/1.1"
        self._fail(status, reason)
        drain(self.connection)

    def _fail(self, status: HTTPStatus, reason: str) -> None:
        self._send(status, json.dumps({"error": reason}), "application/json")

    def _send(
        self, status: HTTPStatus, content: str, kind: str, more: dict[str, str] | None = None
    ) -> None:
        data = content.encode("utf-8", "backslashreplace")
        self.send_response(status)
        for name, value in {**_HEADERS, **(more or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what the parser of the standard library refuses, with our message."""
        raise Refused(HTTPStatus(code), "the request is not valid HTTP")

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing, because addresses contain keys."""


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
