"""The small installation: everything but Parquet works without pyarrow."""

import csv
import json
import sys

import numpy as np
import pytest

import psif
from psif.model.batches import embed_batch
from tests.cli.conftest import SMALL, make_docs, write_jsonl

HINT = "pip install 'psif[parquet]'"


class NoPyarrow:
    """Finds no package called pyarrow."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pyarrow":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.fixture
def docs(tmp_path, monkeypatch):
    """Documents with labels, on a machine that cannot import pyarrow."""
    for name in list(sys.modules):
        if name.partition(".")[0] == "pyarrow":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [NoPyarrow(), *sys.meta_path])
    rows = make_docs(90)
    for row in rows:
        row["label"] = row["id"].partition("-")[0]
    return write_jsonl(tmp_path / "docs.jsonl", rows)


@pytest.mark.filterwarnings("ignore::psif.PsifWarning")
def test_every_command_works(run, docs, tmp_path):
    run("fit", docs, "-o", "m", *SMALL)
    model = psif.Embedder.load(tmp_path / "m")
    texts = [row["text"] for row in make_docs(90)]
    for name in ("v.npy", "v.jsonl", "v.safetensors"):
        run("embed", docs, "-o", name, "--model", "m")
        found = run("similar", "m", name, "ship harbour", "-n", "5").stdout
        assert found.count("sea-") == 5
    lines = (tmp_path / "v.jsonl").read_text(encoding="utf-8").splitlines()
    read = np.array([json.loads(line)["vector"] for line in lines], dtype=np.float32)
    assert np.array_equal(read, np.load(tmp_path / "v.npy"))
    assert np.allclose(read, model.transform(texts), atol=1e-7)
    run("index", docs, "-o", "docs.index")
    assert "sea-" in run("search", "docs.index", "ship harbour").stdout
    run("train", docs, "--label-column", "label", "-o", "clf")
    run("predict", "clf", docs, "-o", "labels.csv")
    with (tmp_path / "labels.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert all(row["id"].startswith(row["label"]) for row in rows)
    run("group", docs, "-o", "groups.csv", "--model", "m")
    run("dedupe", docs, "-o", "kept.jsonl")
    run("explore", "m", "v.npy", "--texts", docs, "--export", "page.html")
    for name in ("groups.csv", "kept.jsonl", "page.html"):
        assert (tmp_path / name).stat().st_size > 0


def test_the_library_works(docs):
    texts = [row["text"] for row in make_docs(90)]
    model = psif.PSIF(n_topics=3, dim=8, min_count=1, random_state=0).fit(texts)
    batch = embed_batch({"text": texts[:3]}, model)
    assert np.allclose(batch["vector"], model.transform(texts[:3]))


@pytest.mark.parametrize(
    "command",
    [
        ["fit", "old.parquet", "-o", "m"],
        ["embed", "docs.jsonl", "-o", "v.parquet"],
        ["embed", "old.parquet", "-o", "v.npy"],
        ["similar", "m", "old.parquet", "ship"],
        ["explore", "m", "old.parquet", "--export", "page.html"],
        ["group", "docs.jsonl", "-o", "g.parquet"],
        ["dedupe", "docs.jsonl", "-o", "kept.parquet"],
        ["predict", "clf", "docs.jsonl", "-o", "labels.parquet"],
        ["export", "old.parquet", "--to", "faiss", "-o", "store"],
    ],
    ids=" ".join,
)
@pytest.mark.filterwarnings("ignore::psif.PsifWarning")
def test_a_parquet_file_names_the_extra(command, run, docs, tmp_path):
    (tmp_path / "old.parquet").write_bytes(b"PAR1 and so on PAR1")
    if command[1] == "m":
        run("fit", docs, "-o", "m", *SMALL)
    if command[1] == "clf":
        run("train", docs, "--label-column", "label", "-o", "clf")
    before = sorted(path.name for path in tmp_path.iterdir())
    failed = run(*command, code=1)
    assert HINT in failed.stderr
    # Told before any work: neither a file nor a model is left behind.
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.filterwarnings("ignore::psif.PsifWarning")
def test_the_demo_writes_another_format(run, docs, monkeypatch, tmp_path):
    few = {row["id"]: row["text"] for row in make_docs(90)}
    monkeypatch.setattr("psif.files.standard_library.docstrings", lambda: few)
    shown = run("demo", "-o", "out").stdout
    assert "vectors.npy" in shown
    assert "vectors.parquet" not in shown
    assert len(np.load(tmp_path / "out" / "vectors.npy")) == 90
