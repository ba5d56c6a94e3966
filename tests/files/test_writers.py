import itertools
import json

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from safetensors.numpy import load_file
from scipy.sparse import load_npz

from psif.errors import InputError
from psif.files.vector_files import read_vectors
from psif.files.writers.chunk import make_chunk
from psif.files.writers.formats import FORMATS, output_format
from psif.files.writers.job import EmbedJob, complete_commit
from psif.files.writers.sidecar import sidecar_path
from psif.files.writers.working_folder import empty_folder, open_part_folder, part_folder

IDS = ["a", "zwei", "", "漢/字.txt", 'quote "x"\n', *map(str, range(45))]
DTYPES = ["float32", "float16", "int8"]


def some_vectors(n_rows, dim):
    return np.random.default_rng(n_rows + dim).normal(size=(n_rows, dim)).astype(np.float32)


def write(out, vectors, dtype, *, cuts=(0, 7, 50), resume=False, stop_after=None, key=None):
    with open_part_folder(out) as folder:
        if not resume:
            empty_folder(folder)
        job = EmbedJob(out, dim=vectors.shape[1], dtype=dtype, key=key or {"input": "x"})
        pieces = list(itertools.pairwise(cuts))[len(job.done) :]
        for number, (start, stop) in enumerate(pieces):
            if number == stop_after:
                job.close()
                return
            job.append(make_chunk(IDS[start:stop], vectors[start:stop], dtype), start)
        job.finish()


def lines_of(path):
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def read(out):
    """Ids and vectors, scaled back, by the reader that each format's users have."""
    if out.suffix == ".npy":
        records = [json.loads(line) for line in lines_of(sidecar_path(out))]
        scales = np.array([record.get("scale", 1.0) for record in records])
        return [record["id"] for record in records], np.load(out) * scales[:, None]
    if out.suffix == ".npz":
        arrays = np.load(out)
        scales = arrays["scales"] if "scales" in arrays else np.ones(len(arrays["ids"]))
        return arrays["ids"].tolist(), load_npz(out).toarray() * scales[:, None]
    if out.suffix == ".jsonl":
        records = [json.loads(line) for line in lines_of(out)]
        rows = np.array([np.array(r["vector"]) * r.get("scale", 1.0) for r in records])
        return [record["id"] for record in records], rows
    if out.suffix == ".parquet":
        table = pd.read_parquet(out)
        rows = np.stack(table["vector"]).astype(np.float64)
        scales = table["scale"].to_numpy() if "scale" in table else np.ones(len(table))
        return table["id"].tolist(), rows * scales[:, None]
    tensors = load_file(out)
    ends = tensors["id_offsets"]
    ids = [bytes(tensors["ids"][a:b]).decode() for a, b in itertools.pairwise(ends)]
    return ids, tensors["vectors"] * tensors.get("scales", np.ones(len(ids)))[:, None]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("dim", [1, 13])
def test_what_is_written_can_be_read(tmp_path, ending, dtype, dim):
    out = tmp_path / f"v{ending}"
    vectors = some_vectors(len(IDS), dim)
    write(out, vectors, dtype)
    ids, rows = read(out)
    assert ids == IDS
    tolerance = {"float32": 0, "float16": 1e-3, "int8": 1 / 250}[dtype] * np.abs(vectors).max()
    np.testing.assert_allclose(rows, vectors, atol=tolerance)
    assert not part_folder(out).exists()


@pytest.mark.parametrize("dtype", DTYPES)
def test_parquet_has_fixed_size_lists_for_every_reader(tmp_path, dtype):
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    out = tmp_path / "v.parquet"
    vectors = some_vectors(50, 8)
    write(out, vectors, dtype)
    expected = make_chunk(IDS, vectors, dtype).vectors
    assert pq.read_schema(out).field("vector").type.list_size == 8
    rows = duckdb.sql(f"select vector from '{out}' where id = 'zwei'").fetchall()
    np.testing.assert_array_equal(np.array(rows[0][0]), expected[1].astype(np.float64))
    column = polars.read_parquet(out)["vector"]
    assert column.dtype.shape == (8,)
    np.testing.assert_array_equal(column.to_numpy(), expected)


def test_zeros_take_no_room_in_npz(tmp_path):
    vectors = np.zeros((50, 20_000), dtype=np.float32)
    vectors[3, 7], vectors[3, 19_999], vectors[49, 0] = 1.5, -2, 3
    write(tmp_path / "v.npz", vectors, "float32")
    matrix = load_npz(tmp_path / "v.npz")
    assert (matrix.nnz, matrix.shape, matrix.dtype) == (3, (50, 20_000), np.float32)
    assert (matrix.toarray() == vectors).all()
    assert (tmp_path / "v.npz").stat().st_size < 5_000
    ids, rows = zip(*read_vectors(tmp_path / "v.npz"), strict=True)
    assert [*itertools.chain(*ids)] == IDS
    assert (np.concatenate(rows) == vectors).all()


