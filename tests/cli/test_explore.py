import json
import re
import signal
import subprocess
import sys
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from psif.cli.commands.explore import title_of
from psif.files.vector_files import vector_shape
from tests.cli.conftest import make_docs, write_jsonl
from tests.explorer.worlds import page_data


def data_of(path):
    return page_data(path.read_text(encoding="utf-8"))


def test_export(run, trained, tmp_path):
    model, docs, vectors = trained
    result = run("explore", model, vectors, "--texts", docs, "--export", "page.html")
    assert "wrote page.html" in result.stderr
    assert "sea-2" in data_of(tmp_path / "page.html")["ids"]
    run("explore", model, vectors, "--texts", docs, "--export", "small.html", "--small")
    assert data_of(tmp_path / "small.html")["words"] is None
    run("explore", model, vectors, "--export", "bare.html", "--most", "9")


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("my_docs.jsonl.gz", "My docs"),
        ("../a/Support-tickets__2024.csv", "Support tickets 2024"),
        ("-", "Documents"),
        (".hidden", "Hidden"),
    ],
)
def test_the_title_is_made_of_the_files_name(name, title):
    assert title_of([name]) == title


def test_the_title_of_the_page(run, trained, tmp_path):
    model, docs, vectors = trained
    run("explore", model, vectors, "--texts", docs, "--export", "page.html")
    assert data_of(tmp_path / "page.html")["title"] == "Docs"
    run("explore", model, vectors, "--title", "A & B", "--export", "page.html")
    assert data_of(tmp_path / "page.html")["title"] == "A & B"


def test_texts_that_do_not_match(run, trained, tmp_path):
    model, _, vectors = trained
    some = [*make_docs(90)[:-2], {"id": "stray", "text": "cat"}]
    write_jsonl(tmp_path / "some.jsonl", some)
    result = run("explore", model, vectors, "--texts", "some.jsonl", "--export", "page.html")
    assert (
        "2 of 90 documents have no text: 'money-88', 'sea-89'" in " ".join(result.stderr.split())
        or "2 of 90 documents have no text" in result.stderr
    )
    assert "1 of 89 texts have no vector: 'stray'" in result.stderr
    write_jsonl(tmp_path / "other.jsonl", [{"id": "x", "text": "cat"}])
    result = run("explore", model, vectors, "--texts", "other.jsonl", "--export", "p.html", code=1)
    assert "none of the 1 texts has the id of a vector" in result.stderr
    assert not (tmp_path / "p.html").exists()


def test_the_columns_of_the_texts_travel_with_them(run, trained, tmp_path):
    model, docs, vectors = trained
    rows = [{**json.loads(line), "day": "2024-05-06"} for line in docs.read_text().splitlines()]
    (tmp_path / "docs.csv").write_text(
        "id,day,text,n\n" + "".join(f"{r['id']},{r['day']},{r['text']},{r['n']}\n" for r in rows)
    )
    run("explore", model, vectors, "--texts", "docs.csv", "--export", "page.html")
    data = data_of(tmp_path / "page.html")
    kinds = [(column["name"], column["kind"]) for column in data["columns"]]
    assert kinds == [("day", "date"), ("n", "number")]


def test_wrong_usage(run, trained):
    model, _, vectors = trained
    assert "--small goes with --export" in run("explore", model, vectors, "--small", code=2).stderr
    assert "no such file" in run("explore", model, "none.npy", "--export", "p.html", code=1).stderr
    assert "none" in run("explore", "none", vectors, "--export", "p.html", code=1).stderr


def test_serves_until_it_is_stopped(trained):
    model, docs, vectors = trained
    program = "from psif.cli import main; main()"
    arguments = ["explore", model, vectors, "--texts", docs, "--no-open"]
    process = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell's background jobs ignore Ctrl-C, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        url = process.stdout.readline().strip()
        expected = r"http://127\.0\.0\.1:\d+/open/[\w-]{20,}"
        assert re.fullmatch(expected, url), process.stderr.read()
        where = urlsplit(url)
        connection = HTTPConnection(where.hostname, where.port, timeout=30)
        connection.request("GET", where.path)
        assert connection.getresponse().status == 200
        connection.close()
    finally:
        process.send_signal(2)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Traceback" not in errors


@pytest.mark.parametrize("ending", ["npy", "parquet", "jsonl", "safetensors"])
def test_every_format_of_vectors(run, trained, tmp_path, ending):
    model, docs, _ = trained
    run("embed", docs, "--model", model, "-o", f"v.{ending}")
    assert vector_shape(tmp_path / f"v.{ending}") == (90, 24)
    run("explore", model, f"v.{ending}", "--texts", docs, "--export", "page.html", "--most", "9")
    data = data_of(tmp_path / "page.html")
    assert (len(data["ids"]), data["total"]) == (9, 90)
    # Each sampled row has kept its own text.
    texts = {doc["id"]: doc["text"] for doc in make_docs(90)}
    assert [texts[key] for key in data["ids"]] == data["texts"]
    assert not any("not what this model makes" in note for note in data["notes"])


def test_the_browser_gets_an_address_that_works_once(run, trained, monkeypatch):
    """Everybody can read a browser's command line."""
    import webbrowser
    from threading import Event

    from psif.explorer.server import ExplorerServer

    model, docs, vectors = trained
    opened, keys = [], []

    told = Event()

    def serve(server):
        assert told.wait(30)
        keys.append((server.sessions.key, server.sessions.open(opened[0].rsplit("/", 1)[1])))

    def open_(address):
        opened.append(address)
        told.set()

    monkeypatch.setattr(webbrowser, "open", open_)
    monkeypatch.setattr(ExplorerServer, "serve_forever", serve)
    result = run("explore", model, vectors, "--texts", docs)
    (key, cookie), (address,) = keys[0], opened
    assert key in result.stdout
    assert key not in address
    assert cookie


def test_a_browser_that_runs_in_the_terminal_is_served(run, trained, monkeypatch):
    """It does not come back before it is closed."""
    import urllib.request
    import webbrowser
    from threading import Event

    from psif.explorer.server import ExplorerServer

    model, _, vectors = trained
    pages, servers, closed = [], [], Event()
    init = ExplorerServer.__init__

    def keep(server, *args, **kwargs):
        init(server, *args, **kwargs)
        servers.append(server)

    def open_(address):
        try:
            with urllib.request.urlopen(address, timeout=30) as page:
                pages.append(page.read(15))
        finally:
            servers[0].shutdown()
            closed.set()

    monkeypatch.setattr(ExplorerServer, "__init__", keep)
    monkeypatch.setattr(webbrowser, "open", open_)
    run("explore", model, vectors)
    assert closed.wait(30)
    assert pages == [b"<!doctype html>"]
