import csv
import gzip
import io
import json
import re
import sys

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif.errors import FormatError, InputError
from psif.files.readers import ReadOptions, ReadReport, read_documents
from psif.files.readers.documents import input_bytes

DOCS = [("a", "Grüße, 漢字"), ("b", ""), ("c", 'comma, "quote"\ttab')]


def put(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def table(delimiter):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows([("id", "text"), *DOCS])
    return out.getvalue()


def write_docs(path, ending):
    if ending == ".parquet":
        pd.DataFrame(DOCS, columns=["id", "text"]).to_parquet(path)
    elif ending == ".jsonl":
        put(path, "".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in DOCS))
    else:
        put(path, table("," if ending == ".csv" else "\t"))
    return str(path)


@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".tsv", ".parquet"])
@pytest.mark.parametrize("zipped", [False, True])
def test_tables_give_ids_and_texts(tmp_path, ending, zipped):
    path = write_docs(tmp_path / f"docs{ending}", ending)
    if zipped:
        path = put(
            tmp_path / f"docs{ending}.gz", gzip.compress((tmp_path / f"docs{ending}").read_bytes())
        )
    report = ReadReport()
    assert list(read_documents([path], report=report)) == DOCS
    assert report.n_docs == 3
    assert report.bytes_read <= input_bytes([path])


def test_a_line_is_a_document_and_many_files_are_one_stream(tmp_path):
    one = put(tmp_path / "1.txt", "first\r\n\nthird")
    two = put(tmp_path / "2.txt.gz", gzip.compress(b"fourth\n"))
    docs = list(read_documents([one, two]))
    assert docs == [("0", "first"), ("1", ""), ("2", "third"), ("3", "fourth")]


def test_a_folder_is_a_document_a_file(tmp_path):
    (tmp_path / "sub").mkdir()
    put(tmp_path / "sub" / "b.txt", "two\nlines\n")
    put(tmp_path / "a", "one")
    put(tmp_path / ".hidden", "no")
    assert list(read_documents([tmp_path])) == [("a", "one"), ("sub/b.txt", "two\nlines\n")]
    put(tmp_path / "data.jsonl", "{}")
    with pytest.raises(InputError, match=r"holds data\.jsonl; give such files themselves"):
        list(read_documents([tmp_path]))


def test_standard_input(monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO(b'{"text": "x"}\n'))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert list(read_documents(["-"], ReadOptions(format="jsonl"))) == [("0", "x")]


def test_closed_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input is closed"):
        list(read_documents(["-"]))


def test_columns_can_be_named_or_found(tmp_path):
    path = put(tmp_path / "x.csv", "key,title,body\n1,T,B\n")
    options = ReadOptions(text_column="body", id_column="key")
    assert list(read_documents([path], options)) == [("1", "B")]
    only = put(tmp_path / "x.jsonl", '{"id": 7, "body": "B"}\n"bare"\n')
    assert list(read_documents([only])) == [("7", "B"), ("1", "bare")]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_missing_column_lists_those_present(tmp_path, ending):
    path = tmp_path / f"x.{ending}"
    if ending == "parquet":
        pd.DataFrame({"title": ["T"], "body": ["B"]}).to_parquet(path)
    else:
        put(path, {"csv": "title,body\nT,B\n", "jsonl": '{"title": "T", "body": "B"}'}[ending])
    with pytest.raises(InputError, match="no column 'text'; its columns are title, body; choose"):
        list(read_documents([path]))
    with pytest.raises(InputError, match="no column 'nope'; its columns are title, body"):
        list(read_documents([path], ReadOptions(text_column="nope")))
    with pytest.raises(InputError, match="no column 'key'; its columns are title, body"):
        list(read_documents([path], ReadOptions(text_column="body", id_column="key")))


