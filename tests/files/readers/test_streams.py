"""Pipes and devices: read once, never waited for twice."""

import gzip
import io
import os
import sys
import threading

import pandas as pd
import pytest

from psif.errors import FormatError, InputError
from psif.files.readers import ReadOptions, is_stream, read_documents, spool_streams
from psif.files.readers.documents import input_bytes

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")


@pytest.fixture
def pipe(tmp_path):
    """Make a named pipe that a thread writes once; a reader too many waits for ever."""

    def make(name, content):
        path = tmp_path / name
        os.mkfifo(path)
        threading.Thread(target=path.write_bytes, args=(content,), daemon=True).start()
        return str(path)

    return make


def within(seconds, function, *args):
    """Call a function in a thread; the test fails if it does not come back."""
    results = []

    def call():
        try:
            results.append(function(*args))
        except Exception as error:
            results.append(error)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    thread.join(seconds)
    assert results, "it hangs"
    if isinstance(results[0], Exception):
        raise results[0]
    return results[0]


def test_what_is_a_stream(tmp_path, pipe):
    (tmp_path / "a.txt").write_text("a")
    assert [is_stream(p) for p in (tmp_path, tmp_path / "a.txt")] == [False, False]
    assert [is_stream(p) for p in ("-", pipe("p.txt", b""), "/dev/null")] == [True, True, True]
    with pytest.raises(InputError, match=r"nope\.txt: no such file"):
        is_stream(tmp_path / "nope.txt")


def parquet_bytes():
    out = io.BytesIO()
    pd.DataFrame({"id": ["k"], "text": ["one"]}).to_parquet(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "ids"),
    [
        ("p.txt", b"one\n", ["0"]),
        ("p", b"one\n", ["0"]),
        ("p.txt.gz", gzip.compress(b"one\n", mtime=0), ["0"]),
        ("p.jsonl", b'{"id": "k", "text": "one"}\n', ["k"]),
        ("p.csv", b"id,text\nk,one\n", ["k"]),
        ("p.tsv", "id\ttext\nk\tone\n".encode("utf-16"), ["k"]),
        ("p.parquet", parquet_bytes(), ["k"]),
    ],
)
def test_a_named_pipe_is_read_directly(pipe, name, content, ids):
    path = pipe(name, content)
    assert input_bytes([path]) is None
    docs = within(30, lambda: list(read_documents([path])))
    assert docs == [(ids[0], "one")]


def test_a_pipe_is_spooled_once_and_can_then_be_read_often(tmp_path, pipe):
    (tmp_path / "plain.txt").write_text("plain\n")
    (tmp_path / "spool").mkdir()
    first, second = pipe("p.jsonl", b'"one"\n'), pipe("q.csv.gz", gzip.compress(b"text\ntwo\n"))
    inputs = [tmp_path / "plain.txt", first, second]
    found = within(30, spool_streams, inputs, tmp_path / "spool")
    assert found == [
        str(tmp_path / "plain.txt"),
        str(tmp_path / "spool" / "input-1.jsonl"),
        str(tmp_path / "spool" / "input-2.csv"),
    ]
    for _ in range(2):
        assert [doc.text for doc in read_documents(found)] == ["plain", "one", "two"]
    # A later run finds the copies; nobody writes into the pipes any more.
    assert within(30, spool_streams, inputs, tmp_path / "spool") == found


def test_standard_input_is_spooled(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'"one"\n')))
    found = spool_streams(["-"], tmp_path, ReadOptions(format="jsonl"))
    assert found == [str(tmp_path / "input-0.jsonl")]
    assert [doc.text for doc in read_documents(found)] == ["one"]


def test_a_pipe_of_the_shell_has_no_name(tmp_path):
    reading, writing = os.pipe()
    try:
        os.write(writing, b"one\ntwo\n")
        os.close(writing)
        path = f"/dev/fd/{reading}"
        found = within(30, spool_streams, [path], tmp_path)
    finally:
        os.close(reading)
    assert found == [str(tmp_path / "input-0.txt")]
    assert [doc.text for doc in read_documents(found)] == ["one", "two"]


def test_a_slow_writer_does_not_hide_the_encoding(tmp_path):
    reading, writing = os.pipe()

    def write():
        for byte in "Größe\n".encode("utf-16"):
            os.write(writing, bytes([byte]))
        os.close(writing)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    docs = within(30, lambda: list(read_documents([f"/dev/fd/{reading}"])))
    thread.join()
    os.close(reading)
    assert docs == [("0", "Größe")]


@pytest.mark.parametrize(
    ("device", "error", "message"),
    [
        ("/dev/null", InputError, "empty, there is no document in it"),
        ("/dev/zero", FormatError, "looks like a binary file"),
        ("/dev/urandom", FormatError, "looks like a binary file"),
    ],
)
def test_devices(device, error, message):
    with pytest.raises(error, match=f"{device}: {message}"):
        within(30, lambda: list(read_documents([device])))


def test_a_pipe_in_a_folder_is_no_document(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    os.mkfifo(tmp_path / "pipe")
    assert within(30, lambda: list(read_documents([tmp_path]))) == [("a.txt", "a")]


def test_standard_input_without_bytes(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("text"))
    with pytest.raises(InputError, match="standard input is closed"):
        list(read_documents(["-"]))


def test_a_stream_without_data_yet(monkeypatch):
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with os.fdopen(reading) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with pytest.raises(InputError, match="standard input: it is in non-blocking mode"):
            within(30, lambda: list(read_documents(["-"])))
    os.close(writing)
