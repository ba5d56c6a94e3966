"""A disk that is full: one line says so, no part of an output is left, and what was there stays."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.cli.conftest import make_docs, write_jsonl

DRIVER = """
import resource, sys
from psif.cli import main
size = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
main()
"""
ROOM = 2_000  # bytes per file, as if the disk were full then
COMMANDS = {
    "fit": ["fit", "docs.jsonl", "-o", "out", "-k", "2"],
    "vectors": ["vectors", "train", "docs.jsonl", "-o", "out", "--dim", "30"],
    "embed": ["embed", "docs.jsonl", "-o", "out.npy", "--model", "model"],
    "index": ["index", "docs.jsonl", "-o", "out", "--model", "model"],
    "dedupe": ["dedupe", "docs.jsonl", "-o", "out.jsonl"],
    "explore": ["explore", "model", "v.jsonl", "--export", "out.html"],
    "faiss": ["export", "v.jsonl", "--to", "faiss", "-o", "out"],
    "usearch": ["export", "v.jsonl", "--to", "usearch", "-o", "out"],
    "duckdb": ["export", "v.jsonl", "--to", "duckdb", "-o", "out"],
    "sqlite_vec": ["export", "v.jsonl", "--to", "sqlite-vec", "-o", "out"],
    "bulk": ["export", "v.jsonl", "--to", "elasticsearch-bulk", "-o", "out"],
}
STORES = ("faiss", "usearch", "duckdb", "sqlite_vec")


def psif(folder, args, room):
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, str(room), *args], cwd=folder, capture_output=True, text=True
    )
    return done.returncode, done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("disk")
    write_jsonl(folder / "docs.jsonl", make_docs(300))
    for args in (
        ["fit", "docs.jsonl", "-o", "model", "-k", "2"],
        ["embed", "docs.jsonl", "-o", "v.jsonl", "--model", "model"],
    ):
        code, errors = psif(folder, args, -1)
        assert code == 0, errors
    return folder


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_left(folder, name):
    if name in STORES and find_spec(name) is None:
        pytest.skip("make test-integrations installs it")
    before = names(folder)
    code, errors = psif(folder, COMMANDS[name], ROOM)
    assert code == 1, errors
    assert "Traceback" not in errors
    assert len(errors.strip().splitlines()[-1]) < 400
    assert errors.strip().splitlines()[-1].startswith("Error: ")
    assert names(folder) == before


def test_an_index_stays_as_it_was(folder, tmp_path):
    from psif import Index

    args = ["index", str(folder / "docs.jsonl"), "-o", "out", "--model", str(folder / "model")]
    assert psif(tmp_path, args, -1)[0] == 0
    before = names(tmp_path)
    code, errors = psif(tmp_path, args, ROOM)
    assert (code, "no space left" in errors) == (1, True)
    code, errors = psif(tmp_path, ["index", "add", "out", *args[1:2], "--replace"], ROOM)
    assert (code, "no space left" in errors) == (1, True)
    assert names(tmp_path) == before
    assert len(Index.load(tmp_path / "out")) == 300


@pytest.mark.skipif(find_spec("sqlite_vec") is None, reason="make test-integrations installs it")
def test_an_export_goes_on_when_there_is_room(folder):
    """Some batches fit, the others do not."""
    args = ["export", "v.jsonl", "--to", "sqlite-vec", "-o", "o.db", "--batch", "20"]
    args += ["--texts", "docs.jsonl"]
    code, errors = psif(folder, args, -1)
    assert code == 0, errors
    size = (folder / "o.db").stat().st_size
    (folder / "o.db").unlink()
    code, errors = psif(folder, args, size - 10_000)
    assert code == 1
    assert "add --resume" in errors
    assert not (folder / "o.db").exists()
    code, errors = psif(folder, args, -1)
    assert code == 1
    assert "interrupted export" in errors
    code, errors = psif(folder, [*args, "--resume"], -1)
    assert code == 0, errors
    assert "were there before" in errors
    assert (folder / "o.db").exists()
    assert not (folder / "o.db.part").exists()
