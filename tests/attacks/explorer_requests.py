"""Hostile requests to the explorer's server, and what must not come of them."""

from __future__ import annotations

import contextlib
import io
import json
import re
import socket
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from psif.explorer import connections
from psif.explorer.server import ExplorerServer

# A connection that takes longer than this never ends: a slow machine needs a tenth of it.
_SECONDS = 60.0
# What only files of this machine, or the server's memory, hold.
_SECRETS = (b"root:x:", b"from __future__", b"Traceback", b'File "')
_METHODS = ["GET", "POST", "HEAD", "PUT", "OPTIONS", "CONNECT", "TRACE", "get", "", "G\0T", "Ω"]
_VERSIONS = ["HTTP/1.1", "HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.²", "HTTP/-1.1", "", "JUNK/1"]
_TAILS = [
    "", "main.js", "style.css", "api/overview", "api/search", "api/document", "api/compare",
    "../../../../etc/passwd", "..%2f..%2fetc/passwd", "%2e%2e/handler.py", "page/../server.py",
    "//etc/passwd", "main.js%00.py", "api/overview/..", "?x=../../x", "#", "\\..\\..\\x", "é\x7f",
    "a" * 3000, "main.js/", ".", "C:/x", "file:///etc/passwd", "[::1", "http://[", ";x",
]  # fmt: skip
_HOSTS = [
    "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "", "[", "[::1", "10.0.0.1",
    "127.0.0.1@evil.example", "evil.example:80", "0x7f.1", "localhost:999999", "\x00", "é",
]  # fmt: skip
_NUMBERS = ["0", "-1", "+5", "5 5", "²", "0x10", "9" * 30, "1e3", "", "5, 5", "2097153", "17"]
_HEADERS = [
    "Transfer-Encoding: chunked", "Transfer-Encoding: \x0bchunked", "Expect: 100-continue",
    "Connection: keep-alive", "Connection: close", "Upgrade: websocket", "Cookie: psif=x; psif",
    "Cookie: " + "psif=a;" * 500, "Origin: http://evil.example", "Origin: null", "X: \x00\xff",
    " folded: y", "no colon here", "X-Long: " + "y" * 9000, "Content-Type: text/plain", ":", "",
    "Range: bytes=0-9999999", "If-None-Match: *", "Content-Encoding: gzip",
]  # fmt: skip
_BODIES = [
    b"{}", b"", b"[]", b"null", b'{"text": "ship"}', b'{"number": 0}', b'{"number": 1e400}',
    b'{"number": -1}', b'{"number": NaN}', b'{"a": 0, "b": 1}', b'{"a": "\\ud800", "b": 63}',
    b'{"text": "\\u0000\\ud800\\uffff"}', b"[" * 9000, b"{" * 9000, b'{"text": ["ship"]}',
    b'{"number": ' + b"1" * 6000 + b"}", b'{"text": "' + b"ship " * 4000 + b'"}', b"\xff\xfe",
    b'{"number": true}', b'{"a": "__proto__", "b": "constructor"}', b"0\r\n\r\n",
    b'{"text":"ship"', b'{"a":{},"b":[]}',
]  # fmt: skip


@dataclass
class Report:
    """How many requests were tried, and those that got what they must not."""

    tried: int = 0
    answered: dict[int, int] = field(default_factory=dict)
    failed: list[tuple[str, bytes]] = field(default_factory=list)


def attack_explorer(answers, count, seed=0, request_seconds=0.5):
    """Send ``count`` seeded hostile requests to a server of its own; a long run gives more.

    Returns
    -------
    report : Report
        ``failed`` is empty when no request hung, got an answer of 500, a file, a traceback or a
        page without the cookie, and the server printed nothing and still answers at the end.
    """
    report, printed = Report(), io.StringIO()
    _warm(answers)
    before = connections.REQUEST_SECONDS
    connections.REQUEST_SECONDS = request_seconds
    try:
        with contextlib.redirect_stderr(printed), ExplorerServer(answers) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.05,))
            thread.start()
            try:
                _attack(server, report, count, np.random.default_rng(seed))
            finally:
                server.shutdown()
                thread.join()
    finally:
        connections.REQUEST_SECONDS = before
    if printed.getvalue():
        report.failed.append(("the server printed", printed.getvalue().encode()))
    return report


def _warm(answers):
    """Ask each question once: the first one makes an index and compiles loops, which is no hang."""
    answers.search("ship")
    answers.document(0)
    answers.compare(0, "ship")


def attack(count, seed=0):
    """Attack an explorer of a small collection; return how many requests, and what went wrong."""
    from tests.explorer.worlds import make_answers

    with tempfile.TemporaryDirectory() as name:
        report = attack_explorer(make_answers(Path(name)), count, seed)
    return report.tried, [f"{what}: {request[:200]!r}" for what, request in report.failed]


