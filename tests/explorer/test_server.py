import http.client
import json
import threading
from urllib.parse import urlsplit

import pytest

from psif.errors import InputError
from psif.explorer.assets import SCRIPTS
from psif.explorer.server import ExplorerServer
from psif.runtime.loopback import is_loopback
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


def ask(server, path, body=None, top=None, cookie=None, **headers):
    """Ask as a browser that has opened the page, unless told otherwise."""
    where = urlsplit(server.url)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=30)
    content = None if body is None else body if isinstance(body, bytes) else json.dumps(body)
    given = f"psif={server.sessions.open(server.sessions.key)}" if cookie is None else cookie
    connection.request(
        "GET" if body is None else "POST",
        f"/{server.sessions.path if top is None else top}/{path}",
        content,
        {"Cookie": given, **headers},
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


@pytest.mark.parametrize("top", ["", "x", "%2e%2e", "%C3%A9", "a" * 22])
def test_without_the_path_there_is_nothing(server, top):
    for path in ("", "api/overview", "main.js"):
        response, text = ask(server, path, top=top)
        assert response.status == 404
        assert server.sessions.path not in text


@pytest.mark.parametrize("cookie", ["", "psif=", "psif=x", "other=1; psif=é", "psif", ";;=;"])
def test_without_the_cookie_there_is_nothing(server, cookie):
    assert ask(server, "", cookie=cookie.encode().decode("latin-1"))[0].status == 404
    response, text = ask(server, "api/search", {"text": "ship"}, cookie=cookie.encode())
    assert response.status == 404
    assert "found" not in text


def test_an_address_is_exchanged_for_a_cookie(server):
    response, text = ask(server, server.sessions.key, top="open", cookie="")
    assert response.status == 200
    cookie, *attributes = response.headers["Set-Cookie"].split("; ")
    assert attributes == [f"Path=/{server.sessions.path}/", "HttpOnly", "SameSite=Strict"]
    assert f"url=/{server.sessions.path}/" in text
    assert ask(server, "api/overview", cookie=f"a=b; {cookie}")[0].status == 200


def test_a_one_time_address_works_once(server):
    key = urlsplit(server.one_time_url()).path.removeprefix("/open/")
    assert key != server.sessions.key
    response, _ = ask(server, key, top="open", cookie="")
    cookie = response.headers["Set-Cookie"].split(";")[0]
    assert ask(server, "", cookie=cookie)[0].status == 200
    again, text = ask(server, key, top="open", cookie="")
    assert (again.status, again.headers["Set-Cookie"]) == (404, None)
    assert "was used or is wrong" in text
    # Somebody else may have been first, so that cookie is worth nothing now.
    assert ask(server, "", cookie=cookie)[0].status == 404


def test_a_request_of_another_host_does_not_use_up_the_key(server):
    key = urlsplit(server.one_time_url()).path.removeprefix("/open/")
    assert ask(server, key, top="open", Host="evil.example")[0].status == 421
    assert ask(server, key, top="open")[0].status == 200


def test_other_sites_may_not_ask(server):
    own = f"http://127.0.0.1:{server.server_address[1]}"
    for origin, status in ((own, 200), ("http://127.0.0.1:1", 403), ("null", 403)):
        assert ask(server, "api/search", {"text": "ship"}, Origin=origin)[0].status == status


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
        ("api/search", b""),
        ("api/search", b'{"text": ' + b"9" * 5000 + b"}"),
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
    assert handle(TimeoutError()) == ""
    told = handle(ValueError("really wrong\x1b"))
    assert "unexpected ValueError('really wrong\\x1b')" in told
    assert "Traceback" not in told


def test_loopback():
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert is_loopback("localhost")
    assert not is_loopback("0.0.0.0")
    assert not is_loopback("example.org")
