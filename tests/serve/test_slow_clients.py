"""Slow clients are ended, busy servers say so, and a stop loses no request."""

import contextlib
import json
import signal
import socket
import threading
import time

import numpy as np
import pytest

from psif.serve.application import Application
from psif.serve.limits import Limits
from psif.serve.served import Served
from psif.serve.server import listen, serve
from tests.serve.running import Running, ask, read_all, split_answer

QUICK = Limits(head_seconds=0.5, body_seconds=0.5, write_seconds=0.5, connections=6, waiting=4)


@contextlib.contextmanager
def running(embed, limits, n_dims=2):
    """A server in a thread of this process, with a model that is a function."""
    application = Application([Served("m", "model", embed, n_dims)], limits)
    listener = listen("127.0.0.1", 0)
    address, ready = listener.getsockname()[:2], threading.Event()
    from psif.serve import server as module

    made = []
    original = module._Server.__init__

    def remember(self, *args):
        original(self, *args)
        made.append(self)

    module._Server.__init__ = remember
    thread = threading.Thread(
        target=serve, args=(application, listener), kwargs={"ready": lambda _: ready.set()}
    )
    try:
        thread.start()
        assert ready.wait(30)
        yield lambda timeout=30: socket.create_connection(address, timeout=timeout)
    finally:
        module._Server.__init__ = original
        made[0].should_exit = True
        thread.join(60)
    assert not thread.is_alive()


def zeros(texts):
    return np.zeros((len(texts), 2), dtype=np.float32), np.ones(len(texts), dtype=np.int64)


def status_of(connect, body):
    return ask(connect, "/v1/embeddings", body)[0]


def test_slow_heads_and_bodies_get_408():
    with running(zeros, QUICK) as connect:
        for sent in (b"", b"GET / HT", b"POST /v1/embeddings HTTP/1.1\r\nHost: localhost\r\nX: "):
            with connect() as connection:
                connection.sendall(sent)
                assert split_answer(read_all(connection))[0] == 408
        with connect() as connection:
            head = b"POST /v1/embeddings HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{"
            connection.sendall(head)
            status, answer = split_answer(read_all(connection))
            assert (status, answer["error"]["code"]) == (408, "request_timeout")
        assert status_of(connect, {"input": "a"}) == 200


def test_drips_do_not_extend_the_deadline():
    with running(zeros, QUICK) as connect, connect() as connection:
        began = time.monotonic()
        with contextlib.suppress(ConnectionError):
            while time.monotonic() - began < 20:
                connection.sendall(b"G" if time.monotonic() == began else b"x")
                time.sleep(0.05)
        assert time.monotonic() - began < 15


def test_a_client_that_takes_nothing_is_ended():
    def many(texts):
        return np.ones((len(texts), 4096), np.float32), np.ones(len(texts), np.int64)

    with running(many, QUICK, n_dims=4096) as connect, connect() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        body = json.dumps({"input": ["a"] * 900}).encode()
        head = b"POST /v1/embeddings HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
        connection.sendall(head % len(body) + body)
        time.sleep(3)
        # The server has given up: what is left ends before the whole answer.
        assert len(read_all(connection)) < 900 * 4096 * 3


def test_too_many_connections_get_503():
    with running(zeros, QUICK) as connect:
        idle = [connect() for _ in range(6)]
        with connect() as connection:
            assert split_answer(read_all(connection))[0] == 503
        for connection in idle:
            connection.close()


def test_a_busy_server_answers_429_and_recovers():
    free, entered = threading.Event(), threading.Event()

    def blocking(texts):
        entered.set()
        assert free.wait(30)
        return zeros(texts)

    slow = Limits(waiting=4)
    # More characters than are embedded at once: the batch goes to a thread.
    body = {"input": ["x" * 40_000] * 4}
    found = []
    with running(blocking, slow) as connect:
        thread = threading.Thread(target=lambda: found.append(status_of(connect, body)))
        thread.start()
        assert entered.wait(30)
        status, answer = ask(connect, "/v1/embeddings", {"input": "b"})
        assert (status, answer["error"]["code"]) == (429, "server_busy")
        assert ask(connect, "/health")[0] == 200
        free.set()
        thread.join(30)
        assert status_of(connect, {"input": "b"}) == 200
    assert found == [200]


def test_an_error_of_the_model_is_told_without_its_message():
    def failing(texts):
        raise RuntimeError(f"cannot embed {texts}")

    with running(failing, QUICK) as connect:
        status, answer = ask(connect, "/v1/embeddings", {"input": "zebra"})
        assert status == 500
        assert "zebra" not in json.dumps(answer)


def test_sigterm_under_load_loses_no_request(folders, tmp_path):
    server = Running(str(folders["compact"]), cwd=tmp_path)
    body = json.dumps({"input": "ship sail anchor"}).encode()
    request = (
        b"POST /v1/embeddings HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
    ) + body
    stop, lost, answered = threading.Event(), [], []

    def client():
        connection = None
        n_answered = 0
        while not stop.is_set():
            try:
                if connection is None:
                    connection = server.connect(timeout=30)
            except OSError:  # nobody listens any more: nothing was sent, nothing is lost
                break
            try:
                connection.sendall(request)
                answer, closing = read_one(connection)
            except OSError as error:
                lost.append(repr(error))
                break
            if not answer.startswith(b"HTTP/1.1 200"):
                lost.append(answer[:200])
                break
            n_answered += 1
            if closing:
                connection.close()
                connection = None
        if connection is not None:
            connection.close()
        answered.append(n_answered)

    threads = [threading.Thread(target=client) for _ in range(16)]
    for thread in threads:
        thread.start()
    time.sleep(1.0)
    server.process.send_signal(signal.SIGTERM)
    assert server.stop() == 0
    for thread in threads:
        thread.join(60)
    stop.set()
    assert lost == []
    assert sum(answered) > 100
    assert len(answered) == 16


def read_one(connection):
    """Read an answer; also return whether the server ends the connection after it."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(1 << 16)
        if not part:
            raise ConnectionResetError("closed before an answer")
        data += part
    head, _, content = data.partition(b"\r\n\r\n")
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    while len(content) < int(fields[b"content-length"]):
        content += connection.recv(1 << 16)
    return head, fields.get(b"connection") == b"close"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_request_that_is_being_sent_is_answered(folders, tmp_path, number):
    server = Running(str(folders["compact"]), cwd=tmp_path)
    body = json.dumps({"input": "ship sail anchor"}).encode()
    with server.connect() as connection:
        head = b"POST /v1/embeddings HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
        connection.sendall(head % len(body) + body[:5])
        time.sleep(0.3)
        server.process.send_signal(number)
        time.sleep(0.8)
        connection.sendall(body[5:])
        assert split_answer(read_all(connection))[0] == 200
    assert server.stop() == 0
    assert "every request was answered" in "".join(server.errors)
