"""Requests that are wrong, too large or too slow get the right status, and nothing leaks."""

import contextlib
import json
import time

import pytest

from tests.serve.running import Running, read_all, split_answer

SECRET = "zebra-quartz"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"null", 400),
        (b'{"input": "\xff\xfe"}', 400),
        (b'{"input": "\\ud800"}', 400),
        (b'{"input": NaN}', 400),
        (b"[" * 100_000, 400),
        (b'{"input": null}', 400),
        (b'{"input": []}', 400),
        (b'{"input": ["a", null]}', 400),
        (b'{"input": {"a": 1}}', 400),
        (b'{"input": "a", "model": 5}', 400),
        (b'{"input": "a", "encoding_format": "hex"}', 400),
        (b'{"input": "a", "encoding_format": []}', 400),
        (b'{"input": "a", "dimensions": "many"}', 400),
        (b'{"input": "a", "dimensions": 1e99}', 400),
        (b'{"input": "a", "model": "zebra-quartz"}', 404),
        (json.dumps({"input": ["a"] * 10_000}).encode(), 413),
        (json.dumps({"input": "x" * (9 << 20)}).encode(), 413),
    ],
)
def test_wrong_bodies(server, body, status):
    found, answer = server.ask("/v1/embeddings", body)
    assert found == status, answer
    error = answer["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert SECRET not in error["message"]
    assert server.ask("/health")[0] == 200


def test_a_million_characters_are_a_text(server):
    status, answer = server.ask(
        "/v1/embeddings", {"model": "small", "input": "ship sail " * 100_000}
    )
    assert (status, answer["usage"]["total_tokens"]) == (200, 200_000)


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/", "GET", 404),
        ("/v1/embeddings", "GET", 405),
        ("/v1/models/none", "GET", 404),
        ("/v1/%2e%2e/%2e%2e/etc/passwd", "GET", 404),
        ("/v1/embeddings", "DELETE", 405),
    ],
)
def test_unknown_paths_and_methods(server, path, method, status):
    found, answer = server.ask(path, method=method)
    assert (found, "error" in answer) == (status, True)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "[", ""])
def test_requests_for_other_hosts_are_refused(server, host):
    with server.connect() as connection:
        request = f"GET /v1/models HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        connection.sendall(request.encode())
        assert split_answer(read_all(connection))[0] in (400, 421)


def test_pages_of_other_sites_are_refused(server):
    body = {"input": "ship"}
    assert server.ask("/v1/embeddings", body, ["Origin: http://evil.example"])[0] == 403
    assert server.ask("/v1/embeddings", body, ["Origin: http://127.0.0.1"])[0] == 200


def test_a_client_that_leaves_harms_nobody(server):
    body = json.dumps({"input": ["ship sail"] * 500, "model": "full"}).encode()
    head = b"POST /v1/embeddings HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
    for sent in (
        head[:20],
        head % len(body),
        head % len(body) + body[:100],
        head % len(body) + body,
    ):
        with server.connect() as connection:
            connection.sendall(sent)
    assert server.ask("/v1/embeddings", {"input": "ship"})[0] == 200
    assert "unexpected" not in "".join(server.errors)


def test_logs_hold_no_texts_and_no_queries(server):
    server.ask(f"/v1/models?input={SECRET}")
    server.ask("/v1/embeddings", {"input": SECRET})
    server.ask(f"/{SECRET}")
    deadline = time.monotonic() + 20
    while "other 404" not in "".join(server.errors) and time.monotonic() < deadline:
        time.sleep(0.05)
    lines = "".join(server.errors)
    assert "POST /v1/embeddings 200" in lines
    assert "GET other 404" in lines
    assert SECRET not in lines


def test_metrics(server):
    server.ask("/v1/embeddings", {"input": ["ship", "sail"], "model": "small"})
    status, text = server.ask("/metrics")
    assert status == 200
    lines = dict(line.rsplit(" ", 1) for line in text.decode().splitlines() if line[0] != "#")
    assert float(lines['psif_requests_total{path="/v1/embeddings",status="200"}']) >= 1
    assert float(lines['psif_texts_total{model="small"}']) >= 2
    assert float(lines["process_resident_memory_bytes"]) > 1e6
    assert "zebra" not in text.decode()


def test_the_key(folders, tmp_path):
    running = Running(str(folders["full"]), cwd=tmp_path, PSIF_API_KEY="open-sesame-123")
    try:
        body = {"input": "ship"}
        for headers in ([], ["Authorization: Bearer wrong"], ["Authorization: open-sesame-123"],
                        ["Authorization: Bearer open-sesame-12"], ["Authorization: Bearer \xff"],
                        ["Authorization: Bearer"]):  # fmt: skip
            status, answer = running.ask("/v1/embeddings", body, headers)
            assert (status, answer["error"]["code"]) == (401, "invalid_api_key")
            assert "sesame" not in json.dumps(answer)
        right = ["Authorization: Bearer open-sesame-123"]
        assert running.ask("/v1/embeddings", body, right)[0] == 200
        # Whoever has the key may come through any name, and from any page.
        named = [*right, "Origin: http://app.example"]
        assert running.ask("/v1/models", None, named)[0] == 200
        assert running.ask("/metrics")[0] == 401
        assert running.ask("/health")[0] == 200
    finally:
        assert running.stop() == 0
    assert "sesame" not in "".join(running.errors)


@pytest.mark.parametrize(
    "request_", [b"GET  / HTTP/1.1\r\n\r\n", b"\x00\xff\r\n\r\n", b"GET http://[ HTTP/1.1\r\n\r\n"]
)
def test_what_is_not_http(server, request_):
    with server.connect() as connection:
        connection.sendall(request_)
        with contextlib.suppress(OSError):
            connection.shutdown(1)
        assert split_answer(read_all(connection))[0] in (400, 421)
    assert "Traceback" not in "".join(server.errors)


def test_a_head_without_end(server):
    with server.connect() as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 200_000)
        assert split_answer(read_all(connection))[0] in (431, 0)
    assert server.ask("/health")[0] == 200
