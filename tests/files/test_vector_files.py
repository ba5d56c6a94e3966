"""Files of vectors that are damaged, cut, or of another program."""

import json
import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from safetensors.numpy import save_file

from psif.errors import FormatError, InputError, PsifError
from psif.files import vector_files
from psif.files.vector_files import read_vectors, vector_shape
from psif.files.vector_origin import vector_model

ROWS = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.float32)
ENDINGS = [".npy", ".parquet", ".jsonl", ".safetensors"]


def write(path, rows=ROWS, ids=("a", "b"), kind=None):
    """Write as another program would."""
    if path.suffix == ".npy":
        np.save(path, rows)
        lines = "".join(json.dumps({"id": key}) + "\n" for key in ids)
        path.with_name(f"{path.name}.ids.jsonl").write_text(lines)
    elif path.suffix == ".parquet":
        rows = [None if row is None else list(row) for row in rows]
        kind = kind or pa.list_(pa.float32(), len(rows[0]))
        pq.write_table(pa.table({"id": list(ids), "vector": pa.array(rows, kind)}), path)
    elif path.suffix == ".jsonl":
        records = [
            {"id": key, "vector": [float(number) for number in row]}
            for key, row in zip(ids, rows, strict=False)
        ]
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
    else:
        encoded = [key.encode() for key in ids]
        ends = np.cumsum([0, *map(len, encoded)]).astype(np.int64)
        keys = np.frombuffer(b"".join(encoded), dtype=np.uint8)
        save_file({"vectors": rows, "ids": keys, "id_offsets": ends}, path)
    return path


def read(path):
    blocks = list(read_vectors(path))
    return [key for ids, _ in blocks for key in ids], [row for _, rows in blocks for row in rows]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("numbers", [1, 1 << 23])
def test_files_of_other_programs(tmp_path, monkeypatch, ending, numbers):
    monkeypatch.setattr(vector_files, "_NUMBERS", numbers)
    path = write(tmp_path / f"v{ending}")
    ids, rows = read(path)
    assert ids == ["a", "b"]
    assert rows[0].dtype == np.float32
    np.testing.assert_array_equal(rows, ROWS)
    assert vector_shape(path) == (2, 3)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite(tmp_path, ending, bad):
    rows = ROWS.copy()
    rows[1, 2] = bad
    with pytest.raises(FormatError, match=rf"v{ending}: row 1 has a number that is not finite"):
        read(write(tmp_path / f"v{ending}", rows))


def test_numbers_too_large_for_float32(tmp_path):
    with pytest.raises(FormatError, match="row 0 has a number that is not finite"):
        read(write(tmp_path / "v.npy", np.full((2, 3), 1e300)))


@pytest.mark.parametrize("ending", [".npy", ".safetensors"])
@pytest.mark.parametrize("ids", [["a"], ["a", "b", "c"]])
def test_more_or_fewer_ids_than_rows(tmp_path, ending, ids):
    with pytest.raises(FormatError, match=r"rows have 1 ids|more ids than"):
        read(write(tmp_path / f"v{ending}", ids=ids))


@pytest.mark.parametrize(
    "rows", [np.ones(3), np.ones((2, 2, 2)), np.array([["1", "2"]]), np.ones((2, 3), dtype=complex)]
)
def test_arrays_that_are_no_rows_of_numbers(tmp_path, rows):
    path = write(tmp_path / "v.npy", rows)
    with pytest.raises(FormatError, match=r"v\.npy: not a file of vectors that psif wrote"):
        read(path)


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        ([[1.0, 2.0], None, [3.0, 4.0], [5.0, 6.0]], pa.list_(pa.float32(), 2)),
        ([[1.0], [2.0, 3.0, 4.0]], pa.list_(pa.float32())),
        ([[1.0, None]], pa.list_(pa.float32(), 2)),
        ([["1"], ["2"]], pa.list_(pa.string())),
        ([1.0, 2.0], pa.float32()),
    ],
    ids=str,
)
def test_parquet_columns_that_are_no_vectors(tmp_path, rows, kind):
    ids = [str(i) for i in range(len(rows))]
    table = pa.table({"id": ids, "vector": pa.array(rows, kind)})
    pq.write_table(table, tmp_path / "v.parquet")
    with pytest.raises(FormatError, match=r"v\.parquet: not a file of vectors"):
        read(tmp_path / "v.parquet")


