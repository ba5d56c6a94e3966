"""Hostile requests to ``psif serve``, and what must not come of them."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import tempfile
from pathlib import Path

import numpy as np

from tests.serve.running import Running, make_folders, read_all

_SECRET = "zebra-quartz"
_METHODS = ["GET", "POST", "HEAD", "PUT", "OPTIONS", "CONNECT", "TRACE", "post", "", "G\0T", "Ω"]
_PATHS = [
    "/v1/embeddings", "/v1/similarity", "/v1/explain", "/v1/search", "/v1/classify", "/v1/models",
    "/v1/models/full", "/health", "/metrics", "/", "//etc/passwd", "/../../etc/passwd", "*", "",
    "/v1/models/..%2f..%2fetc%2fpasswd", "/v1/embeddings?x=" + "y" * 4000, "/v1/embeddings#",
    "http://evil.example/v1/models", "/\x00", "/é", "/v1/models/" + "a" * 5000, "/v1/embeddings/",
]  # fmt: skip
_VERSIONS = ["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9", "", "JUNK"]
_HEADERS = [
    "Transfer-Encoding: chunked", "Transfer-Encoding: \x0bchunked", "Expect: 100-continue",
    "Connection: keep-alive", "Upgrade: websocket", "Origin: http://evil.example", "Origin: null",
    "X: \x00\xff", " folded: y", "no colon here", "X-Long: " + "y" * 9000, ":", "", "Host: evil",
    "Content-Encoding: gzip", "Content-Length: 5", "Content-Length: -1",
    "Authorization: Bearer \xff",
    "Content-Length: 99999999999999999999",
]  # fmt: skip
_VALUES = [
    _SECRET, "", 0, -1, 1e308, True, None, [], {}, [_SECRET, 5], [[1, 2]], [1, 2], "\u0000",
    "x" * 9000, ["ship"] * 3000, [None], {"a": [[]]}, "full", "docs.index", "kinds.clf",
    "base64", 10**30, "sea",
]  # fmt: skip
_FIELDS = [
    "input", "model", "dimensions", "encoding_format", "texts_a", "texts_b", "paired", "text_a",
    "text_b", "query", "id", "k", "where", "lexical", "text", "label", "against", "top", "user",
]  # fmt: skip
_BODIES = [b"", b"{", b"\xff\xfe", b"[" * 9000, b"null", b'{"input": "\\ud800"}', b"0\r\n\r\n"]
_LEAKS = (b"Traceback", b'File "', b"root:x:", _SECRET.encode())


def _request(rng: np.random.Generator) -> bytes:
    def one(values):
        return values[int(rng.integers(len(values)))]

    if rng.random() < 0.3:
        body = one(_BODIES)
    else:
        fields = {one(_FIELDS): one(_VALUES) for _ in range(int(rng.integers(1, 6)))}
        body = json.dumps(fields).encode()
    usual = rng.random() < 0.6
    line = f"{'POST' if usual else one(_METHODS)} {one(_PATHS)} {one(_VERSIONS)}"
    headers = [] if rng.random() < 0.1 else ["Host: 127.0.0.1"]
    headers += [one(_HEADERS) for _ in range(int(rng.integers(0, 3)) if rng.random() < 0.5 else 0)]
    if rng.random() < 0.85:
        headers.append(f"Content-Length: {len(body) + int(one([0, 0, 0, 0, -1, 7]))}")
    text = "\r\n".join([line, *headers]) + "\r\n\r\n"
    sent = text.encode("utf-8", "surrogateescape") + body
    return sent if rng.random() < 0.9 else sent[: int(rng.integers(1, len(sent)))]


def attack(count: int, seed: int = 0) -> tuple[int, list[str]]:
    """Send random requests; each gets an answer of HTTP or a closed connection, and none leaks."""
    rng = np.random.default_rng(seed)
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        made = make_folders(Path(folder))
        server = Running(*map(str, made.values()), "-v", cwd=Path(folder))
        try:
            for _ in range(count):
                sent = _request(rng)
                answer = _answer(server, sent)
                failures += [f"{why}: {sent[:300]!r}" for why in _judge(answer)]
            status, _ = server.ask("/v1/embeddings", {"input": "ship", "model": "full"})
            if status != 200:
                failures.append(f"the server answers {status} after the attack")
        finally:
            code = server.stop()
        log = "".join(server.errors)
        if code != 0 or "unexpected" in log or "Traceback" in log or _SECRET in log:
            failures.append(f"exit code {code}, log {log[-500:]!r}")
    return count, failures


def _answer(server: Running, sent: bytes) -> bytes:
    with server.connect(timeout=45) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
        return read_all(connection)


def _judge(answer: bytes) -> list[str]:
    found = [f"leaks {leak!r}" for leak in _LEAKS if leak in answer]
    if answer and not re.match(rb"HTTP/1\.1 \d{3} ", answer):
        found.append(f"no HTTP: {answer[:80]!r}")
    if re.match(rb"HTTP/1\.1 5", answer) and not answer.startswith(b"HTTP/1.1 503"):
        found.append(f"error of the server: {answer[:200]!r}")
    return found