def test_pages_of_many_rows(tmp_path, monkeypatch):
    monkeypatch.setattr("psif.files.writers.parquet._PAGE_NUMBERS", 40)
    for dtype in DTYPES:
        vectors = some_vectors(50, 13)
        write(tmp_path / "v.parquet", vectors, dtype)
        ids, found = read(tmp_path / "v.parquet")
        assert ids == IDS
        chunk = make_chunk(IDS, vectors, dtype)
        expected = chunk.vectors.astype(np.float64)
        if chunk.scales is not None:
            expected *= chunk.scales[:, None]
        np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize(
    "damage",
    [
        "none",
        "cut data",
        "cut journal",
        "flip",
        "half a chunk more",
        "change a line",
        "no fields",
        "bad commit",
    ],
)
def test_a_continued_file_has_the_bytes_of_an_unbroken_one(tmp_path, ending, damage):
    vectors, cuts = some_vectors(50, 5), (0, 7, 20, 30, 50)
    whole, broken = tmp_path / f"whole{ending}", tmp_path / f"broken{ending}"
    write(whole, vectors, "int8", cuts=cuts)
    write(broken, vectors, "int8", cuts=cuts, stop_after=3)
    assert not broken.exists()
    data, journal = part_folder(broken) / "data", part_folder(broken) / "journal.jsonl"
    if damage == "cut data":
        data.write_bytes(data.read_bytes()[:-30])
    if damage == "cut journal":
        journal.write_bytes(journal.read_bytes()[:-5])
    if damage == "flip":
        content = bytearray(data.read_bytes())
        content[-40] ^= 1
        data.write_bytes(content)
    if damage == "half a chunk more":
        data.write_bytes(data.read_bytes() + b"rest")
        journal.write_bytes(journal.read_bytes() + b'{"rows": 20')
    if damage == "change a line":
        lines = journal.read_bytes().splitlines(keepends=True)
        lines[2] = lines[2].replace(json.dumps(IDS[8]).encode(), b'"forged"')
        lines[2] = lines[2].replace(b'"rows": 13', b'"rows": 12')
        journal.write_bytes(b"".join(lines))
    if damage == "no fields":
        lines = journal.read_bytes().splitlines(keepends=True)
        journal.write_bytes(b"".join([*lines[:2], b'{"rows": 3}\n', *lines[3:]]))
    if damage == "bad commit":
        for content in ("", "[]\n", "{}\n", "x\n"):
            (part_folder(broken) / "commit.json").write_text(content)
            assert not complete_commit(broken)
    write(broken, vectors, "int8", cuts=cuts, resume=True)
    assert broken.read_bytes() == whole.read_bytes()
    if ending == ".npy":
        assert sidecar_path(broken).read_bytes() == sidecar_path(whole).read_bytes()


def test_a_job_that_had_hardly_begun_is_continued(tmp_path):
    out = tmp_path / "v.npy"
    write(out, some_vectors(50, 3), "float32", stop_after=0)
    (part_folder(out) / "journal.jsonl").write_bytes(b'{"inp')
    write(out, some_vectors(50, 3), "float32", resume=True)
    assert read(out)[0] == IDS


def test_earlier_output_stays_until_the_new_one_is_whole(tmp_path):
    out = tmp_path / "v.npy"
    out.write_text("earlier")
    write(out, some_vectors(50, 3), "float32", stop_after=1)
    assert out.read_text() == "earlier"


def test_another_job_is_not_continued(tmp_path):
    out = tmp_path / "v.parquet"
    write(out, some_vectors(50, 3), "float32", stop_after=1)
    with pytest.raises(InputError, match="cannot resume: --dtype, the model changed"):
        write(out, some_vectors(50, 3), "int8", key={"the model": 2, "input": "x"}, resume=True)
    write(out, some_vectors(50, 3), "int8", key={"the model": 2})
    assert read(out)[0] == IDS


def test_two_runs_cannot_write_one_file(tmp_path):
    with (
        open_part_folder(tmp_path / "v.npy"),
        pytest.raises(InputError, match="written by another run"),
        open_part_folder(tmp_path / "v.npy"),
    ):
        pass


@example([0.0, 0.0, 1.2897551065645616e-41])
@given(st.lists(st.floats(-1e4, 1e4, width=32), min_size=3, max_size=3))
def test_int8_is_within_half_a_step(row):
    chunk = make_chunk(["x"], np.array([row], dtype=np.float32), "int8")
    error = np.abs(chunk.vectors[0] * chunk.scales[0].astype(np.float64) - row)
    assert error.max() <= chunk.scales[0] * 0.501
    assert np.abs(chunk.vectors).max() == (127 if any(row) else 0) or max(map(abs, row)) < 2e-30


def test_bad_choices_are_named(tmp_path):
    with pytest.raises(InputError, match=r"must end in \.npy, \.npz, \.parquet"):
        output_format("x.txt")
    with pytest.raises(InputError, match="float32, float16, int8; got 'int4'"):
        make_chunk(["x"], some_vectors(1, 2), "int4")
    with pytest.raises(InputError, match="no number above 65504"):
        make_chunk(["x"], np.full((1, 2), 1e6, dtype=np.float32), "float16")