def test_missing_ids_in_parquet(tmp_path):
    path = write(tmp_path / "v.parquet", ids=["a", None])
    with pytest.raises(FormatError, match="expected a string as id, found NoneType"):
        read(path)


GOOD = '{"id": "a", "vector": [1, 2]}\n'


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[1]",
        "{",
        '{"id": "b"}',
        '{"vector": [1, 2]}',
        '{"id": "b", "vector": [1]}',
        '{"id": "b", "vector": 3}',
        '{"id": null, "vector": [1, 2]}',
        "[" * 100_000,
    ],
    ids=lambda line: line[:30],
)
def test_bad_lines_are_named(tmp_path, line):
    (tmp_path / "v.jsonl").write_text(GOOD + line + "\n")
    with pytest.raises(FormatError, match=r"v\.jsonl, line 2: not a file of vectors"):
        read(tmp_path / "v.jsonl")


@pytest.mark.parametrize("vector", ['["1", "2"]', "[[1], [2]]", "[true, 1e999]", "[null, 1]"])
def test_entries_that_are_no_numbers(tmp_path, vector):
    (tmp_path / "v.jsonl").write_text(GOOD + f'{{"id": "b", "vector": {vector}}}\n')
    with pytest.raises(FormatError, match=r"v\.jsonl"):
        read(tmp_path / "v.jsonl")


def test_offsets_of_ids_that_do_not_fit(tmp_path):
    keys = np.frombuffer(b"ab", dtype=np.uint8)
    for offsets in ([0, 1], [0, 3, 2], [0, 1, 9], [1, 1, 2], [0, -1, 2], []):
        tensors = {"vectors": ROWS, "ids": keys, "id_offsets": np.array(offsets, dtype=np.int64)}
        save_file(tensors, tmp_path / "v.safetensors")
        with pytest.raises(FormatError, match=r"v\.safetensors: not a file of vectors"):
            read(tmp_path / "v.safetensors")


def error_of(function, path):
    """Return the text of our error, None if there is none; any other exception is raised."""
    try:
        function(path)
    except PsifError as error:
        return str(error)


@pytest.mark.parametrize("ending", ENDINGS)
def test_any_damage_is_our_error(tmp_path, ending):
    path = write(tmp_path / f"v{ending}")
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    contents = [b"", b"\0" * 99, b"PK\x03\x04", *(whole[:n] for n in range(0, len(whole), 29))]
    for _ in range(150):
        damaged = bytearray(whole)
        for place in rng.integers(0, len(whole), 2):
            damaged[place] = rng.integers(0, 256)
        contents.append(bytes(damaged))
    for content in contents:
        path.write_bytes(content)
        for look in (read, vector_shape, vector_model):
            error = error_of(look, path)
            assert error is None or path.name in error


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_folders_and_nothing(tmp_path):
    os.mkfifo(tmp_path / "pipe.npy")
    (tmp_path / "folder.npy").mkdir()
    for name, message in [
        ("pipe.npy", "not from a folder or a pipe"),
        ("folder.npy", "not from a folder or a pipe"),
        ("none.npy", "no such file"),
        ("v.txt", "no such file"),
    ]:
        for look in (read, vector_shape):
            with pytest.raises(InputError, match=message):
                look(tmp_path / name)


def test_a_sparse_file_that_says_it_is_huge(tmp_path):
    """A few bytes may not ask for rows of terabytes."""
    rows = np.eye(3, dtype=np.float32)
    for shape in ((3, 1 << 40), (3, -1), (1 << 40, 3)):
        path = tmp_path / "v.npz"
        parts = {"indices": np.arange(3), "indptr": np.arange(4), "data": np.ones(3, np.float32)}
        np.savez(path, format=b"csr", shape=np.array(shape), ids=np.array(["a", "b", "c"]), **parts)
        with pytest.raises(FormatError, match=r"v\.npz"):
            list(read_vectors(path))
    np.savez(path, format=b"csr", shape=np.array((3, 3)), ids=np.array(["a", "b", "c"]), **parts)
    [(ids, found)] = read_vectors(path)
    assert ids == ["a", "b", "c"]
    assert np.array_equal(found, rows)
