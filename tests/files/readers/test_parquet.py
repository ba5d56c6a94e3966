import gzip

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from psif.errors import FormatError, InputError, PsifError
from psif.files.readers import ReadOptions, ReadReport, read_documents
from psif.files.readers import parquet as module

TEXTS = ["Größe", "", "last"]


def write(path, column, kind=None, **others):
    columns = {"text": pa.array(column, kind), **others}
    pq.write_table(pa.table(columns), path)
    return path


@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.dictionary(pa.int32(), pa.string()),
        pa.dictionary(pa.int8(), pa.large_string()),
    ],
    ids=str,
)
def test_types_of_strings(tmp_path, kind):
    array = pa.array(TEXTS).cast(kind) if pa.types.is_dictionary(kind) else pa.array(TEXTS, kind)
    path = write(tmp_path / "x.parquet", array)
    assert list(read_documents([path])) == [(str(i), text) for i, text in enumerate(TEXTS)]


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary()], ids=str)
def test_bytes_are_text_where_they_are_utf8(tmp_path, kind):
    path = write(tmp_path / "x.parquet", ["Größe".encode(), b"\xff", b"last"], kind)
    with pytest.raises(FormatError, match="row 2: 'text' holds bytes that are not UTF-8"):
        list(read_documents([path]))
    docs = list(read_documents([path], ReadOptions(on_error="skip")))
    assert [doc.text for doc in docs] == ["Größe", "last"]


@pytest.mark.parametrize(
    ("column", "kind", "shown"),
    [
        ([["a"], ["b"]], pa.list_(pa.string()), "list<.*string>"),
        ([{"x": "a"}], pa.struct([("x", pa.string())]), "struct<x: string>"),
        ([1, 2], pa.int64(), "int64"),
        ([None, None], pa.null(), "null"),
    ],
    ids=str,
)
def test_other_types_are_refused(tmp_path, column, kind, shown):
    path = write(tmp_path / "x.parquet", column, kind)
    with pytest.raises(InputError, match=rf"x\.parquet: column 'text' holds {shown}, not strings"):
        list(read_documents([path]))


def test_two_columns_of_one_name(tmp_path):
    table = pa.table([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    pq.write_table(table, tmp_path / "x.parquet")
    with pytest.raises(InputError, match="2 columns are called 'text'; rename all but one"):
        list(read_documents([tmp_path / "x.parquet"]))


def test_two_other_columns_of_one_name_do_no_harm(tmp_path):
    table = pa.table([pa.array(["a"]), pa.array([1]), pa.array([2])], names=["text", "n", "n"])
    pq.write_table(table, tmp_path / "x.parquet")
    assert list(read_documents([tmp_path / "x.parquet"])) == [("0", "a")]


@pytest.mark.parametrize(
    ("ids", "kind", "expected"),
    [
        ([7, 8], pa.int64(), ["7", "8"]),
        (["x", None], pa.string(), ["x", "1"]),
        ([b"x", b"y"], pa.binary(), ["x", "y"]),
        (["x", "x"], pa.dictionary(pa.int8(), pa.string()), ["x", "x"]),
    ],
    ids=str,
)
def test_ids(tmp_path, ids, kind, expected):
    path = write(tmp_path / "x.parquet", ["a", "b"], id=pa.array(ids).cast(kind))
    assert [doc.id for doc in read_documents([path])] == expected


def test_ids_that_are_none(tmp_path):
    path = write(tmp_path / "x.parquet", ["a"], id=pa.array([["x"]]))
    with pytest.raises(InputError, match=r"column 'id' holds list<.*>, not ids"):
        list(read_documents([path]))
    path = write(tmp_path / "x.parquet", ["a"], id=pa.array([b"\xff"]))
    with pytest.raises(FormatError, match="row 1: 'id' holds bytes that are not UTF-8"):
        list(read_documents([path]))


def test_strings_that_are_not_utf8_are_replaced_and_counted(tmp_path):
    data = pa.py_buffer(b"good" + b"b\xffd")
    offsets = pa.py_buffer(b"".join(n.to_bytes(4, "little") for n in (0, 4, 7)))
    column = pa.Array.from_buffers(pa.string(), 2, [None, offsets, data])
    pq.write_table(pa.table({"text": column}), tmp_path / "x.parquet")
    report = ReadReport()
    docs = list(read_documents([tmp_path / "x.parquet"], report=report))
    assert [doc.text for doc in docs] == ["good", "b\ufffdd"]
    assert report.n_replaced == 1


def test_gzip_whatever_the_name(tmp_path):
    packed = gzip.compress(write(tmp_path / "x.parquet", TEXTS).read_bytes())
    (tmp_path / "y.parquet").write_bytes(packed)
    assert [doc.text for doc in read_documents([tmp_path / "y.parquet"])] == TEXTS


def test_long_texts_come_in_small_batches(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_BYTES", 1000)
    path = write(tmp_path / "x.parquet", ["a" * 400] * 9)
    with pq.ParquetFile(path) as file:
        assert 1 <= module._batch_rows(file.metadata) < 30
    assert len(list(read_documents([path]))) == 9


def test_a_cut_file_at_every_length(tmp_path):
    whole = write(tmp_path / "x.parquet", TEXTS).read_bytes()
    for size in range(0, len(whole), 37):
        (tmp_path / "cut.parquet").write_bytes(whole[:size])
        with pytest.raises(PsifError, match=r"cut\.parquet: (not a readable parquet|empty)"):
            list(read_documents([tmp_path / "cut.parquet"]))


def outcome(path):
    """Return the number of documents, or the text of our error."""
    try:
        return len(list(read_documents([path])))
    except PsifError as error:
        return str(error)


def test_every_byte_of_the_footer_damaged(tmp_path):
    whole = write(tmp_path / "x.parquet", TEXTS, id=pa.array([1, 2, 3])).read_bytes()
    for place in range(len(whole) - 400, len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 0xFF
        (tmp_path / "x.parquet").write_bytes(damaged)
        found = outcome(tmp_path / "x.parquet")
        assert isinstance(found, int) or "x.parquet" in found
