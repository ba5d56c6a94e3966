"""The columns beside id and text."""

import json
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from psif.files.readers import ReadOptions, read_documents

ROWS = [
    {"id": "a", "text": "one", "n": 1, "who": "x"},
    {"id": "b", "text": "two", "n": 2, "who": None},
]


def write(path, rows):
    name = path.name
    if name.endswith("jsonl"):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif name.endswith("csv"):
        lines = [",".join("" if v is None else str(v) for v in row.values()) for row in rows]
        path.write_text("\n".join([",".join(rows[0]), *lines]))
    else:
        pq.write_table(pa.Table.from_pylist(rows), path)
    return path


@pytest.mark.parametrize("name", ["d.jsonl", "d.csv", "d.parquet"])
def test_they_come_before_their_document(tmp_path, name):
    seen = []
    path = write(tmp_path / name, ROWS)
    seen.extend(read_documents([path], ReadOptions(other_columns=seen.append)))
    others, documents = seen[::2], seen[1::2]
    assert documents == [("a", "one"), ("b", "two")]
    if name == "d.csv":
        assert others == [{"n": "1", "who": "x"}, {"n": "2", "who": ""}]
    else:
        assert others == [{"n": 1, "who": "x"}, {"n": 2, "who": None}]


@pytest.mark.parametrize("name", ["d.jsonl", "d.csv", "d.parquet"])
def test_the_chosen_columns_are_no_others(tmp_path, name):
    seen = []
    options = ReadOptions(text_column="who", id_column="n", other_columns=seen.append)
    path = write(tmp_path / name, ROWS[:1])
    assert list(read_documents([path], options)) == [("1", "x")]
    assert seen == [{"id": "a", "text": "one"}]
    assert list(read_documents([path], replace(options, other_columns=None))) == [("1", "x")]


def test_lines_and_strings_have_none(tmp_path):
    seen = []
    (tmp_path / "d.txt").write_text("one\ntwo\n")
    (tmp_path / "d.jsonl").write_text('"one"\n{"text": "two"}\n')
    paths = [tmp_path / "d.txt", tmp_path / "d.jsonl"]
    assert len(list(read_documents(paths, ReadOptions(other_columns=seen.append)))) == 4
    assert seen == [{}]


def test_a_bad_record_has_none(tmp_path):
    seen = []
    (tmp_path / "d.jsonl").write_text('{"text": "one", "n": 1}\n{"text": 5, "n": 2}\n')
    options = ReadOptions(on_error="skip", other_columns=seen.append)
    assert len(list(read_documents([tmp_path / "d.jsonl"], options))) == 1
    assert seen == [{"n": 1}]
