"""``--cluster``: the same commands on processes of a cluster."""

import json

import numpy as np
import pyarrow.parquet as pq
import pytest

from psif import PSIF
from psif.runtime.norms import unit_rows
from tests.cli.conftest import SMALL, make_docs, write_jsonl

pytestmark = [
    pytest.mark.xdist_group("distributed"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture
def files(tmp_path):
    docs = make_docs(90)
    paths = [write_jsonl(tmp_path / f"{i}.jsonl", docs[i * 30 : i * 30 + 30]) for i in range(3)]
    return docs, paths


def test_fit_and_embed_on_a_local_cluster(run, files):
    docs, paths = files
    run("fit", *paths, "-o", "one.model", *SMALL)
    result = run("embed", *paths, "-o", "out", *SMALL, "--cluster", "local:2")
    assert "2 workers; dashboard: http" in result.stderr
    assert "out: 90 vectors in 3 files" in result.stderr
    table = pq.read_table("out")
    assert table["id"].to_pylist() == [doc["id"] for doc in docs]
    one, other = PSIF.load("one.model"), PSIF.load("out.model")
    assert other.vocabulary_.words == one.vocabulary_.words
    np.testing.assert_allclose(
        np.array(table["vector"].to_pylist()),
        one.transform([doc["text"] for doc in docs]),
        atol=1e-5,
    )


def test_fewer_numbers_of_a_model_and_what_was_done_as_json(run, files):
    docs, paths = files
    run("fit", *paths, "-o", "m", *SMALL, "--dims", "6")
    args = ["embed", *paths, "-o", "out", "--model", "m", "--dims", "2", "--cluster", "local:1"]
    done = json.loads(run(*args, "--json").stdout)
    assert done.pop("seconds") > 0
    assert done == {
        "output": "out", "model": "m", "documents": 90, "dims": 2, "dtype": "float32",
        "skipped": 0, "replaced_characters": 0, "n_docs": 90, "n_empty": 0,
        "n_partitions": 3, "n_kept": 0,
    }  # fmt: skip
    vectors = np.array(pq.read_table("out")["vector"].to_pylist(), dtype=np.float32)
    expected = PSIF.load("m").transform([doc["text"] for doc in docs])
    np.testing.assert_allclose(vectors, unit_rows(expected[:, :2]), atol=1e-6)
    again = json.loads(run(*args, "--json", "--resume").stdout)
    assert (again["n_kept"], again["documents"]) == (3, 90)


def test_dims_that_a_model_has_not(run, files):
    run("fit", *files[1], "-o", "m", *SMALL, "--dims", "6")
    args = ["embed", *files[1], "-o", "out", "--model", "m", "--cluster", "local:1"]
    result = run(*args, "--dims", "7", code=1)
    assert "gives 6 numbers per vector; fit a model with --dims 7" in result.stderr


def test_wrong_clusters_and_outputs(run, files):
    _, paths = files
    for cluster, message in [
        ("local:none", "expected local or local:N"),
        ("somewhere", "expected tcp://host:port"),
    ]:
        result = run("fit", *paths, "-o", "m", "--cluster", cluster, code=1)
        assert message in result.stderr
    run("fit", *paths, "-o", "m", *SMALL)
    for output, inputs, message in [
        ("v.npy", paths, "a cluster writes a folder"),
        ("out", ["-"], "standard input"),
    ]:
        args = ["embed", *inputs, "-o", output, "--model", "m", "--cluster", "local:1"]
        assert message in run(*args, code=1).stderr


def test_no_scheduler_there(run, files, monkeypatch):
    import distributed

    def refuse(address, timeout):
        raise OSError("Timed out trying to connect")

    monkeypatch.setattr(distributed, "Client", refuse)
    result = run("fit", files[1][0], "-o", "m", "--cluster", "tcp://127.0.0.1:9", code=1)
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in result.stderr