BAD = {
    "json.jsonl": (b'{"text": "a"}\n{"text": \n{"text": "b"}\n', "line 2: not valid JSON"),
    "list.jsonl": (b'{"text": "a"}\n[1]\n{"text": "b"}\n', "line 2: expected an object or a str"),
    "null.jsonl": (b'{"text": "a"}\n{"text": null}\n{"text": "b"}\n', "'text' is of type NoneType"),
    "key.jsonl": (b'{"text": "a"}\n{"t": 1}\n{"text": "b"}\n', "line 2: no column 'text'; its col"),
    "row.csv": (b"text,n\na,1\nx\nb,2\n", "line 3: 1 fields, expected 2 as in the header"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_record_is_named_or_skipped(tmp_path, name):
    content, message = BAD[name]
    path = put(tmp_path / name, content)
    with pytest.raises(FormatError, match=f"{re.escape(path)}, .*{message}"):
        list(read_documents([path]))
    report = ReadReport()
    texts = [d.text for d in read_documents([path], ReadOptions(on_error="skip"), report)]
    assert texts == ["a", "b"]
    assert report.n_skipped == 1
    assert message in report.problems[0]


def test_null_in_parquet(tmp_path):
    pd.DataFrame({"text": ["a", None]}).to_parquet(tmp_path / "x.parquet")
    with pytest.raises(FormatError, match="row 2: 'text' is null"):
        list(read_documents([tmp_path / "x.parquet"]))


@pytest.mark.parametrize(
    ("content", "encoding", "text", "replaced"),
    [
        ("Größe".encode(), None, "Größe", 0),
        ("Größe".encode("utf-8-sig"), None, "Größe", 0),
        ("Größe".encode("utf-16"), None, "Größe", 0),
        ("Größe €".encode("cp1252"), None, "Größe €", 0),
        ("Größe".encode("latin-1"), "latin-1", "Größe", 0),
        ("Größe und Übel ".encode() + b"\xff!", None, "Größe und Übel \ufffd!", 1),
        (b"\xe9\x81", "cp1252", "é\ufffd", 1),
    ],
)
def test_encodings(tmp_path, content, encoding, text, replaced):
    report = ReadReport()
    path = put(tmp_path / "x.txt", content)
    docs = list(read_documents([path], ReadOptions(encoding=encoding), report))
    assert docs == [("0", text)]
    assert report.n_replaced == replaced


@pytest.mark.parametrize(
    ("name", "content", "error", "message"),
    [
        ("x.txt", b"", InputError, "empty, there is no document in it"),
        ("x.jsonl", b"\n\n", InputError, "empty, there is no document in it"),
        ("x.csv", b"text\n", InputError, "empty, there is no document in it"),
        ("x.txt", b"\x7fELF\0\0\1", FormatError, "looks like a binary file"),
        ("x.txt", bytes(range(1, 32)) * 9, FormatError, "looks like a binary file"),
        ("x.parquet", b"PAR1 no", FormatError, "not a readable parquet file"),
        (
            "x.txt.gz",
            gzip.compress(b"text " * 99, mtime=0)[:-6],
            FormatError,
            "damaged or cut gzip file",
        ),
        ("x.doc", b"text", InputError, r"cannot tell its format from \.doc; say it with --format"),
        ("x", b"text", InputError, "cannot tell its format from its name"),
    ],
)
def test_unusable_files(tmp_path, name, content, error, message):
    path = put(tmp_path / name, content)
    with pytest.raises(error, match=f"{re.escape(path)}: .*{message}|{re.escape(path)}: {message}"):
        list(read_documents([path]))


def test_wrong_path_is_told_before_anything_is_read(tmp_path):
    with pytest.raises(InputError, match=r"nope\.txt: no such file or folder"):
        read_documents([put(tmp_path / "x.txt", "a"), "nope.txt"])


def test_unknown_encoding(tmp_path):
    with pytest.raises(InputError, match="unknown encoding 'klingon'"):
        list(read_documents([put(tmp_path / "x.txt", "a")], ReadOptions(encoding="klingon")))


def test_binary_files_of_a_folder_can_be_skipped(tmp_path):
    put(tmp_path / "a.txt", "text")
    put(tmp_path / "b.png", b"\x89PNG\0\0")
    with pytest.raises(FormatError, match=r"b\.png: looks like a binary file"):
        list(read_documents([tmp_path]))
    assert list(read_documents([tmp_path], ReadOptions(on_error="skip"))) == [("a.txt", "text")]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_any_text_comes_back_from_jsonl(texts):
    content = "".join(json.dumps({"text": t}, ensure_ascii=False) + "\n" for t in texts)
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(content.encode()))
    try:
        docs = list(read_documents(["-"], ReadOptions(format="jsonl", encoding="utf-8")))
    finally:
        sys.stdin = stdin
    assert [doc.text for doc in docs] == texts
