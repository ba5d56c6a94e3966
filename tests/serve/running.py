"""A server in a process of its own, as users start it."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from psif import PSIF, Index, PSIFClassifier
from tests.corpora import GROUPS, texts, vectors


def make_folders(root: Path) -> dict[str, Path]:
    """A model, a compact one, an index and a classifier of the same texts."""
    docs = texts(n_docs=90)
    PSIF(vectors(), n_topics=3, random_state=0).fit(docs).save(root / "full")
    compact = PSIF(vectors(), n_topics=3, n_dims=6, word_columns=0, random_state=0)
    compact.fit(docs).save(root / "compact")
    metadata = [{"group": list(GROUPS)[i % 3]} for i in range(len(docs))]
    Index.build(docs, metadata=metadata, model=root / "full").save(root / "docs.index")
    labels = [list(GROUPS)[i % 3] for i in range(len(docs))]
    classifier = PSIFClassifier(PSIF(vectors(), n_topics=3), random_state=0)
    classifier.fit(docs, labels).save(root / "kinds.clf")
    return {path.name: path for path in root.iterdir()}


class Running:
    """``psif serve`` in a process; its output is kept."""

    def __init__(self, *arguments: str, cwd: Path, **variables: str) -> None:
        command = [sys.executable, "-m", "psif", "serve", *arguments, "--port", "0"]
        self.process = subprocess.Popen(
            command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **variables},
        )  # fmt: skip
        self.errors: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.url = self.process.stdout.readline().strip()
        assert self.url, "".join(self.errors)
        parts = urlsplit(self.url)
        self.host, self.port = parts.hostname, parts.port

    def _read(self) -> None:
        self.errors.extend(self.process.stderr)

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(60)
        self._reader.join(10)
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def connect(self, timeout: float = 60) -> socket.socket:
        return socket.create_connection((self.host, self.port), timeout=timeout)

    def ask(self, path, body=None, headers=(), method=None):
        """Return the status and the content of an answer."""
        return ask(self.connect, path, body, headers, method)


def ask(connect, path, body=None, headers=(), method=None):
    data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    method = method or ("GET" if body is None else "POST")
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", *headers]
    head = "\r\n".join([*lines, f"Content-Length: {len(data)}"]) + "\r\n\r\n"
    with connect() as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(head.encode("latin-1") + data)
        answer = read_all(connection)
    return split_answer(answer)


def split_answer(answer: bytes):
    head, _, content = answer.partition(b"\r\n\r\n")
    status = int(head.split()[1]) if head else 0
    is_json = b"application/json" in head.lower()
    return status, json.loads(content) if is_json and content else content


def read_all(connection: socket.socket) -> bytes:
    answer = b""
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(1 << 16):
            answer += part
    return answer


def from_base64(text: str) -> np.ndarray:
    import base64

    return np.frombuffer(base64.b64decode(text), dtype="<f4")