def _attack(server, report, count, rng):
    cookie = server.sessions.open(server.sessions.key)
    for number in range(count):
        # Every third request has the right path, every sixth the cookie too.
        path = server.sessions.path if number % 3 == 0 else _draw(rng, ["x", "open", "..", ""])
        given = cookie if number % 6 == 0 else None
        if given and rng.random() < 0.7:
            request = _question(server, rng, path, given)
        else:
            request = _request(server, rng, path, given)
            if rng.random() < 0.5:
                request = _mutated(request, rng)
        _try(server, report, request, given is not None, ends=rng.random() < 0.9)
    good = _raw("GET", f"/{server.sessions.path}/", f"Host: 127.0.0.1\r\nCookie: psif={cookie}")
    _try(server, report, good, True, ends=True)
    if not report.answered.get(200):
        report.failed.append(("the server no longer answers", good))


def _try(server, report, request, allowed, *, ends):
    report.tried += 1
    try:
        answer = _talk(server, request, ends)
    except TimeoutError:
        report.failed.append(("no end of the connection", request))
        return
    statuses = [int(code) for code in re.findall(rb"(?:^|\n|\})HTTP/1\.1 (\d{3})", answer)]
    for status in statuses:
        report.answered[status] = report.answered.get(status, 0) + 1
    if 500 in statuses:
        report.failed.append(("an answer of 500", request))
    if not allowed and 200 in statuses:
        report.failed.append(("an answer without the cookie", request))
    if any(secret in answer for secret in _SECRETS):
        report.failed.append(("a file or a traceback", request))
    if not allowed and server.sessions.path.encode() in answer:
        report.failed.append(("the path of the page", request))


def _talk(server, request, ends):
    """Send bytes and read until the server ends the connection."""
    with socket.create_connection(server.server_address[:2], timeout=_SECONDS) as connection:
        answer = b""
        try:
            connection.sendall(request)
            if ends:
                connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(1 << 16):
                answer += part
        except TimeoutError:
            raise
        except OSError:
            # The server has answered and closed while we were still sending.
            pass
        return answer


def _request(server, rng, path, cookie):
    """One request, or a refused one whose body is a request."""
    headers = [f"Host: 127.0.0.1:{server.server_address[1]}"]
    if rng.random() < 0.2:
        headers = [f"Host: {_draw(rng, _HOSTS)}"] * int(rng.integers(0, 3))
    if cookie:
        headers.append(f"Cookie: psif={cookie}")
    headers += [_draw(rng, _HEADERS) for _ in range(int(rng.integers(0, 4)))]
    if rng.random() < 0.02:
        headers += [f"X-{i}: y" for i in range(300)]
    body = _draw(rng, _BODIES)
    if rng.random() < 0.3:
        body += _raw("GET", f"/{path}/api/overview", headers[0] if headers else "")
    right, wrong = f"Content-Length: {len(body)}", f"Content-Length: {_draw(rng, _NUMBERS)}"
    headers += _draw(rng, [[right], [right], [right], [wrong], [wrong, right], []])
    method = _draw(rng, ["GET", "POST", _draw(rng, _METHODS)])
    version = _draw(rng, ["HTTP/1.1", "HTTP/1.1", _draw(rng, _VERSIONS)])
    target = f"{_draw(rng, ['/', '/', '//', ''])}{path}/{_draw(rng, _TAILS)}"
    return _raw(method, target, "\r\n".join(headers), version) + body


def _question(server, rng, path, cookie):
    """A request that is right but for its body, or for the length of it."""
    body = _draw(rng, _BODIES)
    length = len(body) if rng.random() < 0.8 else _draw(rng, _NUMBERS)
    name = _draw(rng, ["search", "document", "compare"])
    headers = f"Host: 127.0.0.1:{server.server_address[1]}\r\nCookie: psif={cookie}"
    headers += f"\r\nContent-Length: {length}"
    return _raw("POST", f"/{path}/api/{name}", headers) + body


def _raw(method, target, headers, version="HTTP/1.1"):
    head = f"{method} {target} {version}\r\n{headers}\r\n\r\n"
    return head.encode("utf-8", "surrogatepass")


def _mutated(request, rng):
    """Change, insert, drop, repeat or cut some bytes."""
    data = bytearray(request)
    for _ in range(int(rng.integers(1, 6))):
        at = int(rng.integers(0, len(data) + 1))
        until = at + int(rng.integers(1, 20))
        kind = int(rng.integers(0, 5))
        if kind == 0 and at < len(data):
            data[at] = int(rng.integers(0, 256))
        elif kind == 1:
            data[at:at] = rng.integers(0, 256, 3, dtype=np.uint8).tobytes()
        elif kind == 2:
            del data[at:until]
        elif kind == 3:
            data[at:at] = data[at:until] * int(rng.integers(1, 50))
        elif rng.random() < 0.2:
            del data[at:]
    return bytes(data)


def _draw(rng, choices):
    return choices[int(rng.integers(len(choices)))]


def as_text(report):
    """What failed, for a person to read."""
    return json.dumps([[why, repr(request[:600])] for why, request in report.failed], indent=1)
