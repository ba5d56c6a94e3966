"""The explorer's server among enemies."""

import contextlib
import re
import socket
import threading
import time

import pytest

from psif.explorer import connections, server
from psif.explorer.server import ExplorerServer
from tests.attacks.explorer_requests import as_text, attack_explorer
from tests.explorer.worlds import make_answers


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    return make_answers(tmp_path_factory.mktemp("attacked"))


@pytest.fixture
def started(answers, monkeypatch):
    """Start servers whose requests must arrive within half a second."""
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.5)
    running = []

    def start():
        made = ExplorerServer(answers)
        thread = threading.Thread(target=made.serve_forever, args=(0.05,))
        thread.start()
        running.append((made, thread))
        return made

    yield start
    for made, thread in running:
        made.shutdown()
        thread.join()
        made.server_close()


def connect(made):
    return socket.create_connection(made.server_address[:2], timeout=10)


def read_all(connection):
    answer = b""
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(1 << 16):
            answer += part
    return answer


def statuses(answer):
    return [int(code) for code in re.findall(rb"HTTP/1\.1 (\d{3})", answer)]


def test_hostile_requests(answers):
    report = attack_explorer(answers, 600)
    assert not report.failed, as_text(report)
    assert report.tried == 601
    # The attack reaches every door, and the right requests among them are answered.
    assert {200, 400, 404, 405, 421, 505} <= set(report.answered)


def test_the_body_of_a_refused_request_is_no_request(started):
    made = started()
    hidden = b"GET /open/" + made.sessions.key.encode() + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    head = b"POST /x/api/search HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n"
    with connect(made) as connection:
        connection.sendall(head % len(hidden) + hidden)
        answer = read_all(connection)
    assert statuses(answer) == [404]
    assert b"Connection: close" in answer
    assert b"Set-Cookie" not in answer


@pytest.mark.parametrize(
    "line",
    [b"GET http://[ HTTP/1.1", b"\x00\xff\xfe", b"GET", b"GET / HTTP/9.9.9", b"GET  / HTTP/1.1 x"],
)
def test_bad_request_lines_get_400_and_print_nothing(started, capfd, line):
    with connect(started()) as connection:
        connection.sendall(line + b"\r\nHost: [\r\n\r\n")
        answer = read_all(connection)
    assert statuses(answer)[0] in (400, 421)
    assert b'{"error": ' in answer
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "head", [b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", b"POST ", b"GET /" + b"x" * 100]
)
def test_a_request_in_drips_ends(started, head):
    with connect(started()) as connection:
        began = time.monotonic()
        connection.sendall(head)
        try:
            while time.monotonic() - began < 8:
                connection.sendall(b"y")
                time.sleep(0.02)
        except ConnectionError:
            pass
        assert time.monotonic() - began < 6


def test_a_body_in_drips_ends(started):
    made = started()
    cookie = made.sessions.open(made.sessions.key)
    head = (
        f"POST /{made.sessions.path}/api/search HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Cookie: psif={cookie}\r\nContent-Length: 1000\r\n\r\n"
    )
    with connect(made) as connection:
        connection.sendall(head.encode() + b"{")
        began = time.monotonic()
        assert statuses(read_all(connection)) == [408]
        assert time.monotonic() - began < 6


def test_a_connection_ends_though_its_requests_are_good(started, monkeypatch):
    monkeypatch.setattr(connections, "CONNECTION_SECONDS", 0.3)
    made = started()
    request = b"GET /open/" + made.sessions.key.encode() + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with connect(made) as connection:
        connection.sendall(request)
        time.sleep(0.35)
        connection.sendall(request)
        answer = read_all(connection)
    assert statuses(answer) == [200, 200]
    assert answer.count(b"Connection: close") == 1


def test_a_head_without_end_is_refused(started):
    with connect(started()) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 100_000)
        assert statuses(read_all(connection)) in ([431], [])


def test_too_many_connections_are_refused_and_forgotten(started, monkeypatch):
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 3)
    made = started()
    waiting = [connect(made) for _ in range(3)]
    time.sleep(0.1)
    with connect(made) as one_more:
        assert statuses(read_all(one_more)) == [503]
    # Those that say nothing are ended in time.
    for connection in waiting:
        assert statuses(read_all(connection)) == [408]
        connection.close()
    time.sleep(0.1)
    with connect(made) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert statuses(read_all(connection)) == [404]
