import os

import dask.bag as db
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from psif import InputError
from psif.distributed.sources import file_stamp, find_partitions, read_partition
from psif.errors import FormatError
from psif.files.readers.options import ReadOptions, ReadReport


def read(source, number=0, **options):
    report = ReadReport()
    return list(read_partition(source, number, ReadOptions(**options), report)), report


def test_items_of_a_bag():
    documents, report = read(["one", ("k", "two"), {"id": 7, "text": "three"}], 4)
    assert documents == [("4:0", "one"), ("k", "two"), ("7", "three")]
    assert report.n_docs == 3


def test_frames_and_columns():
    frame = pd.DataFrame({"id": [3, 4], "text": ["one", "two"]})
    assert read(frame)[0] == [("3", "one"), ("4", "two")]
    assert read(frame["text"], 1)[0] == [("1:0", "one"), ("1:1", "two")]
    assert read(frame.rename(columns={"text": "body"}), text_column="body")[0][1] == ("4", "two")


def test_missing_ids_of_a_frame_become_numbers():
    frame = pd.DataFrame({"id": ["a", None, np.nan], "text": ["one", "two", "three"]})
    assert [document.id for document in read(frame, 2)[0]] == ["a", "2:1", "2:2"]


def test_frames_whose_columns_are_no_strings_or_share_a_name():
    frame = pd.DataFrame({0: ["one"], 1: [2]})
    assert read(frame, text_column="0")[0] == [("0:0", "one")]
    frame = pd.DataFrame([["one", "two"]], columns=["text", "text"])
    with pytest.raises(InputError, match="partition 0: 2 columns are called 'text'"):
        read(frame)


def test_ids_that_are_not_text():
    with pytest.raises(FormatError, match=r"partition 1, document 2: its id '\\ud800' has a"):
        read([("a", "one"), ("\ud800", "two")], 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "p.txt")
    with pytest.raises(InputError, match=r"p\.txt: a cluster cannot read a pipe"):
        read(str(tmp_path / "p.txt"))


def test_a_changed_file_in_a_folder_is_noticed(tmp_path):
    (tmp_path / "a").write_text("one")
    (tmp_path / "b").write_text("two")
    before = file_stamp(str(tmp_path), None)
    assert file_stamp(str(tmp_path), None) == before
    (tmp_path / "b").write_text("three")
    assert file_stamp(str(tmp_path), None) != before


@pytest.mark.parametrize(
    ("source", "place"),
    [
        (["one", None], "partition 0, item 1"),
        (pd.DataFrame({"text": ["one", np.nan]}), "partition 0, row 1"),
    ],
)
def test_bad_records_follow_the_policy(source, place):
    with pytest.raises(FormatError, match=place):
        read(source)
    documents, report = read(source, on_error="skip")
    assert documents == [("0:0", "one")]
    assert report.n_skipped == 1


def test_corrupt_lines_of_a_file(tmp_path):
    path = tmp_path / "docs.jsonl"
    path.write_text('{"text": "one"}\n{"text": \n"two"\n')
    with pytest.raises(FormatError, match="line 2: not valid JSON"):
        read(str(path))
    documents, report = read(str(path), 2, on_error="skip")
    assert documents == [("2:0", "one"), ("2:1", "two")]
    assert report.n_skipped == 1


def test_partitions_of_collections_keep_their_stamps():
    first, again = (find_partitions(db.from_sequence(list("abcd"), npartitions=2)) for _ in "12")
    assert [part.number for part in first] == [0, 1]
    assert [part.stamp for part in first] == [part.stamp for part in again]
    other = find_partitions(db.from_sequence(list("abce"), npartitions=2))
    assert {p.stamp for p in first}.isdisjoint(p.stamp for p in other)
    frame = dd.from_pandas(pd.DataFrame({"text": list("abcd")}), npartitions=2)
    assert len(find_partitions(frame)) == len(find_partitions(frame["text"])) == 2


def test_files_are_told_apart_by_size_and_time(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("one")
    (part,) = find_partitions([path])
    before = file_stamp(part.source, part.stamp)
    path.write_text("longer")
    assert file_stamp(part.source, part.stamp) != before
    with pytest.raises(InputError, match="no such file or folder"):
        file_stamp(str(tmp_path / "b.txt"), None)


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ("a.txt", "a list of files; got str"),
        ([b"text"], "it holds a bytes"),
        (["-"], "standard input"),
        (5, "got int"),
    ],
)
def test_what_is_no_corpus(documents, message):
    with pytest.raises(InputError, match=message):
        find_partitions(documents)
