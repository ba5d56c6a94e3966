"""No command writes over what it reads, or over files of others in a folder."""

import pytest

from tests.cli.conftest import make_docs, write_jsonl


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(run, here, *args):
    """Run a command that must fail and leave every file as it is; return its message."""
    before = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    result = run(*args, code=1)
    after = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    assert after == before
    return result.stderr


def test_explore_keeps_its_vectors_and_texts(run, trained, here):
    model, vectors = trained[0], here / "v.parquet"
    docs = write_jsonl(here / "docs.jsonl", make_docs(40))
    run("embed", docs, "--model", model, "-o", vectors)
    command = ["explore", model, vectors, "--texts", docs, "--export"]
    for output in (vectors, docs, "docs.jsonl", f"{model}/config.json"):
        message = refused(run, here, *command, output)
        assert "is an input" in message
        assert "Give another --export" in message


def test_embed_keeps_the_files_of_its_options(run, trained, here):
    docs = write_jsonl(here / "docs.jsonl", make_docs(40))
    (here / "stop.jsonl").write_text("the")
    message = refused(run, here, "embed", docs, "--stop-words", "stop.jsonl", "-o", "stop.jsonl")
    assert "stop.jsonl is an input" in message
    arrays = f"{trained[0]}/model.safetensors"
    assert "is an input" in refused(run, here, "embed", docs, "--model", trained[0], "-o", arrays)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (
            ["group", "-o", "o.csv", "--date-column", "when", "--over-time", "./o.csv"],
            "--over-time",
        ),
        (["group", "-o", "o.csv", "--save", "o.csv"], "--save"),
        (["dedupe", "-o", "o.csv", "--report", "o.csv"], "--report"),
        (["train", "-o", "o", "--html", "o"], "--html"),
    ],
)
def test_two_outputs_of_a_command_are_two_files(run, here, command, message):
    rows = [{**doc, "t": "2024-01-01", "label": "a"} for doc in make_docs(8)]
    docs = write_jsonl(here / "docs.jsonl", rows)
    told = refused(run, here, command[0], docs, *command[1:])
    assert f"is given for both --output and {message}" in told


def test_the_demo_leaves_files_of_others_alone(run, here):
    (here / "vectors.parquet").write_text("years of work")
    message = refused(run, here, "demo", "-o", here)
    assert "files that psif demo did not write (vectors.parquet)" in message
