import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif.errors import FormatError, InputError
from psif.files.readers import ReadOptions, ReadReport, check_ids, id_problem, read_documents


def test_lone_surrogates_are_refused_not_replaced(tmp_path):
    path = tmp_path / "x.jsonl"
    ids = ["a\ud800", "fine", "a\ud801", "\U0001f600"]
    path.write_text("".join(json.dumps({"id": key, "text": "t"}) + "\n" for key in ids))
    message = r"document 1: its id 'a\\ud800' has a lone surrogate \(U\+D800\).*another id"
    with pytest.raises(FormatError, match=message):
        list(read_documents([path]))
    report = ReadReport()
    docs = list(read_documents([path], ReadOptions(on_error="skip"), report))
    assert [doc.id for doc in docs] == ["fine", "\U0001f600"]
    assert report.n_skipped == 2
    assert "document 1" in report.problems[0]
    assert "document 3" in report.problems[1]


@pytest.mark.skipif(os.name != "posix", reason="file names are bytes only there")
def test_file_names_that_are_not_text(tmp_path):
    for name in (b"a\xff", b"a\xfe", b"good"):
        with open(os.path.join(os.fsencode(tmp_path), name), "w") as file:
            file.write("text")
    with pytest.raises(FormatError, match=r"its id 'a\\udcfe' has a lone surrogate"):
        list(read_documents([tmp_path]))
    docs = list(read_documents([tmp_path], ReadOptions(on_error="skip")))
    assert [doc.id for doc in docs] == ["good"]


def test_check_ids_names_the_position():
    check_ids(["a", "", "漢", "\0\n"])
    with pytest.raises(InputError, match=r"document 1: its id '\\udfff' has a lone surrogate"):
        check_ids(["a", "\udfff"])


@given(st.lists(st.text(), unique=True))
def test_ids_that_pass_stay_different_in_utf8(ids):
    kept = [key for key in ids if id_problem(key) is None]
    assert len({key.encode() for key in kept}) == len(kept)
    assert all(any("\ud800" <= c <= "\udfff" for c in key) for key in set(ids) - set(kept))
