import http.client
import json
import threading
from urllib.parse import urlsplit

import pytest

from psif.errors import InputError
from psif.explorer.assets import SCRIPTS
from psif.explorer.server import ExplorerServer, is_loopback
from tests.explorer.worlds import make_answers


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    answers = make_answers(tmp_path_factory.mktemp("server"))
    with ExplorerServer(answers) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server, path, body=None, token=None, **headers):
    where = urlsplit(server.url)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=30)
    content = None if body is None else body if isinstance(body, bytes) else json.dumps(body)
    connection.request(
        "GET" if body is None else "POST",
        f"/{server.token if token is None else token}/{path}",
        content,
        headers,
    )
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response, text


def test_page_and_its_files(server):
    response, text = ask(server, "")
    assert response.status == 200
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in response.headers["Cache-Control"]
    for name in SCRIPTS:
        assert f'src="{name}"' in text
        assert ask(server, name)[0].status == 200
    assert "http:" not in text
    assert "https:" not in text


def test_answers(server):
    page = json.loads(ask(server, "api/overview")[1])
    assert page["title"] == "Ships & <b>planes</b>"
    found = json.loads(ask(server, "api/search", {"text": "ship sail"})[1])
    assert found["found"]
    document = json.loads(ask(server, "api/document", {"number": found["found"][0][0]})[1])
    assert document["near"]
    both = json.loads(ask(server, "api/compare", {"a": 0, "b": "ship"})[1])
    assert both["text_b"] == "ship"


@pytest.mark.parametrize("token", ["", "x", "%2e%2e", "%C3%A9", "a" * 22])
def test_without_the_token_there_is_nothing(server, token):
    for path in ("", "api/overview", "main.js"):
        response, text = ask(server, path, token=token)
        assert response.status == 404
        assert server.token not in text


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "10.0.0.1", "", "[", "127.0.0.1.evil.example"]
)
def test_other_host_names_are_refused(server, host):
    assert ask(server, "", Host=host)[0].status == 421
    assert ask(server, "api/search", {"text": "ship"}, Host=host)[0].status == 421


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "[::1]:80"])
def test_names_of_this_machine_are_taken(server, host):
    assert ask(server, "", Host=host)[0].status == 200


@pytest.mark.parametrize(
    "path",
    ["../../etc/passwd", "page/main.js", "style.css/..", "api", "api/none", "index.html", "%00"],
)
def test_no_other_files(server, path):
    assert ask(server, path)[0].status == 404


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("api/document", {"number": 99}),
        ("api/document", {"number": "0"}),
        ("api/document", {}),
        ("api/search", {"text": 1}),
        ("api/compare", {"a": 0}),
        ("api/compare", {"a": 0, "b": True}),
        ("api/search", b"{"),
        ("api/search", b"[1]"),
        ("api/search", b"\xff"),
        ("api/search", b"[" * 100_000),
    ],
)
def test_bad_questions_get_a_reason(server, path, body):
    response, text = ask(server, path, body)
    assert response.status == 400
    assert json.loads(text)["error"]
    assert "Traceback" not in text


def test_long_questions_are_refused(server):
    response, _ = ask(server, "api/search", b"", **{"Content-Length": str(10**9)})
    assert response.status == 413


def test_a_port_in_use(server):
    with pytest.raises(InputError, match=r"is in use; --port 0 takes a free one"):
        ExplorerServer(server.answers, port=server.server_address[1])
    with pytest.raises(InputError, match=r"cannot serve on 203\.0\.113\.1"):
        ExplorerServer(server.answers, host="203.0.113.1")


def test_a_browser_that_leaves_is_no_error(server, capsys):
    def handle(error):
        try:
            raise error
        except Exception:
            server.handle_error(None, ("127.0.0.1", 1))
        return capsys.readouterr().err

    assert handle(BrokenPipeError()) == handle(ConnectionResetError()) == ""
    assert "really wrong" in handle(ValueError("really wrong"))


def test_loopback():
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert is_loopback("localhost")
    assert not is_loopback("0.0.0.0")
    assert not is_loopback("example.org")
